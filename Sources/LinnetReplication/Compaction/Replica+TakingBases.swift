import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The taking of what batches came to that nobody keeps any more.
extension Replica {
    /// Takes the offer of a base, where this replica lacks what it stands for and holds nothing
    /// that contradicts it.
    mutating func receiveBase(
        _ body: [UInt8], _ state: OpenState, session: Session
    ) throws(SessionFault) {
        let offer = try decoded { () throws(WireError) in try BaseOffer.decode(body) }
        guard offer.isOffer else { return try raiseFloors(to: offer, state) }
        guard state.receiving.base == nil, let group = groupID else { throw .violation }
        switch try stored({ () throws(StorageError) in try verdict(on: offer, from: state) }) {
        case .take: break
        case .unneeded: return
        case .behind: return try tellFloors(state, session)
        case .refused: return
        }
        let id = offer.id(in: group)
        var arrival = BaseArrival(offer: offer, id: id)
        try stored { () throws(StorageError) in
            if try store.value(.arrivingBase) == id.array {
                var last: RecordName?
                while let next = try store.bases(after: last, limit: 256, on: .arriving).last {
                    last = next.name
                }
                arrival.bytes = try store.baseTotals(on: .arriving).bytes
                arrival.last = last.map {
                    RecordKey(collection: $0.collection, record: $0.id)
                }
            } else {
                try turn.writingCasually()
                try store.removeBases(scope: nil, on: .arriving)
                try store.setValue(.arrivingBase, id.array)
            }
        }
        state.receiving.base = arrival
        try askForBase(state, session)
    }

    /// Tells a peer whose base lacks what is folded here how far that is.
    private mutating func tellFloors(
        _ state: OpenState, _ session: Session
    ) throws(SessionFault) {
        guard !state.sending.base.saidFloors else {
            return turn.outbox.warn(.basesDiffer(state.device))
        }
        state.sending.base.saidFloors = true
        var own = try stored { () throws(StorageError) in try baseOffer(to: state) }
        own.isOffer = false
        try session.send(.base, own.encode())
    }

    /// Folds up to the floors of a peer that could not take the base for want of that, and offers
    /// it anew.
    private mutating func raiseFloors(
        to offer: BaseOffer, _ state: OpenState
    ) throws(SessionFault) {
        guard state.sending.base.isUnderWay, !state.sending.base.wasRaised else { return }
        state.sending.base.end()
        (state.sending.base.wasRaised, state.sending.base.isDue) = (true, true)
        try stored { () throws(StorageError) in
            if recordBook.fold.isBehind {
                try turn.writingDerived()
                try foldAllRows()
            }
            var ends = OrderedTable<ChainKey, UInt64>()
            for floor in offer.floors {
                guard let row = chains[floor.key], row.floor < floor.seq else { continue }
                ends[floor.key] = floor.seq
            }
            _ = try fold(upTo: ends, andPast: true, operations: .max)
        }
    }

    private func askForBase(_ state: OpenState, _ session: Session) throws(SessionFault) {
        guard let arrival = state.receiving.base else { return }
        state.receiving.base?.isAsked = true
        try session.send(.baseGet, arrival.question.encode())
    }

    /// Says whether a base tells of batches that this replica lacks, and holds all that it folded.
    ///
    /// Nobody signed a base, so that it counts only in scopes of which this replica never knew all:
    /// else any member could change what others wrote.
    private mutating func verdict(
        on offer: BaseOffer, from state: OpenState
    ) throws(StorageError) -> BaseVerdict {
        // One base at a time: what came of it is kept for the next peer that offers it.
        let isBusy = sessions.open.contains { $0.state !== state && $0.state.receiving.base != nil }
        guard !isBusy, author.open == nil else { return .refused }
        let held =
            state.grant == .everything ? scopeFilter : scopeFilter.intersection(state.grant)
        var isNeeded = false
        var floors = OrderedTable<ChainKey, UInt64>()
        for floor in offer.floors {
            guard held.holds(floor.key.scope) else { return .refused }
            guard !scopes.known.holds(floor.key.scope) else {
                if chains[floor.key]?.stored ?? 0 >= floor.seq { continue }
                turn.outbox.warn(.basesDiffer(state.device))
                return .refused
            }
            floors[floor.key] = floor.seq
            guard let row = chains[floor.key] else {
                isNeeded = true
                continue
            }
            guard row.parent == nil, row.forkedAt == nil else { return .refused }
            if row.stored < floor.seq {
                isNeeded = true
                guard try !mayHaveDivided(row) else {
                    turn.outbox.warn(.historyPassedOver(device))
                    return .refused
                }
            } else if floor.seq >= row.first,
                try store.headID(of: row, at: floor.seq) != floor.id
            {
                return .refused
            }
        }
        guard isNeeded else { return .unneeded }
        let taken = OrderedSet(floors.keys.map(\.scope))
        // A batch that is folded here and not there cannot be put on top of it.
        for (key, row) in chains.rows where row.isFolded && taken.contains(key.scope) {
            guard let floor = floors[key], floor >= row.floor else { return .behind }
        }
        return .take
    }

    /// True when this life wrote batches that nobody is known to hold, in a chain of which others
    /// folded more: it was put back to an earlier state, and the base lacks what it wrote since.
    private func mayHaveDivided(_ row: ChainRow) throws(StorageError) -> Bool {
        guard author.wrote(row) else { return false }
        let known = try store.peerKnowledge().map { $0.knowledge.seq(of: row.key) }.max() ?? 0
        return row.stored > known
    }

