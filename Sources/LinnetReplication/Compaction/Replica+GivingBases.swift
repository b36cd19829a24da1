import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension OpenState {
    /// True when the peer, as far as it said, lacks batches of a chain that are not kept here.
    func lacksBase(of row: ChainRow) -> Bool {
        row.isFolded && (peer[row.key]?.seq ?? 0) < row.first
    }
}

/// The giving of what batches came to that are gone.
extension Replica {
    /// Offers a peer the base that it needs, and gives the part of it for which it asked.
    mutating func speakOfBases(
        _ state: OpenState, session: Session
    ) throws(SessionFault) {
        if state.sending.base.isDue, state.sending.base.isTaken, !state.sending.base.isUnderWay {
            let offer = try stored { () throws(StorageError) in try baseOffer(to: state) }
            guard let group = groupID, !offer.floors.isEmpty else { return }
            state.sending.base.begin(offer, named: offer.id(in: group))
            try session.send(.base, offer.encode())
        }
        guard let asked = state.sending.base.asked.take(), let offer = state.sending.base.offer
        else { return }
        let part = try stored { () throws(StorageError) in try basePart(asked, of: offer) }
        if part.isLast { state.sending.base.end() }
        try session.send(.basePart, part.encode())
    }

    /// Takes the question for a part of the base that was offered.
    func receiveBaseGet(_ body: [UInt8], _ state: OpenState) throws(SessionFault) {
        let asked = try decoded { () throws(WireError) in try BaseGetMessage.decode(body) }
        guard state.sending.base.asked == nil, state.sending.base.id == asked.base else {
            throw .violation
        }
        state.sending.base.asked = asked
    }

    func baseOffer(to state: OpenState) throws(StorageError) -> BaseOffer {
        var floors: [BaseFloor] = []
        for (key, row) in chains.rows where row.isFolded && state.greeting.scopes.holds(key.scope) {
            let id = try store.headID(of: row, at: row.floor)
            floors.append(BaseFloor(key: key, seq: row.floor, id: id ?? .zero))
        }
        let totals = try store.baseTotals(on: .own)
        return BaseOffer(floors: floors, records: totals.count, bytes: totals.bytes)
    }

    private func basePart(
        _ asked: BaseGetMessage, of offer: BaseOffer
    ) throws(StorageError) -> BasePartMessage {
        guard let group else { throw .corrupt(where: "bases") }
        var (batches, bytes): ([[UInt8]], Int) = ([], 0)
        for floor in offer.floors.dropFirst(asked.batches) {
            guard let row = chains[floor.key] else { continue }
            let batch = SealedBatch(
                try store.heldBatch(of: row, at: floor.seq), in: row, of: group.log.group)
            let body = BatchMessage(
                form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
                signature: batch.signature
            ).encode()
            guard batches.isEmpty || bytes + body.count <= Limits.basePartBytes else { break }
            batches.append(body)
            bytes += body.count
        }
        if asked.batches + batches.count < offer.floors.count {
            return BasePartMessage(
                base: asked.base, batches: batches, pieces: [], isLast: false)
        }
        let scopes = OrderedSet(offer.floors.map(\.key.scope))
        let (pieces, isLast) = try pieces(
            after: asked.after, offset: asked.offset, in: scopes,
            room: Limits.basePartBytes - bytes,
            BaseSealer(group: group))
        return BasePartMessage(
            base: asked.base, batches: batches, pieces: pieces, isLast: isLast)
    }

    private func pieces(
        after last: RecordKey?, offset: Int, in scopes: OrderedSet<ScopeID>, room: Int,
        _ sealer: BaseSealer
    ) throws(StorageError) -> (pieces: [BasePartMessage.Piece], isLast: Bool) {
        var (pieces, bytes, offset): ([BasePartMessage.Piece], Int, Int) = ([], 0, offset)
        var after = last.map { RecordName(collection: $0.collection, id: $0.record) }
        while true {
            let rows = try store.bases(after: after, limit: 64, on: .own)
            guard let end = rows.last else { return (pieces, true) }
            for row in rows where scopes.contains(row.scope) {
                let content = try sealer.open(row).encoded
                let left = content.count - min(offset, content.count)
                guard pieces.isEmpty || bytes + left <= room else { return (pieces, false) }
                let piece = Array(
                    content.dropFirst(offset).prefix(max(room, Limits.basePartBytes / 2)))
                pieces.append(
                    BasePartMessage.Piece(
                        key: RecordKey(collection: row.name.collection, record: row.name.id),
                        scope: row.scope, length: content.count, bytes: piece))
                guard piece.count == left else { return (pieces, false) }
                bytes += left + 64
                offset = 0
            }
            after = end.name
        }
    }
}
