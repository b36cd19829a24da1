import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Checks one batch and stores it where it belongs.
    mutating func receiveBatch(
        _ body: [UInt8], state: inout OpenState, session: Session
    ) throws(SessionFault) {
        state.receivedBytes += UInt64(body.count)
        guard state.receivedBytes <= state.grantedLimit, let group else { throw .violation }
        let batch: SealedBatch
        if let checked = state.run.next() {
            batch = checked
        } else {
            batch = try check(body, state: state, group: group.log.group)
            proven.insert(batch.id)
        }
        state.lastReceived = BatchHeaderLink(header: batch.header, id: batch.id)
        turn.answerDue.insert(session.link)
        guard holds(batch.header.scope) else { return }
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        turn.isMoreComing = state.peer[key]?.seq ?? 0 > batch.header.seq
        defer { turn.isMoreComing = false }
        try accept(batch, state: &state, session: session)
    }

    /// Checks one batch with its own signature.
    private func check(
        _ body: [UInt8], state: OpenState, group: GroupID
    ) throws(SessionFault) -> SealedBatch {
        let message = try decoded { () throws(WireError) in try BatchMessage.decode(body) }
        let previous = try predecessor(of: message, state: state)
        do throws(BatchRefusal) {
            return try SealedBatch(
                headerBytes: try message.headerBytes(after: previous),
                ciphertext: message.ciphertext, signature: message.signature, group: group)
        } catch {
            throw .violation
        }
    }

    /// Looks ahead at batches that came together, so that one signature is checked for all.
    func expectRun(_ events: ArraySlice<ChannelEvent>, of session: Session) {
        guard events.count > 1, case .open(let state) = session.state, state.run.isEmpty,
            state.heardHave, let group
        else { return }
        state.run = BatchRun(events, group: group.log.group) { message in
            try? predecessor(of: message, state: state)
        }
    }

    /// The batch from which a message takes over its header.
    private func predecessor(
        of message: BatchMessage, state: OpenState
    ) throws(SessionFault) -> BatchHeaderLink? {
        switch message.form {
        case .full: return nil
        case .continued: return state.lastReceived
        case .listed(let number, _):
            guard state.named.indices.contains(number), let named = state.named[number] else {
                throw .violation
            }
            // A fork may have moved it to a branch since it was listed.
            for row in chains.family(named: named.key.chain, scope: named.key.scope)
            where row.first <= named.head.seq && named.head.seq <= row.stored {
                let kept = try stored { () throws(StorageError) in
                    try store.batch(chain: row.index, seq: named.head.seq)
                }
                guard let kept, kept.id.prefix8 == named.head.prefix else { continue }
                return BatchHeaderLink(header: sealed(kept, in: row).header, id: kept.id)
            }
            throw .violation
        }
    }

    private mutating func accept(
        _ batch: SealedBatch, state: inout OpenState, session: Session
    ) throws(SessionFault) {
        guard isEntitled(batch.header.device) else {
            try hold(batch, from: state.device)
            return
        }
        if try stored({ () throws(StorageError) in try repair(with: batch) }) { return }
        let placement = try stored { () throws(StorageError) in try place(batch) }
        switch placement {
        case .stored, .duplicate:
            noteHeld(batch, by: &state)
        case .forked(let trunk):
            // The same name may divide again.
            state.askedFromStart.remove(trunk)
            turn.answerDue.insert(session.link)
        case .waiting:
            let key = ChainKey(scope: batch.header.scope, chain: batch.author)
            if let row = chains[key], batch.header.seq <= row.stored + 1 {
                var wanted: [NeededRange] = []
                askFromStart(key, to: batch.header.seq, &state, &wanted)
                try ask(wanted, on: session)
            }
            try hold(batch, from: state.device)
        }
    }

    /// Who sends a batch holds it, and need not say so again.
    private func noteHeld(_ batch: SealedBatch, by state: inout OpenState) {
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        guard let row = chains[key], row.forkedAt == nil,
            state.peer[key]?.seq ?? 0 < batch.header.seq,
            state.peer[key] != nil || state.peer.count < VectorListing.chainsMaximum
        else { return }
        state.peer[key] = ListedHead(
            chain: key.chain, seq: batch.header.seq, prefix: batch.id.prefix8)
    }

    /// Whether a device may write: an active member that reads.
    func isEntitled(_ device: DeviceID) -> Bool {
        group?.log.state.member(device)?.role.reads ?? false
    }

    /// Keeps a batch that cannot be stored yet, within bounds; beyond them it is dropped and asked
    /// for again later.
    private mutating func hold(
        _ batch: SealedBatch, from peer: DeviceID
    ) throws(SessionFault) {
        let header = batch.header
        let isHeld = try stored { () throws(StorageError) in try store.isPending(batch.id) }
        guard !isHeld, header.seq <= StoreLimits.largestSequence else { return }
        let fits = try stored { () throws(StorageError) in
            let chain = try store.pendingTotals(
                scope: header.scope, device: header.device, incarnation: header.incarnation)
            let all = store.pendingTotals
            return chain.count < Limits.pendingBatchesPerChain
                && chain.bytes + batch.ciphertext.count <= Limits.pendingBytesPerChain
                && all.bytes + batch.ciphertext.count <= Limits.pendingBytes
        }
        guard fits else {
            flooders.insert(peer)
            turn.outbox.warn(.flooded(peer))
            return
        }
        try stored { () throws(StorageError) in
            try turn.writingDerived()
            try store.insertPending(
                PendingRow(
                    id: batch.id, scope: header.scope, device: header.device,
                    incarnation: header.incarnation, seq: header.seq, header: batch.headerBytes,
                    ciphertext: batch.ciphertext, signature: batch.signature))
        }
        hasPending = true
    }

    /// Tries the batches that waited, after chains grew or members came.
    mutating func retryPending() throws(StorageError) {
        guard hasPending, let group else { return }
        var progress = true
        while progress {
            progress = false
            let waiting = try store.pendingChains()
            hasPending = !waiting.isEmpty
            for chain in waiting {
                for held in try store.pending(
                    scope: chain.scope, device: chain.device, incarnation: chain.incarnation,
                    maxBytes: Limits.pendingBytesPerChain)
                where try retry(held, group: group.log.group) {
                    progress = true
                }
            }
        }
    }

    private mutating func retry(
        _ held: PendingRow, group: GroupID
    ) throws(StorageError) -> Bool {
        guard
            let batch = try? SealedBatch(
                headerBytes: held.header, ciphertext: held.ciphertext, signature: held.signature,
                group: group)
        else {
            try turn.writingDerived()
            try store.removePending(held.id)
            return false
        }
        guard isEntitled(batch.header.device), try place(batch) != .waiting else { return false }
        try turn.writingDerived()
        try store.removePending(held.id)
        return true
    }

    /// Sends what the peer needs, as far as its credit goes.
    mutating func pump(_ state: inout OpenState, session: Session) throws(SessionFault) {
        while let (key, range) = state.nextQueued {
            guard let row = chains[key], range.lowerBound <= durableSeq(row),
                let kept = try stored({ () throws(StorageError) in
                    try store.batch(chain: row.index, seq: range.lowerBound)
                })
            else {
                state.queue[key] = nil
                continue
            }
            guard isIntact(kept, in: row), isProven(kept, in: row) else {
                state.queue[key] = nil
                try stored { () throws(StorageError) in try noteDamage(of: kept, in: row) }
                continue
            }
            let batch = sealed(kept, in: row)
            let body = try message(for: batch, of: row, state: state).encode()
            guard state.sentBytes + UInt64(body.count) <= state.sendLimit else { return }
            try send(.batch, body, on: session)
            state.sentBytes += UInt64(body.count)
            state.lastSent = BatchHeaderLink(header: batch.header, id: batch.id)
            state.sentUpTo[key] = max(state.sentUpTo[key] ?? 0, range.lowerBound)
            state.turn = (key, sent: state.turn.key == key ? state.turn.sent + 1 : 1)
            state.queue[key] =
                range.lowerBound < range.upperBound
                ? range.lowerBound + 1...range.upperBound : nil
        }
    }

    /// The shortest form of a batch that the peer can fill up.
    private func message(
        for batch: SealedBatch, of row: ChainRow, state: OpenState
    ) throws(SessionFault) -> BatchMessage {
        let header = batch.header
        var form = BatchMessage.Form.full(header: batch.headerBytes)
        if let last = state.lastSent, header.follows(last) {
            form = .continued(nonce: header.nonceToSend(after: last.header.nonce))
        } else if let listed = state.peerNumbers[row.key], listed.head.seq + 1 == header.seq,
            listed.head.prefix == header.prev.prefix8
        {
            let kept = try stored { () throws(StorageError) in
                try store.batch(chain: row.index, seq: listed.head.seq)
            }
            if let kept, kept.id == header.prev, kept.epoch == header.epoch {
                form = .listed(
                    number: listed.number, nonce: header.nonceToSend(after: kept.nonce))
            }
        }
        return BatchMessage(
            form: form, ciphertext: batch.ciphertext, signature: batch.signature)
    }
}

extension BatchMessage {
    /// Whether it takes over the header of the batch sent before it.
    var isContinued: Bool {
        if case .continued = form { true } else { false }
    }

    /// The header as its author signed it; `last` is the batch from which it takes over.
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
            epoch: previous.epoch, nonce: given ?? BatchNonces.successor(of: previous.nonce)
        ).encoded
    }
}

extension BatchHeader {
    /// Whether all but the nonce follows from the batch before.
    fileprivate func follows(_ last: BatchHeaderLink) -> Bool {
        last.id == prev && last.header.scope == scope && last.header.device == device
            && last.header.incarnation == incarnation && last.header.epoch == epoch
            && last.header.seq + 1 == seq
    }

    /// The nonce, nil if it is the one after another.
    fileprivate func nonceToSend(after previous: [UInt8]) -> [UInt8]? {
        nonce == BatchNonces.successor(of: previous) ? nil : nonce
    }
}
