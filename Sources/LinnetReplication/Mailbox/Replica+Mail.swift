import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

// What comes from a mailbox is judged as what a session brings.
extension Replica {
    /// Begins the rounds that are due.
    mutating func lookIntoMailboxes(at now: Moment) throws(StorageError) {
        for id in posts.dueNow(at: now) {
            let filter = scopeFilter
            posts.began(id, at: now)
            posts[id]?.begin(as: author.id, holding: filter)
            try goOn(id, at: now)
        }
    }

    /// Takes the answer of a store.
    mutating func mailAnswered(
        _ id: MailboxID, _ request: MailRequest, _ answer: MailAnswer, at now: Moment
    ) throws(StorageError) {
        guard let arrival = posts[id]?.take(answer, to: request) else {
            return try goOn(id, at: now)
        }
        switch arrival {
        case .kept: break
        case .object(let name, let bytes): try judge(name, bytes, in: id, at: now)
        case .pack(let wanted, let bytes): try judge(wanted, bytes, in: id, at: now)
        case .adopted(let pack, let bytes): try adopt(pack, bytes, in: id)
        case .checked(let object, let bytes): check(object, bytes, in: id)
        }
        // What follows is left by the life that follows.
        try beginLife()
        try goOn(id, at: now)
    }

    /// Goes on with a round as far as it needs no answer.
    mutating func goOn(_ id: MailboxID, at now: Moment) throws(StorageError) {
        while let step = posts[id]?.step() {
            switch step {
            case .wait: return
            case .ask(let request): return turn.outbox.mail(.ask(id, request))
            case .choosePacks:
                let packs = try packsWanted(in: id, at: now)
                if let group {
                    posts.bridges.update(group)
                    posts.door.update(group)
                }
                let made = posts.bridges.all.map(\.object) + (posts.door.door?.objects ?? [])
                posts[id]?.want(packs, made: made)
            case .chooseLeaving: try chooseLeaving(in: id, at: now)
            case .end(var round):
                let isNews = round.batches + round.records > 0
                round.isRepeated = (round.isRepeated || isNews) && round.failure == nil
                posts.ended(id, round, random: entropy.uniform(below: 1 << 31), at: now)
                return turn.outbox.mail(.ended(id, round))
            }
        }
    }

    /// The mailbox keys that this device holds, of the newest epochs first.
    var mailKeys: [MailKeys] { group?.ring.epochs.compactMap(MailKeys.init) ?? [] }

    private func trusts(_ sender: DeviceID) -> Bool { group?.log.state.member(sender) != nil }

    // MARK: Heads and bridges

    private mutating func judge(
        _ name: MailName, _ bytes: [UInt8], in id: MailboxID, at now: Moment
    ) throws(StorageError) {
        guard let group, bytes.count <= name.kind.mostBytes,
            let keys = (mailKeys + posts.lent).first(where: {
                $0.name(of: bytes, name.kind) == name
            })
        else {
            posts[id]?.noteUnreadable(name, bytes: bytes.count)
            return
        }
        if name.kind == .door {
            // Only the recovery phrase opens it; its name shows whose it is.
            posts[id]?.known.learnDoor(name)
            posts[id]?.noteRead(name)
            return
        }
        guard let content = keys.open(bytes, name.kind) else {
            posts[id]?.noteUnreadable(name, bytes: bytes.count)
            return
        }
        do throws(MailFault) {
            if name.kind == .bridge {
                let records = try MailBridge.decode(content, of: group.log.group)
                let bridge = Post.ReadBridge(
                    epoch: keys.epoch, isOfDoor: isOfDoor(records, keys.epoch),
                    records: MadeBridges.names(of: records))
                posts[id]?.known.learn(bridge, named: name)
                try takeRecords(records, from: name, in: id, at: now)
            } else {
                let head = try MailHead.decode(signed: content)
                guard head.group == group.log.group else { throw .malformed }
                try take(head, named: name, under: keys.epoch, in: id, at: now)
            }
        } catch {
            posts[id]?.noteUnreadable(name, bytes: bytes.count)
        }
        if let failure = turn.failure { throw failure }
    }

