import LinnetCRDT
import LinnetWire

/// The machine of one mailbox: it decides what is listed, got, put and deleted, one request after
/// the other. It knows no batch and no key; the replica judges what comes and makes what is left.
struct Post {
    /// The next step of a round.
    enum Step: Equatable {
        /// Nothing until an answer or a deadline comes.
        case wait
        /// Ask the store.
        case ask(MailRequest)
        /// Say which packs are wanted, with `want`.
        case choosePacks
        /// Say what is to be left next, with `leave` or `leaveNothingMore`.
        case chooseLeaving
        /// The round is over.
        case end(MailRound)
    }

    /// An object that is put and read back before anything relies on it.
    enum Leaving: Equatable {
        case bridge(MailObject)
        /// A pack that takes the place of those that are named.
        case pack(MailObject, PackReference, retiring: [Bytes16])
        case head(MailObject, MailHead, epoch: EpochID)

        var object: MailObject {
            switch self {
            case .bridge(let object), .pack(let object, _, _), .head(let object, _, _): object
            }
        }
    }

    private enum Phase: Equatable {
        case idle
        case listing(MailKind)
        case reading
        case choosingPacks
        case fetching
        case choosingLeaving
        case putting(Leaving)
        case readingBack(Leaving)
        case cleaning
        case ended
    }

    /// A head that counts, without its batches.
    struct KnownHead: Equatable {
        var head: MailHead
        var hash: Bytes16
        var epoch: EpochID
        /// The rounds in succession in which the store did not show it.
        var missed = 0
    }

    /// A pack that is wanted, and the device whose head names it.
    struct WantedPack: Equatable {
        var pack: PackReference
        var device: DeviceID
    }

    /// A bridge that was read, by hashes of its records.
    struct ReadBridge: Equatable {
        var epoch: EpochID
        var records: OrderedSet<Bytes32>
    }

    var state: PostState
    /// The newest heads by author.
    private(set) var heads = OrderedTable<AuthorID, KnownHead>()
    /// All heads that were read and are still shown, and the records in bridges.
    private(set) var learned = OrderedTable<MailName, SeenHead>()
    private(set) var bridges = OrderedTable<MailName, ReadBridge>()
    private(set) var round = MailRound()
    private var phase = Phase.idle
    private var pending: MailRequest?
    private(set) var listing = MailListing()
    private var toRead: [MailName] = []
    private var wanted: [WantedPack] = []
    private var toDelete: [MailName] = []
    /// True when the store did not show the own head twice in succession.
    private var isHeadGone = false
    /// The author whose heads are the own ones.
    private var author: AuthorID?
    /// True when this round only says what it would do.
    private(set) var isDry = false
    private var kept: PostState?

    init(_ state: PostState) { self.state = state }

    var isIdle: Bool { phase == .idle }

    /// Begins a round, unless one goes on.
    mutating func begin(as author: AuthorID? = nil, dry: Bool = false) {
        guard isIdle else { return }
        (self.author, isHeadGone) = (author, false)
        (round, isDry, kept) = (MailRound(), dry, dry ? state : nil)
        (toRead, wanted, toDelete, pending) = ([], [], [], nil)
        listing.begin()
        phase = .listing(.head)
    }

    /// Returns the next step.
    mutating func step() -> Step {
        guard pending == nil else { return .wait }
        switch phase {
        case .idle: return .wait
        case .listing(let kind): return ask(.list(kind))
        case .reading:
            if let name = toRead.popLast() { return ask(.get(name)) }
            phase = .choosingPacks
            return .choosePacks
        case .choosingPacks: return .choosePacks
        case .fetching:
            if let next = wanted.last { return ask(.get(next.pack.name)) }
            phase = .choosingLeaving
            return .chooseLeaving
        case .choosingLeaving: return .chooseLeaving
        case .putting(let leaving): return ask(.put(leaving.object))
        case .readingBack(let leaving): return ask(.get(leaving.object.name))
        case .cleaning:
            if let name = toDelete.popLast() { return ask(.delete(name)) }
            phase = .ended
            return step()
        case .ended: return end()
        }
    }

    private mutating func ask(_ request: MailRequest) -> Step {
        pending = request
        round.requests += 1
        return .ask(request)
    }

