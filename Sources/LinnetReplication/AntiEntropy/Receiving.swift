import LinnetCRDT
import LinnetWire

/// The batches that were asked of a peer, and the bytes that it may still send.
struct Receiving {
    /// The last sequence number of each chain that was asked for in this session.
    var askedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The chains that were asked for from their beginning, which is done once.
    var askedFromStart: OrderedSet<ChainKey> = OrderedSet()
    /// The last header, for a batch that continues it.
    var last: BatchHeaderLink?
    /// The batches of the messages that come next, which were checked together.
    var run = BatchRun()
    /// The base that comes from the peer.
    var base: BaseArrival?
    /// The blocks of chunks that the peer is asked for.
    var blocks = BlockAsking()
    /// The bytes of batch bodies that came.
    private(set) var bytes: UInt64 = 0
    /// The bytes that were granted.
    private(set) var limit = UInt64(Limits.unacknowledgedBytes)

    /// Counts bytes that came; false when they are more than were granted.
    mutating func take(_ count: Int) -> Bool {
        bytes += UInt64(count)
        return bytes <= limit
    }

    /// Grants nothing at first, to a peer whose batches have to wait.
    mutating func begin(granting isGranted: Bool) { limit = isGranted ? limit : 0 }

    /// Grants more, unless the sender has three quarters of its credit and needs no more yet.
    mutating func grant() -> UInt64? {
        let granted = bytes + UInt64(Limits.unacknowledgedBytes)
        guard granted - limit >= UInt64(Limits.unacknowledgedBytes / 4) else { return nil }
        limit = granted
        return granted
    }

    /// Returns the ranges to ask of a chain from `first` on, as far as they were not asked for.
    mutating func want(_ key: ChainKey, from first: UInt64, to last: UInt64) -> [NeededRange] {
        let asked = askedUpTo[key] ?? 0
        guard asked < last, first <= last else { return [] }
        let from = max(first, asked + 1)
        askedUpTo[key] = last
        return [NeededRange(scope: key.scope, chain: key.chain, first: from, last: last)]
    }

    /// Returns the whole of a chain, once in a session, for comparison after a fork showed.
    mutating func wantAll(_ key: ChainKey, to last: UInt64) -> [NeededRange] {
        guard askedFromStart.insert(key) else { return [] }
        return [NeededRange(scope: key.scope, chain: key.chain, first: 1, last: last)]
    }
}