    /// True for records of a bridge that a door names: those before an epoch.
    private func isOfDoor(_ records: [[UInt8]], _ epoch: EpochID) -> Bool {
        guard let log = group?.log, let first = records.first,
            let record = try? MemberRecord(decoding: first)
        else { return false }
        return log.contains(record.id, upTo: [epoch])
    }

    /// Takes records as from a session; a wrong one is its bridge's fault.
    private mutating func takeRecords(
        _ records: [[UInt8]], from name: MailName, in id: MailboxID, at now: Moment
    ) throws(MailFault) {
        guard posts[id]?.isDry == false else { return }
        let taken = membership.take(records, by: device, &sessions.arrivals, at: now, &turn)
        if !taken.isHeldBack { posts[id]?.noteRead(name) }
        guard !taken.added.isEmpty else {
            if taken.refusal != nil { throw .malformed }
            return
        }
        posts[id]?.noteRecords(taken.added.count)
        posts[id]?.keysCame()
        do throws(SessionFault) {
            try membershipGrew(at: now)
        } catch {
            if case .storage(let failure) = error { turn.failure = failure }
        }
        if taken.refusal != nil { throw .malformed }
    }

    private mutating func take(
        _ head: MailHead, named name: MailName, under epoch: EpochID, in id: MailboxID,
        at now: Moment
    ) throws(MailFault) {
        guard trusts(head.device) || group?.isKept(head.device) == true else {
            throw .malformed
        }
        var taking = MailTaking.whole
        if head.device != device || head.incarnation != incarnation || isLost(head, name, in: id) {
            guard !arrivals.holdsBack(head.device, .sent, at: now) else { return }
            taking = takeBatches(head.batches, from: head.device, in: id, at: now)
            guard taking != .wrong else { throw .malformed }
        }
        posts[id]?.noteRead(name, taking)
        let isMember = trusts(head.device)
        posts[id]?.learn(head, hash: name.hash, epoch: epoch, isMember: isMember)
    }

    /// True when a head of this life is one that it never left: the home was restored or copied,
    /// and this life is over.
    private mutating func isLost(_ head: MailHead, _ name: MailName, in id: MailboxID) -> Bool {
        guard posts[id]?.isDry == false,
            posts.neverWrote(head.number)
                || posts[id]?.gaveAnother(head.number, name.hash) == true
        else { return false }
        turn.rotation = "a mailbox holds a head of this home that it never wrote"
        return true
    }

    // MARK: Batches

    /// The packs that heads name and of which something is lacking here.
    private mutating func packsWanted(
        in id: MailboxID, at now: Moment
    ) throws(StorageError) -> [Post.WantedPack] {
        guard let group else { return [] }
        posts[id]?.known.keepHeads(
            members: { group.log.state.member($0) != nil }, writers: { group.isKept($0) })
        guard let post = posts[id] else { return [] }
        var wanted: [Post.WantedPack] = []
        var named = OrderedSet<Bytes16>()
        for known in post.known.heads.values {
            let sender = known.head.device
            guard sender != device || known.head.incarnation != incarnation,
                !arrivals.holdsBack(sender, .sent, at: now)
            else { continue }
            for shelf in post.unreadShelves(of: known) where named.insert(shelf.hash) {
                wanted.append(Post.WantedPack(pack: shelf, device: sender))
            }
            for pack in post.packs(of: known)
            where !post.listing.taken.contains(pack.hash) && named.insert(pack.hash) {
                for range in pack.ranges where try lacks(range) {
                    wanted.append(Post.WantedPack(pack: pack, device: sender))
                    break
                }
            }
        }
        return wanted
    }

