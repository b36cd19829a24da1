import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The records that may have a row, so that rows are not looked for in vain while a home fills up.
///
/// It is a Bloom filter ("Space/time trade-offs in hash coding with allowable errors", 1970) of 128
/// KiB and two hashes. With 100,000 records, three in a hundred are looked for all the same.
struct RowFilter {
    /// The most records that a home may hold when a filter is begun, so that opening stays short.
    static let mostAtStart = 1_024
    private static let bits = 1 << 20
    private var words = [UInt64](repeating: 0, count: bits / 64)

    /// Adds a record by its hash.
    mutating func insert(_ hash: UInt64) {
        for bit in Self.places(of: hash) { words[bit / 64] |= 1 << UInt64(bit % 64) }
    }

    /// Returns true when a record of this hash may have been added; false is certain.
    func mayHold(_ hash: UInt64) -> Bool {
        Self.places(of: hash).allSatisfy { words[$0 / 64] & 1 << UInt64($0 % 64) != 0 }
    }

    private static func places(of hash: UInt64) -> [Int] {
        [Int(hash % UInt64(bits)), Int((hash >> 32) % UInt64(bits))]
    }
}

extension Overlay {
    /// Remembers which records have rows if they are few.
    mutating func beginRowFilter(in store: any Store) throws(StorageError) {
        guard let names = try store.recordNames(atMost: RowFilter.mostAtStart) else { return }
        know(rowsOf: names.map { RecordKey(collection: $0.collection, record: $0.id) })
    }
}
