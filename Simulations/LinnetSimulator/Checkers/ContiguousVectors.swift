import LinnetReplication
import LinnetStorage
import LinnetWire

/// I4: a vector is the set of stored batches, without holes, and each batch continues the one
/// before it.
extension Inspector {
    /// As many batches are held and applied as the vector says.
    func checkCounts(_ device: Int) throws(Violation) {
        let view = views[device]
        guard view.held.isComplete else { return }
        var (held, applied) = (0, 0)
        for row in view.rows {
            held += Int(row.stored + 1 - row.first)
            applied += Int(row.applied + 1 - row.first)
        }
        guard held != view.held.count || applied != view.applied.count else { return }
        throw Violation(
            .contiguousVectors,
            "a vector says that \(held) batches are stored and \(applied) show; it should be "
                + "\(view.held.count) and \(view.applied.count)", devices: [device])
    }

    func checkChain(_ row: ChainRow, _ replica: borrowing Replica) throws {
        guard row.applied <= row.stored, row.applied + 1 >= row.first else {
            throw Violation(.contiguousVectors, "more of a chain shows than is stored")
        }
        guard row.stored >= row.first else { return }
        let stored = try replica.storeForReading.batches(
            chain: row.index, from: row.first, maxBytes: .max)
        guard stored.count == Int(row.stored - row.first + 1) else {
            throw Violation(
                .contiguousVectors,
                "a vector names \(row.stored - row.first + 1) batches; \(stored.count) are stored")
        }
        for (before, after) in zip(stored, stored.dropFirst()) where after.prev != before.id {
            throw Violation(
                .contiguousVectors, "batch \(after.seq) does not continue the one before it")
        }
        guard stored.last?.id == row.head else {
            throw Violation(.contiguousVectors, "the head of a chain is not its last batch")
        }
    }
}
