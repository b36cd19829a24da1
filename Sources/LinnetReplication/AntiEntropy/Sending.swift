import LinnetCRDT
import LinnetWire

/// What a peer needs, and how far it was sent.
struct Sending {
    /// What the peer needs and was not sent.
    var queue: OrderedTable<ChainKey, ClosedRange<UInt64>> = OrderedTable()
    /// How far each chain was sent in this session.
    private(set) var upTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The chain that was sent last, and how many of its batches at a stretch.
    private var turn = (key: ChainKey(scope: .zero, chain: .zero), sent: 0)
    /// The last header, for a batch that continues it.
    private(set) var last: BatchHeaderLink?
    /// The bytes of batch bodies that were sent.
    private(set) var bytes: UInt64 = 0
    /// The bytes that the peer takes before it grants more.
    var limit: UInt64 = 0
    /// Where the chains divide of which the proof was sent or came.
    var provenForks: OrderedTable<ChainKey, UInt64> = OrderedTable()

    /// The chain to send from, and what of it: each has its turn, so that what one builds on does
    /// not wait in the peer's store until the whole of another one has come.
    var next: (key: ChainKey, range: ClosedRange<UInt64>)? {
        let isOver = turn.sent >= BatchRun.most
        if !isOver, let range = queue[turn.key] { return (turn.key, range) }
        let next = queue.first { $0.key > turn.key } ?? queue.first
        return next.map { ($0.key, $0.value) }
    }

    /// The first batch of a queued range was sent, in so many bytes.
    mutating func sent(
        _ batch: SealedBatch, from key: ChainKey, _ range: ClosedRange<UInt64>, bytes: Int
    ) {
        self.bytes += UInt64(bytes)
        last = BatchHeaderLink(header: batch.header, id: batch.id)
        upTo[key] = max(upTo[key] ?? 0, range.lowerBound)
        turn = (key, sent: turn.key == key ? turn.sent + 1 : 1)
        queue[key] =
            range.lowerBound < range.upperBound ? range.lowerBound + 1...range.upperBound : nil
    }
}
