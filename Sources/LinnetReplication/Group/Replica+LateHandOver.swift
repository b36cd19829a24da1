import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A device that is out hands over what it wrote and never sent, before its last session ends.
extension Replica {
    /// Asks a device that is out to list what it wrote, or ends the session where nothing is taken
    /// from it.
    func awaitLate(
        from former: DeviceID, _ session: Session, at now: Moment
    ) throws(SessionFault) {
        guard !session.late.isTaking else { return }
        guard takesLate(from: former) else { throw .end(.formerMember, code: .removed) }
        session.late.beginTaking(at: now)
        try session.send(.need, NeedMessage(ranges: []).encode())
    }

    /// Lists what this device wrote, for a member that says that it is out.
    private func offerLate(to session: Session, at now: Moment) throws(SessionFault) {
        let rows = chains.rows.values.filter { $0.device == device && ChainIndex.holdsAny($0) }
        let own = rows.map(\.key)
        let listing = try stored { () throws(StorageError) in
            try chains.listing(of: Array(own.prefix(VectorListing.chainsMaximum)), in: store)
        }
        session.late.offer(rows.reduce(0) { $0 + $1.stored - $1.first + 1 }, at: now)
        try session.send(.have, HaveMessage(listing: listing).encode())
    }

    /// Reads a message of a hand-over; false when it belongs to none.
    mutating func receiveLate(
        _ type: MessageType, _ body: [UInt8], _ state: AuthorisingState, session: Session,
        at now: Moment
    ) throws(SessionFault) -> Bool {
        switch type {
        case .have where session.late.isTaking:
            guard let former = former(behind: state) else { return false }
            try receiveLateListing(body, of: former, session, at: now)
        case .need where group?.log.state.member(device) == nil:
            try receiveLateNeed(body, state, session: session, at: now)
        case .batch where session.late.taking != nil:
            guard let former = former(behind: state) else { return false }
            try receiveLateBatch(body, of: former, session, at: now)
        default: return false
        }
        return true
    }

    private func former(behind state: AuthorisingState) -> DeviceID? {
        Bytes32(state.remoteStatic).flatMap { group?.log.state.former(noiseKey: $0)?.device }
    }

    /// The device that is out at the other end of a session; nil when none is known to be there.
    func former(behind session: Session) -> DeviceID? {
        guard case .authorising(let state) = session.state else { return nil }
        return former(behind: state)
    }

    /// True when batches of a device that is out are taken: a member does so of one that once could
    /// write.
    private func takesLate(from former: DeviceID) -> Bool {
        guard let group, group.log.state.member(device) != nil, group.isKept(former),
            case .upTo? = group.log.state.verdict.batches[former]
        else { return false }
        return true
    }

    // MARK: Taking

    private mutating func receiveLateListing(
        _ body: [UInt8], of former: DeviceID, _ session: Session, at now: Moment
    ) throws(SessionFault) {
        let have = try decoded { () throws(WireError) in try HaveMessage.decode(body) }
        guard have.form == .whole else { throw .violation }
        if session.late.taking == nil {
            session.late.taking = LateTaking(try lacking(have.listing, of: former))
        } else if !have.listing.scopes.isEmpty {
            throw .violation
        }
        session.late.heard(at: now)
        // The rest comes another time, to whichever member it meets then.
        guard !arrivals.holdsBack(former, .sent, at: now), let part = session.late.taking?.next()
        else { throw .end(.formerMember, code: .removed) }
        try session.ask([part])
    }

    /// The ranges of a listing that are not held.
    private func lacking(
        _ listing: VectorListing, of former: DeviceID
    ) throws(SessionFault) -> [NeededRange] {
        var wanted: [NeededRange] = []
        for listed in listing.scopes where holds(listed.scope) {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                var first: UInt64 = 1
                if let row = chains[key] {
                    guard row.device == former, try !isHeld(head, of: row) else { continue }
                    let next = row.stored < head.seq ? row.stored + 1 : 1
                    first = row.forkedAt.map { min($0, head.seq) } ?? next
                }
                wanted.append(
                    NeededRange(
                        scope: key.scope, chain: key.chain, first: first, last: head.seq))
            }
        }
        return wanted
    }

    private func isHeld(_ head: ListedHead, of row: ChainRow) throws(SessionFault) -> Bool {
        for other in chains.index.family(named: row.chain, scope: row.scope)
        where other.first <= head.seq && head.seq <= other.stored {
            let id = try stored { () throws(StorageError) in
                try store.headID(of: other, at: head.seq)
            }
            if id?.prefix8 == head.prefix { return true }
        }
        return false
    }

    private mutating func receiveLateBatch(
        _ body: [UInt8], of former: DeviceID, _ session: Session, at now: Moment
    ) throws(SessionFault) {
        guard let group else { throw .violation }
        let message = try decoded { () throws(WireError) in try BatchMessage.decode(body) }
        guard case .full(let header) = message.form else { throw .violation }
        let batch: SealedBatch
        do throws(BatchRefusal) {
            batch = try SealedBatch(
                headerBytes: header, ciphertext: message.ciphertext,
                signature: message.signature, group: group.log.group)
        } catch {
            throw .violation
        }
        // It speaks for itself alone, and says what it was asked for.
        guard batch.header.device == former,
            session.late.taking?.take(batch.header) == true
        else { throw .violation }
        chains.damaged.prove(batch.id)
        session.late.heard(at: now)
        arrivals.note(
            former, Arrivals(batches: 1, bytes: body.count),
            isKnown: scopes.known.holds(batch.header.scope), at: now)
        guard case .waiting? = try place(batch, from: session) else { return }
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        if let row = chains[key], batch.header.seq <= row.stored + 1 {
            session.late.taking?.takeAll(of: key, upTo: batch.header.seq)
        }
        try hold(batch, of: group, from: former)
    }

    // MARK: Handing over

    /// Lists or sends what a member asks for; others hear nothing.
    private mutating func receiveLateNeed(
        _ body: [UInt8], _ state: AuthorisingState, session: Session, at now: Moment
    ) throws(SessionFault) {
        let need = try decoded { () throws(WireError) in try NeedMessage.decode(body) }
        guard let key = Bytes32(state.remoteStatic),
            group?.log.state.member(noiseKey: key) != nil
        else { return }
        guard need.ranges.isEmpty != session.late.hasOffered else { throw .violation }
        guard !need.ranges.isEmpty else { return try offerLate(to: session, at: now) }
        session.late.heard(at: now)
        try sendLate(need, to: session)
    }

    /// Sends some of what is asked for, and then that this was all of it.
    private mutating func sendLate(
        _ need: NeedMessage, to session: Session
    ) throws(SessionFault) {
        guard let group else { throw .violation }
        let most = min(LateTalk.batchesAtOnce, session.late.batchesLeft)
        var left = most
        for range in need.ranges {
            guard let row = chains[ChainKey(scope: range.scope, chain: range.chain)],
                row.device == device
            else { continue }
            var seq = max(range.first, row.first)
            let last = min(range.last, chains.durableSeq(row))
            while seq <= last, left > 0 {
                let kept = try stored { () throws(StorageError) in
                    try store.heldBatch(of: row, at: seq)
                }
                let batch = SealedBatch(kept, in: row, of: group.log.group)
                guard batch.isIntact, chains.damaged.isProven(batch) else { break }
                let message = BatchMessage(
                    form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
                    signature: batch.signature)
                try session.send(.batch, message.encode())
                (seq, left) = (seq + 1, left - 1)
            }
        }
        session.late.sent(most - left)
        try session.send(.have, HaveMessage(listing: VectorListing()).encode())
    }
}