    private mutating func end() -> Step {
        noteFindings()
        if let kept { state = kept }
        (phase, kept, isDry) = (.idle, nil, false)
        return .end(round)
    }

    // MARK: Answers

    /// An answer that the replica has to judge.
    enum Arrival: Equatable {
        case object(MailName, [UInt8])
        case pack(WantedPack, [UInt8])
        /// A head, bridge or pack of this device was found in the store as it was put.
        case kept(Leaving)
    }

    /// Takes the answer to a request; returns what is to be judged. An answer to anything else is
    /// passed over.
    mutating func take(_ answer: MailAnswer, to request: MailRequest) -> Arrival? {
        guard pending == request else { return nil }
        pending = nil
        if case .failed(let text) = answer { return fail(text) }
        switch (phase, request, answer) {
        case (.listing, .list(let kind), .names(let names)):
            listing.take(names, of: kind)
            listed(kind)
        case (.reading, .get(let name), .bytes(let bytes)):
            guard let bytes else { return nil }
            round.got.add(bytes.count)
            return .object(name, bytes)
        case (.fetching, .get, .bytes(let bytes)):
            let next = wanted.removeLast()
            guard let bytes else {
                listing.late.insert(next.pack.hash)
                return nil
            }
            round.got.add(bytes.count)
            return .pack(next, bytes)
        case (.putting(let leaving), .put, .done): phase = .readingBack(leaving)
        case (.readingBack(let leaving), .get, .bytes(let bytes)):
            return readBack(leaving, bytes)
        case (.cleaning, .delete, .done): round.deleted += 1
        default: return fail("the store answered something else than it was asked")
        }
        return nil
    }

    /// Ends the round where the store fails; a delete that fails stops nothing.
    private mutating func fail(_ text: String) -> Arrival? {
        if phase == .cleaning { return nil }
        round.failure = text
        phase = .ended
        return nil
    }

    private mutating func listed(_ kind: MailKind) {
        switch kind {
        case .head: phase = .listing(.bridge)
        case .bridge: phase = .listing(.pack)
        case .pack:
            if listing.isLost { round.note(.lost) }
            for author in heads.keys {
                guard let known = heads[author] else { continue }
                let isShown = listing.shows(MailName(.head, known.hash))
                heads[author]?.missed = isShown ? 0 : known.missed + 1
            }
            dropOwn()
            for name in learned.keys where !listing.shows(name) { learned[name] = nil }
            for name in bridges.keys where !listing.shows(name) { bridges[name] = nil }
            // What is read last comes first off the end: bridges before heads.
            toRead = listing.unread(.head) + listing.unread(.bridge)
            phase = .reading
        }
    }

    /// Forgets own objects that the store did not show twice in succession: they are left anew.
    private mutating func dropOwn() {
        let own =
            state.packs.map(\.reference.name)
            + (state.isConfirmed ? [MailName(.head, state.head)] : [])
        round.isRepeated = own.contains(where: listing.lacksOnce)
        let gone = OrderedSet(
            state.packs.map(\.reference).filter { listing.lacksAgain($0.name) }.map(\.hash))
        if !gone.isEmpty {
            state.packs.removeAll { gone.contains($0.reference.hash) }
            state.areNamed = false
            round.note(.lacking)
        }
        guard state.isConfirmed, listing.lacksAgain(MailName(.head, state.head)) else { return }
        state.isConfirmed = false
        isHeadGone = true
        round.note(.lacking)
    }

    private mutating func readBack(_ leaving: Leaving, _ bytes: [UInt8]?) -> Arrival? {
        guard bytes == leaving.object.bytes else {
            return fail("the store does not give back what was put")
        }
        return confirm(leaving)
    }

    private mutating func confirm(_ leaving: Leaving) -> Arrival {
        round.put.add(leaving.object.bytes.count)
        listing.add(leaving.object.name)
        phase = .choosingLeaving
        switch leaving {
        case .bridge: break
        case .pack(let object, let reference, let retiring):
            state.packs.removeAll { retiring.contains($0.reference.hash) }
            state.packs.append(
                PostState.OwnPack(reference: reference, bytes: object.bytes.count))
            state.replaced =
                Array(
                    (state.replaced + retiring.map { .init(old: $0, new: reference.hash) })
                        .suffix(64))
            state.areNamed = false
        case .head(let object, let head, let epoch):
            learn(head, hash: object.name.hash, epoch: epoch)
            if !isDry { listing.read.insert(object.name) }
            state.isConfirmed = object.name.hash == state.head
            (state.epoch, state.inline, state.areNamed) = (epoch, head.ranges, true)
        }
        return .kept(leaving)
    }

