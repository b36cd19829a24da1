import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension ChainBook {
    /// Returns the proof that a chain forked: the one that a peer showed, or the first batches of
    /// two branches.
    func proof(
        of trunk: ChainRow, _ group: GroupState, in store: any Store
    ) throws(SessionFault) -> ForkMessage? {
        guard let seq = trunk.forkedAt else { return nil }
        if let received = try keptProof(trunk.scope, trunk.author, seq, in: store) {
            do throws(WireError) {
                return try ForkMessage.decode(received)
            } catch {
                // The row is damaged: the branches prove the fork as well, while both are held.
            }
        }
        let branches = rows.values.filter {
            $0.parent == trunk.index && $0.first == seq && ChainIndex.holdsAny($0)
        }
        guard branches.count > 1 else { return nil }
        return try stored { () throws(StorageError) in
            var signed: [SignedHeader] = []
            for branch in branches.prefix(2) {
                if let kept = try store.batch(chain: branch.index, seq: seq),
                    SealedBatch(kept, in: branch, of: group.log.group).isSigned
                {
                    signed.append(SealedBatch(kept, in: branch, of: group.log.group).signedHeader)
                }
            }
            guard signed.count == 2 else { return nil }
            return ForkMessage(first: signed[0], second: signed[1])
        }
    }

    /// Returns a proof that a peer showed.
    func keptProof(
        _ scope: ScopeID, _ author: AuthorID, _ seq: UInt64, in store: any Store
    ) throws(SessionFault) -> [UInt8]? {
        try stored { () throws(StorageError) in
            try store.forks().first {
                $0.scope == scope && $0.chain == author && $0.seq == seq
            }?.proof
        }
    }
}
