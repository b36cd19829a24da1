import LinnetCRDT
import LinnetWire

/// The batches that a peer needs, and those that were sent.
struct Sending {
    /// The batches that the peer needs and was not sent.
    var queue: OrderedTable<ChainKey, ClosedRange<UInt64>> = OrderedTable()
    /// The last sequence number of each chain that was sent in this session.
    private(set) var upTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The chain that was sent last, and the number of its batches that were sent at a stretch.
    private var turn = (key: ChainKey(scope: .zero, chain: .zero), sent: 0)
    /// The last header, for a batch that continues it.
    private(set) var last: BatchHeaderLink?
    /// The bytes of batch bodies that were sent.
    private(set) var bytes: UInt64 = 0
    /// The bytes that the peer takes before it grants more.
    var limit: UInt64 = 0
    /// The sequence numbers at which the chains divide whose proof was sent or came.
    var provenForks: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The base that the peer is given.
    var base = BaseServing()
    /// The block of a chunk that the peer asked for.
    var blocks = BlockServing()

    /// The chain to send from, and the range of it. Each chain has its turn, so that batches do not
    /// wait in the peer's store for others that come after the whole of another chain.
    var next: (key: ChainKey, range: ClosedRange<UInt64>)? {
        let isOver = turn.sent >= BatchRun.most
        if !isOver, let range = queue[turn.key] { return (turn.key, range) }
        let next = queue.first { $0.key > turn.key } ?? queue.first
        return next.map { ($0.key, $0.value) }
    }

    /// Notes that the first batch of a queued range was sent, in so many bytes.
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