    /// Takes a part of a base, and puts the whole in the place of what it stands for.
    mutating func receiveBasePart(
        _ body: [UInt8], _ state: OpenState, session: Session
    ) throws(SessionFault) {
        let part = try decoded { () throws(WireError) in try BasePartMessage.decode(body) }
        guard var arrival = state.receiving.base, arrival.isAsked, arrival.id == part.base,
            let group
        else { throw .violation }
        arrival.isAsked = false
        for body in part.batches {
            let batch = try state.check(body, chains, group, in: store)
            guard arrival.batches.count < arrival.offer.floors.count else { throw .violation }
            let floor = arrival.offer.floors[arrival.batches.count]
            guard group.isKept(batch.header.device), batch.header.scope == floor.key.scope,
                batch.author == floor.key.chain, batch.header.seq == floor.seq,
                batch.id == floor.id
            else { throw .violation }
            arrival.batches.append(batch)
        }
        let sealer = BaseSealer(group: group)
        for piece in part.pieces {
            guard let whole = try arrival.take(piece), !scopes.known.holds(whole.scope) else {
                continue
            }
            let name = RecordName(collection: whole.key.collection, id: whole.key.record)
            let state = try Self.record(whole)
            try stored { () throws(StorageError) in
                let content = RecordRow.encode(state)
                guard let row = sealer.seal(content, of: name, in: whole.scope) else {
                    throw .corrupt(where: "bases: there is no key to seal under")
                }
                try turn.writingCasually()
                try store.putBase(row, on: .arriving)
            }
        }
        guard part.isLast else {
            guard !part.batches.isEmpty || !part.pieces.isEmpty else { throw .violation }
            state.receiving.base = arrival
            return try askForBase(state, session)
        }
        guard arrival.batches.count == arrival.offer.floors.count, arrival.partial == nil else {
            throw .violation
        }
        state.receiving.base = nil
        try stored { () throws(StorageError) in
            guard case .take = try verdict(on: arrival.offer, from: state) else { return }
            try install(arrival)
        }
        try askForTail(of: arrival, state, session)
    }

    /// Reads a record, whose bytes are canonical.
    private static func record(
        _ piece: BasePartMessage.Piece
    ) throws(SessionFault) -> RecordState {
        do throws(CRDTError) {
            let state = try RecordState.decode(
                piece.bytes, collection: piece.key.collection, record: piece.key.record)
            guard state.generation > 0 else { throw CRDTError.wire(.nonCanonical) }
            return state
        } catch {
            throw .violation
        }
    }

    /// Puts a whole base in the place of the batches that it stands for, in one transaction.
    private mutating func install(_ arrival: BaseArrival) throws(StorageError) {
        try turn.writing()
        for (floor, batch) in zip(arrival.offer.floors, arrival.batches)
        where !scopes.known.holds(floor.key.scope) {
            let own = author.chain(in: floor.key.scope)
            if floor.key == own, floor.seq > chains[own]?.stored ?? 0 {
                try author.rotate(
                    "a peer holds batches of this home that it lost", &entropy, &turn)
            }
            try take(floor, batch)
        }
        for scope in OrderedSet(arrival.offer.floors.map(\.key.scope)).elements
        where !scopes.known.holds(scope) {
            try store.removeBases(scope: scope, on: .own)
        }
        try store.adoptArrivedBases()
        try store.setValue(.arrivingBase, nil)
        recordBook.inspection.refolds += 1
        chains.hidden.begun = nil
        recordBook.staged = nil
        chains.isStale = true
    }

    /// Asks for the batches behind the base.
    private func askForTail(
        of arrival: BaseArrival, _ state: OpenState, _ session: Session
    ) throws(SessionFault) {
        var wanted: [NeededRange] = []
        for (key, head) in state.peer where holds(key.scope) {
            let stored = chains[key]?.stored ?? 0
            guard head.seq > stored else { continue }
            state.receiving.askedUpTo[key] = stored
            wanted += state.receiving.want(key, from: stored + 1, to: head.seq)
        }
        try session.ask(wanted)
    }
}

extension Replica {
    /// Takes the floor of a chain from a base: what is below it goes, and what follows it stays.
    mutating func take(_ floor: BaseFloor, _ batch: SealedBatch) throws(StorageError) {
        guard let row = try chains.index.take(floor, batch, in: store) else { return }
        chains.damaged.forget(row.key)
        turn.announced.insert(row.key)
        chains.waiting.mayGo(WaitingBatches.Family(row), at: 0...UInt64.max)
    }
}

extension ChainIndex {
    /// Takes the floor of a chain; returns the chain, nil where nothing is below it.
    fileprivate mutating func take(
        _ floor: BaseFloor, _ batch: SealedBatch, in store: any Store
    ) throws(StorageError) -> ChainRow? {
        var row: ChainRow
        if let known = self[floor.key] {
            row = known
        } else {
            let root = ChainRow.root(
                scope: floor.key.scope, device: batch.header.device,
                incarnation: batch.header.incarnation)
            row = try store.insertChain(root)
            insert(row)
        }
        guard floor.seq > row.floor else { return nil }
        if row.stored < floor.seq {
            try store.removeBatches(chain: row.index)
            try store.append(BatchRow(batch, in: row))
            (row.stored, row.head) = (floor.seq, batch.id)
        } else {
            try store.removeBatches(chain: row.index, below: floor.seq)
        }
        (row.first, row.floor) = (floor.seq, floor.seq)
        (row.applied, row.folded) = (max(row.applied, floor.seq), max(row.folded, floor.seq))
        self[row.key] = row
        try store.setFloor(of: row.index, floor.seq)
        return row
    }
}