    /// True when the end of a range is not held here, or is another batch.
    private func lacks(_ range: MailRange) throws(StorageError) -> Bool {
        guard holds(range.key.scope) else { return false }
        for row in chains.index.family(named: range.key.chain, scope: range.key.scope)
        where row.first <= range.last && range.last <= row.stored {
            if try store.headID(of: row, at: range.last)?.prefix8 == range.prefix { return false }
        }
        return true
    }

    private mutating func judge(
        _ wanted: Post.WantedPack, _ bytes: [UInt8], in id: MailboxID, at now: Moment
    ) throws(StorageError) {
        guard let group else { return }
        var taking = MailTaking.wrong
        if let content = MailKeys.openPack(
            bytes, key: wanted.pack.key, group: group.log.group)
        {
            do throws(MailFault) {
                if wanted.pack.isShelf {
                    try take(MailShelf.decode(content), from: wanted, in: id)
                    return
                }
                taking = takeBatches(
                    try MailPack.decode(content), from: wanted.device, in: id, at: now)
            } catch {
                taking = .wrong
            }
        }
        posts[id]?.noteTaken(wanted.pack, taking)
        if let failure = turn.failure { throw failure }
    }

    /// Takes in a list of packs, each of which is wanted as one that stands in the head.
    private mutating func take(
        _ shelf: MailShelf, from wanted: Post.WantedPack, in id: MailboxID
    ) throws(MailFault) {
        guard shelf.device == wanted.device else { throw .malformed }
        posts[id]?.known.learn(shelf, hash: wanted.pack.hash)
        posts[id]?.noteTaken(wanted.pack, .whole)
        posts[id]?.work.hasNewShelf = true
    }

    private mutating func check(
        _ object: MailChecks.Object, _ bytes: [UInt8], in id: MailboxID
    ) {
        guard let group else { return }
        let isWhole =
            switch object {
            case .head(let name): mailKeys.contains { $0.name(of: bytes, .head) == name }
            case .made(let made): made.bytes == bytes
            case .pack(let pack):
                MailKeys.openPack(bytes, key: pack.key, group: group.log.group) != nil
            }
        posts[id]?.note(object.name, isWhole: isWhole)
    }

    /// Takes batches that a device left, up to the first that is none.
    private mutating func takeBatches(
        _ bodies: [[UInt8]], from sender: DeviceID, in id: MailboxID, at now: Moment
    ) -> MailTaking {
        guard posts[id]?.isDry == false else { return .whole }
        var taking = MailTaking.whole
        for body in bodies {
            do throws(SessionFault) {
                switch try takeBatch(body, from: sender, at: now) {
                case .new: posts[id]?.noteBatches(1)
                case .known: break
                case .early: taking = .early
                }
            } catch {
                if case .storage(let failure) = error { turn.failure = failure }
                return .wrong
            }
        }
        return taking
    }

    private enum Arrival {
        case new
        /// It is here, or waits here, or is not wanted.
        case known
        /// It has to wait, and there is no room.
        case early
    }

    /// Checks a batch as one that came in a session, and stores it where it belongs. A device that
    /// is out speaks for itself alone.
    private mutating func takeBatch(
        _ body: [UInt8], from sender: DeviceID, at now: Moment
    ) throws(SessionFault) -> Arrival {
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
        guard trusts(sender) || batch.header.device == sender else { throw .violation }
        chains.damaged.prove(batch.id)
        arrivals.note(
            sender, Arrivals(batches: 1, bytes: body.count),
            isForwarded: batch.header.device != sender,
            isKnown: scopes.known.holds(batch.header.scope), at: now)
        try endLostLife(by: batch)
        guard holds(batch.header.scope) else { return .known }
        if group.isKept(batch.header.device) {
            switch try place(batch, from: nil) {
            case nil, .duplicate?: return .known
            case .stored?, .forked?: return .new
            case .waiting?: break
            }
        }
        // Nobody is blamed for the order in which a store gives.
        let fits = try stored { () throws(StorageError) in
            try chains.waiting.hold(batch, of: group, &turn)
        }
        return fits ? .known : .early
    }
}
