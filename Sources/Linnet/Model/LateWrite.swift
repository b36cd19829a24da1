/// Batches of one chain of a device that came here and count nowhere, since the device was taken
/// out of the group, or may write no more: the inbox of late writes.
public struct LateWrite: Equatable, Sendable {
    /// The device that wrote them.
    public let device: Device
    /// The name of the chain, which numbers the batches.
    public let chain: String
    /// The numbers of the batches.
    public let batches: ClosedRange<UInt64>
    /// The number of their operations, as far as this device can read them.
    public let operations: Int
    /// The number of batches that this device cannot read.
    public let unreadable: Int
    /// The first and last time at which they say that they were written, in Unix milliseconds; the
    /// device could say anything. Nil when none can be read.
    public let claimedMilliseconds: ClosedRange<Int64>?
    /// The records that they touch, at most 64, each as its collection, a slash and its identifier.
    public let records: [String]
    /// True when they touch others, too.
    public let hasMoreRecords: Bool
    /// True when they were dropped.
    public let isDropped: Bool
}
