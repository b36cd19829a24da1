import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The answer of a replica to an offer.
enum BaseVerdict {
    case take
    /// It lacks nothing of what the base stands for.
    case unneeded
    /// It folded what the base does not hold.
    case behind
    /// It holds something else, or is busy.
    case refused
}

/// The base that comes from a peer in a session.
struct BaseArrival {
    let offer: BaseOffer
    let id: Bytes16
    /// The batches at the floors that came.
    var batches: [SealedBatch] = []
    /// The last record that came whole.
    var last: RecordKey?
    /// The bytes of the records that came, in this session or an earlier one.
    var bytes = 0
    /// The record that comes in pieces.
    var partial: BasePartMessage.Piece?
    var isAsked = false

    /// The next question.
    var question: BaseGetMessage {
        BaseGetMessage(
            base: id, batches: batches.count, after: last, offset: partial?.bytes.count ?? 0)
    }

    /// Takes a piece; returns the record once it is whole, nil before. Throws for one that does
    /// not come next.
    mutating func take(
        _ piece: BasePartMessage.Piece
    ) throws(SessionFault) -> BasePartMessage.Piece? {
        guard last.map({ $0 < piece.key }) ?? true, batches.count == offer.floors.count,
            offer.floors.contains(where: { $0.key.scope == piece.scope })
        else { throw .violation }
        var bytes = piece.bytes
        if let partial {
            guard partial.key == piece.key, partial.scope == piece.scope,
                partial.length == piece.length
            else { throw .violation }
            bytes = partial.bytes + bytes
        }
        // A peer that never comes to an end would fill the disk.
        self.bytes += piece.bytes.count
        guard bytes.count <= piece.length, self.bytes <= Limits.receivedBytes else {
            throw .violation
        }
        let whole = BasePartMessage.Piece(
            key: piece.key, scope: piece.scope, length: piece.length, bytes: bytes)
        guard bytes.count == piece.length else {
            partial = whole
            return nil
        }
        (partial, last) = (nil, piece.key)
        return whole
    }
}
