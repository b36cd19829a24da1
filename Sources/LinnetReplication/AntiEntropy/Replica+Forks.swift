import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Sends the proof that a chain divided, unless the peer sent it to us, or has it from us in
    /// this session; `again` when it listed the old name since.
    mutating func proveFork(
        of trunk: ChainKey, again: Bool = false, state: inout OpenState, session: Session
    ) throws(SessionFault) {
        guard let row = chains[trunk], let seq = row.forkedAt else { return }
        if let listed = state.peer[trunk], listed.seq >= seq { state.peer[trunk] = nil }
        let isNew = state.provenForks[trunk] != seq
        guard isNew || again, let proof = try proof(of: row) else { return }
        state.provenForks[trunk] = seq
        try session.send(.fork, proof.encode())
    }

    private func proof(of trunk: ChainRow) throws(SessionFault) -> ForkMessage? {
        guard let seq = trunk.forkedAt else { return nil }
        if let received = try keptProof(trunk.scope, trunk.author, seq) {
            return try? ForkMessage.decode(received)
        }
        let branches = chains.rows.values.filter {
            $0.parent == trunk.index && $0.first == seq && ChainIndex.holdsAny($0)
        }
        guard branches.count > 1 else { return nil }
        return try stored { () throws(StorageError) in
            var signed: [SignedHeader] = []
            for branch in branches.prefix(2) {
                if let kept = try store.batch(chain: branch.index, seq: seq),
                    SealedBatch(kept, in: branch, of: group?.log.group).isSigned
                {
                    signed.append(SealedBatch(kept, in: branch, of: group?.log.group).signedHeader)
                }
            }
            guard signed.count == 2 else { return nil }
            return ForkMessage(first: signed[0], second: signed[1])
        }
    }

    /// A proof that a peer showed.
    private func keptProof(
        _ scope: ScopeID, _ author: AuthorID, _ seq: UInt64
    ) throws(SessionFault) -> [UInt8]? {
        try stored { () throws(StorageError) in
            try store.forks().first {
                $0.scope == scope && $0.chain == author && $0.seq == seq
            }?.proof
        }
    }

    /// Splits the chain that a proof names, and lists what is held under its new names.
    mutating func receiveFork(
        _ body: [UInt8], state: inout OpenState, session: Session
    ) throws(SessionFault) {
        let message = try decoded { () throws(WireError) in try ForkMessage.decode(body) }
        guard let header = verified(message) else { throw .violation }
        guard let group, group.isEntitled(header.device) else { return }
        let trunks = try stored { () throws(StorageError) in
            let trunks = try chains.splitFamily(at: header, author: author, &turn)
            try beginLife()
            return trunks
        }
        guard !trunks.isEmpty else { return }
        let name = AuthorName.author(device: header.device, incarnation: header.incarnation)
        if try keptProof(header.scope, name, header.seq) == nil {
            try stored { () throws(StorageError) in
                try store.addFork(
                    ForkRow(scope: header.scope, chain: name, seq: header.seq, proof: body))
            }
        }
        for trunk in trunks {
            state.provenForks[trunk] = header.seq
            // The whole chain may have been asked for to find this.
            state.askedFromStart.remove(trunk)
        }
    }

    /// The place of the fork, when both headers prove it.
    private func verified(_ message: ForkMessage) -> BatchHeader? {
        guard let first = try? BatchHeader.decode(message.first.header),
            let second = try? BatchHeader.decode(message.second.header),
            first.group == group?.log.group, second.group == first.group,
            first.device == second.device, first.incarnation == second.incarnation,
            first.scope == second.scope, first.seq == second.seq, first.prev == second.prev
        else { return nil }
        var ids: [BatchID] = []
        for signed in [message.first, message.second] {
            let id = BatchName.id(signed.header, ciphertextHash: signed.ciphertextHash)
            guard
                SigningKey.isValid(
                    signed.signature, .batch, id.array, publicKey: first.device.array)
            else { return nil }
            ids.append(id)
        }
        return ids[0] == ids[1] ? nil : first
    }
}
