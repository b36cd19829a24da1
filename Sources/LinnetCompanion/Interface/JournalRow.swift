/// One row of a machine's durable state, to be stored under its key, sealed.
package struct JournalRow: Equatable, Sendable {
    /// The row's name; rows order by it, bytewise.
    package var key: [UInt8]
    /// Canonical bytes, at most 272 KiB.
    package var value: [UInt8]

    /// Joins key and value.
    package init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}