    // MARK: The replica's word

    /// Notes that an object opened under no key, or is not one: it is read again when keys came.
    mutating func noteUnreadable(_ name: MailName) { listing.unreadable.insert(name) }

    /// Notes that an object was read and is not read again.
    mutating func noteRead(_ name: MailName) {
        // A dry run took nothing in.
        if !isDry { listing.read.insert(name) }
    }

    /// Notes that new keys or records came, so that what did not open may open now.
    mutating func keysCame() { listing.unreadable = OrderedSet() }

    /// Takes in a head whose signature and author were judged; an older one says nothing.
    mutating func learn(_ head: MailHead, hash: Bytes16, epoch: EpochID) {
        var head = head
        head.batches = []
        learned[MailName(.head, hash)] = SeenHead(
            device: head.device, incarnation: head.incarnation, number: head.number, hash: hash)
        if let known = heads[head.author] {
            if known.head.number == head.number, known.hash != hash {
                round.note(.twoHeads(head.device))
            }
            guard known.head.number < head.number else { return }
        } else if heads.count >= Limits.mailHeads {
            return
        }
        heads[head.author] = KnownHead(head: head, hash: hash, epoch: epoch)
    }

    /// Takes in what a bridge holds.
    mutating func learn(_ bridge: ReadBridge, named name: MailName) { bridges[name] = bridge }

    /// Forgets the heads of authors that do not count any more.
    mutating func keepHeads(_ counts: (DeviceID) -> Bool) {
        for author in heads.keys {
            if let known = heads[author], !counts(known.head.device) { heads[author] = nil }
        }
    }

    /// Says which packs are wanted.
    mutating func want(_ packs: [WantedPack]) {
        guard phase == .choosingPacks else { return }
        phase = .fetching
        wanted = isDry ? [] : packs
        if isDry { round.planned += packs.map { "get \($0.pack.name.text)" } }
    }

    /// Notes that a pack was taken in, or is damaged.
    mutating func noteTaken(_ pack: PackReference, isDamaged: Bool) {
        if isDamaged { listing.late.insert(pack.hash) } else { listing.taken.insert(pack.hash) }
    }

    /// Leaves an object; its number and hash are durable before it is put.
    mutating func leave(_ leaving: Leaving) {
        guard phase == .choosingLeaving else { return }
        if case .head(let object, let head, _) = leaving {
            (state.number, state.head) = (head.number, object.name.hash)
            state.isConfirmed = false
        }
        guard isDry else {
            phase = .putting(leaving)
            return
        }
        let object = leaving.object
        round.planned.append("put \(object.name.text), \(object.bytes.count) bytes")
        _ = confirm(leaving)
    }

    /// Deletes these, and ends the round; nothing is deleted where much is gone.
    mutating func leaveNothingMore(deleting names: [MailName]) {
        guard phase == .choosingLeaving else { return }
        phase = .cleaning
        let mayDelete = !listing.isLost && state.isConfirmed
        toDelete = mayDelete ? names.filter(listing.shows) : []
        guard isDry else { return }
        round.planned += toDelete.map { "delete \($0.text)" }
        toDelete = []
    }

    mutating func noteBatches(_ count: Int) { round.batches += count }
    mutating func noteRecords(_ count: Int) { round.records += count }
    mutating func note(_ fact: MailFact) { round.note(fact) }

    private mutating func noteFindings() {
        if isHeadGone, learned.values.contains(where: { $0.author == author }) {
            round.note(.rolledBack)
        }
        if listing.strange > 0 { round.note(.strangeNames(listing.strange)) }
        let unreadable = listing.unreadable.elements.filter(listing.shows).count
        if unreadable > 0 { round.note(.unreadable(unreadable)) }
        if listing.late.count > 0 { round.note(.late(listing.late.count)) }
        guard round.failure == nil else { return }
        for device in listing.withheld(heads) { round.note(.withheld(device)) }
    }
}
