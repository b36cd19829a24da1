/// Batches of one chain that count nowhere.
package struct ControlLateWrite: ControlElement, ControlStruct {
    package static let number: UInt64 = 149
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.device, \.chain, \.first, \.last, \.operations, \.unreadable,
            \.earliestMilliseconds, \.latestMilliseconds, \.records, \.hasMoreRecords,
            \.isDropped)
    }

    /// The device that wrote them.
    package var device: ControlDevice
    /// The name of the chain.
    package var chain: String
    /// The number of the first batch.
    package var first: UInt64
    /// The number of the last batch.
    package var last: UInt64
    /// The number of operations that can be read.
    package var operations: UInt64
    /// The number of batches that cannot be read.
    package var unreadable: UInt64
    /// The first time that they claim, in Unix milliseconds; nil when none can be read.
    package var earliestMilliseconds: Int64?
    /// The last time that they claim.
    package var latestMilliseconds: Int64?
    /// The records that they touch, each as its collection, a slash and its identifier.
    package var records: [String]
    /// True when they touch others, too.
    package var hasMoreRecords: Bool
    /// True when they were dropped.
    package var isDropped: Bool

    /// Joins the facts.
    package init(
        device: ControlDevice, chain: String, first: UInt64, last: UInt64, operations: UInt64,
        unreadable: UInt64, earliestMilliseconds: Int64?, latestMilliseconds: Int64?,
        records: [String], hasMoreRecords: Bool, isDropped: Bool
    ) {
        (self.device, self.chain, self.first, self.last) = (device, chain, first, last)
        (self.operations, self.unreadable) = (operations, unreadable)
        (self.earliestMilliseconds, self.latestMilliseconds) = (
            earliestMilliseconds, latestMilliseconds
        )
        (self.records, self.hasMoreRecords) = (records, hasMoreRecords)
        self.isDropped = isDropped
    }
}
