/// The sizes of the workloads.
package struct BenchScale: Equatable, Sendable {
    /// Records of the first and third workload, eight fields each.
    package var records: Int
    /// Updates of the first workload.
    package var updates: Int
    /// Records that the second workload sends.
    package var mergedRecords: Int
    /// Changes that each side of the third workload makes, half of them to the same cells.
    package var changes: Int
    /// Records of the fourth and fifth workload.
    package var manyRecords: Int
    /// Changes that each side of the fourth workload makes.
    package var fewChanges: Int
    /// Messages of the sixth workload.
    package var messages: Int
    /// Devices that the seventh workload removes.
    package var removals: Int
    /// Membership records of its longest log.
    package var memberRecords: Int
    /// Edits of the text of the tenth workload.
    package var edits: Int

    /// Records of the collections of the eighth workload and of the transactions of the ninth, a
    /// curve of three sizes each.
    package var collections: [Int]
    /// See `collections`.
    package var transactions: [Int]

    /// The sizes that every peer is measured with.
    package static let standard = BenchScale(
        records: 10_000, updates: 100_000, mergedRecords: 12_500, changes: 50_000,
        manyRecords: 100_000, fewChanges: 50, messages: 1_000, removals: 20, memberRecords: 4_096,
        edits: 100_000, collections: [10_000, 100_000, 1_000_000],
        transactions: [1_000, 10_000, 100_000])

    /// Sizes that show in a moment that everything works.
    package static let tiny = BenchScale(
        records: 30, updates: 500, mergedRecords: 30, changes: 100, manyRecords: 60,
        fewChanges: 5, messages: 10, removals: 2, memberRecords: 256, edits: 300,
        collections: [12, 48, 300], transactions: [10, 30, 60])

    /// Changes of one transaction of a writer.
    static let transaction = 100
    /// Records of one transaction of a seeded store.
    static let seededRecords = 12
    /// Fields of a record.
    static let fields = 8
}
