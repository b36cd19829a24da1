import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension OpenState {
    /// Checks one batch with its own signature.
    func check(
        _ body: [UInt8], _ chains: ChainBook, _ group: GroupState, in store: any Store
    ) throws(SessionFault) -> SealedBatch {
        let message = try decoded { () throws(WireError) in try BatchMessage.decode(body) }
        let previous = try predecessor(of: message, chains, group, in: store)
        do throws(BatchRefusal) {
            return try SealedBatch(
                headerBytes: try message.headerBytes(after: previous),
                ciphertext: message.ciphertext, signature: message.signature,
                group: group.log.group)
        } catch {
            throw .violation
        }
    }

    /// Returns the batch from which a message takes over its header.
    func predecessor(
        of message: BatchMessage, _ chains: ChainBook, _ group: GroupState, in store: any Store
    ) throws(SessionFault) -> BatchHeaderLink? {
        switch message.form {
        case .full: return nil
        case .continued: return receiving.last
        case .listed(let number, _):
            guard listings.own.indices.contains(number), let line = listings.own[number] else {
                throw .violation
            }
            // A fork may have moved it to a branch since it was listed.
            for row in chains.index.family(named: line.key.chain, scope: line.key.scope)
            where row.first <= line.head.seq && line.head.seq <= row.stored {
                let kept = try stored { () throws(StorageError) in
                    try store.batch(chain: row.index, seq: line.head.seq)
                }
                guard let kept, kept.id.prefix8 == line.head.prefix else { continue }
                return BatchHeaderLink(
                    header: SealedBatch(kept, in: row, of: group.log.group).header, id: kept.id)
            }
            throw .violation
        }
    }

    /// Notes that the peer holds a batch that it sends, which it need not list again.
    func noteHeld(_ batch: SealedBatch, _ chains: ChainBook) {
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        guard let row = chains[key], row.forkedAt == nil,
            peer[key]?.seq ?? 0 < batch.header.seq,
            peer[key] != nil || peer.count < VectorListing.chainsRemembered
        else { return }
        peer[key] = ListedHead(
            chain: key.chain, seq: batch.header.seq, prefix: batch.id.prefix8)
    }

    /// Sends the batches that the peer needs, as far as its credit goes; false where a batch was
    /// found damaged, after which more may be sent once peers were asked for it.
    func pump(
        _ chains: inout ChainBook, _ group: GroupState, on session: Session, _ turn: inout Turn
    ) throws(SessionFault) -> Bool {
        let store = turn.store
        while let (key, range) = sending.next {
            guard let row = chains[key], row.first <= range.lowerBound,
                range.lowerBound <= chains.durableSeq(row)
            else {
                sending.queue[key] = nil
                continue
            }
            let kept = try stored { () throws(StorageError) in
                try store.heldBatch(of: row, at: range.lowerBound)
            }
            let batch = SealedBatch(kept, in: row, of: group.log.group)
            guard batch.isIntact, chains.damaged.isProven(batch) else {
                sending.queue[key] = nil
                chains.damaged.note(kept, in: row, &turn)
                if row.device == device, chains.damaged.noteMissed(range.lowerBound, of: key) {
                    // The next session lists what is left, and its author learns of it.
                    throw .end(.normal, code: .normal)
                }
                return false
            }
            let body = try message(for: batch, of: row, in: store).encode()
            guard sending.bytes + UInt64(body.count) <= sending.limit else { return true }
            try session.send(.batch, body)
            sending.sent(batch, from: key, range, bytes: body.count)
        }
        return true
    }

    /// Returns the shortest form of a batch that the peer can complete.
    private func message(
        for batch: SealedBatch, of row: ChainRow, in store: any Store
    ) throws(SessionFault) -> BatchMessage {
        let header = batch.header
        var form = BatchMessage.Form.full(header: batch.headerBytes)
        if let last = sending.last, header.follows(last) {
            form = .continued(nonce: header.nonceToSend(after: last.header.nonce))
        } else if let listed = listings.numbers[row.key], listed.head.seq + 1 == header.seq,
            listed.head.prefix == header.prev.prefix8
        {
            let kept = try stored { () throws(StorageError) in
                try store.batch(chain: row.index, seq: listed.head.seq)
            }
            if let kept, kept.id == header.prev, kept.epoch == header.epoch,
                kept.root == header.root
            {
                form = .listed(
                    number: listed.number, nonce: header.nonceToSend(after: kept.nonce))
            }
        }
        return BatchMessage(
            form: form, ciphertext: batch.ciphertext, signature: batch.signature)
    }
}

extension BatchMessage {
    /// True when it takes over the header of the batch sent before it.
    var isContinued: Bool {
        if case .continued = form { true } else { false }
    }

    /// Returns the header as its author signed it; `last` is the batch from which it takes over.
    func headerBytes(after last: BatchHeaderLink?) throws(BatchRefusal) -> [UInt8] {
        let given: [UInt8]?
        switch form {
        case .full(let header): return header
        case .continued(let nonce): given = nonce
        case .listed(_, let nonce): given = nonce
        }
        guard let last, last.header.seq < UInt64(Int64.max) else {
            throw .malformed(.badSequence)
        }
        let previous = last.header
        return BatchHeader(
            group: previous.group, device: previous.device, incarnation: previous.incarnation,
            scope: previous.scope, seq: previous.seq + 1, prev: last.id,
            epoch: previous.epoch, nonce: given ?? BatchNonces.successor(of: previous.nonce),
            root: previous.root
        ).encoded
    }
}

extension BatchHeader {
    /// Returns true when all parts but the nonce follow from the batch before.
    fileprivate func follows(_ last: BatchHeaderLink) -> Bool {
        last.id == prev && last.header.scope == scope && last.header.device == device
            && last.header.incarnation == incarnation && last.header.epoch == epoch
            && last.header.root == root && last.header.seq + 1 == seq
    }

    /// Returns the nonce; nil if it is the one after another.
    fileprivate func nonceToSend(after previous: [UInt8]) -> [UInt8]? {
        nonce == BatchNonces.successor(of: previous) ? nil : nonce
    }
}
