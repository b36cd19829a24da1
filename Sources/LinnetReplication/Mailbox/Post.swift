import LinnetCRDT
import LinnetWire

/// The machine of one mailbox: it decides what is listed, got, put and deleted, one request after
/// the other. It knows no batch and no key; the replica judges what comes and makes what is left.
struct Post {
    private enum Phase: Equatable {
        case idle
        case listing(MailKind)
        case reading
        case choosingPacks
        case fetching
        case checking
        case choosingLeaving
        case adopting(PackReference)
        case putting(Leaving)
        case readingBack(Leaving)
        case cleaning
        case ended
    }

    var state: PostState
    var known = ReadMail()
    var round = MailRound()
    private var phase = Phase.idle
    var listing = MailListing()
    var work = Work()
    /// True when the store did not show the own head twice in succession.
    private var isHeadGone = false
    /// The author whose heads are the own ones.
    private(set) var author: AuthorID?
    private(set) var mode = Mode.whole
    private var kept: PostState?
    /// The scopes that were held when objects were read.
    private var filter: ScopeFilter?
    /// True when the round before was repeated since something own was not listed.
    private var wasRepeated = false
    var checks = MailChecks()

    init(_ state: PostState) { self.state = state }

    var isIdle: Bool { phase == .idle }

    /// True when this round only says what it would do.
    var isDry: Bool { mode == .dry }

    /// The state that is kept: a dry run changes nothing of it.
    var durable: PostState { kept ?? state }

    /// Begins a round, unless one goes on.
    ///
    /// - Parameter filter: the scopes that are held: where these are others than before, all is
    ///   read anew.
    mutating func begin(
        as author: AuthorID? = nil, holding filter: ScopeFilter = .everything,
        _ mode: Mode = .whole
    ) {
        guard isIdle else { return }
        if let before = self.filter, before != filter { listing.readAnew() }
        self.filter = filter
        (self.author, isHeadGone) = (author, false)
        let hadNews = round.batches + round.records > 0
        (round, self.mode, kept) = (MailRound(), mode, mode == .dry ? state : nil)
        work = Work()
        listing.begin()
        // Objects that have just come are not got again at once.
        work.isCheck = mode == .whole && !hadNews && checks.begin(round: listing.rounds)
        phase = .listing(.head)
    }

    /// Returns the next step.
    mutating func step() -> Step {
        guard work.pending == nil else { return .wait }
        switch phase {
        case .idle: return .wait
        case .listing(let kind): return ask(.list(kind))
        case .reading:
            if listing.mayReadOn, let name = work.toRead.popLast() {
                work.looked.insert(name)
                return ask(.get(name))
            }
            phase = .choosingPacks
            return .choosePacks
        case .choosingPacks: return .choosePacks
        case .fetching:
            if let next = work.wanted.last { return ask(.get(next.pack.name)) }
            if work.hasNewShelf {
                work.hasNewShelf = false
                phase = .choosingPacks
                return .choosePacks
            }
            phase = .checking
            return step()
        case .checking:
            if checks.mayGoOn, let next = work.toCheck.last { return ask(.get(next.name)) }
            phase = .choosingLeaving
            return .chooseLeaving
        case .choosingLeaving: return .chooseLeaving
        case .adopting(let pack): return ask(.get(pack.name))
        case .putting(let leaving): return ask(.put(leaving.object))
        case .readingBack(let leaving): return ask(.get(leaving.object.name))
        case .cleaning:
            if let name = work.toDelete.popLast() { return ask(.delete(name)) }
            phase = .ended
            return step()
        case .ended: return end()
        }
    }

    private mutating func ask(_ request: MailRequest) -> Step {
        work.pending = request
        round.requests += 1
        return .ask(request)
    }

    private mutating func end() -> Step {
        noteFindings()
        round.isDry = isDry
        if let kept { state = kept }
        (phase, kept, mode) = (.idle, nil, .whole)
        return .end(round)
    }

    // MARK: Answers

    /// Takes the answer to a request; returns what is to be judged. An answer to anything else is
    /// passed over.
    mutating func take(_ answer: MailAnswer, to request: MailRequest) -> Arrival? {
        guard work.pending == request else { return nil }
        work.pending = nil
        if case .failed(let text, let pause) = answer { return fail(text, pause) }
        switch (phase, request, answer) {
        case (.listing, .list(let kind), .names(let names)):
            listing.take(names, of: kind)
            listed(kind)
        case (.reading, .get(let name), .bytes(let bytes)):
            guard let bytes else {
                listing.late.insert(name)
                noteNotWhole(name)
                return nil
            }
            round.got.add(bytes.count)
            return .object(name, bytes)
        case (.fetching, .get, .bytes(let bytes)):
            let next = work.wanted.removeLast()
            guard let bytes else {
                listing.late.insert(next.pack.name)
                return nil
            }
            round.got.add(bytes.count)
            return .pack(next, bytes)
        case (.checking, .get, .bytes(let bytes)): return check(work.toCheck.removeLast(), bytes)
        case (.adopting(let pack), .get, .bytes(let bytes)):
            phase = .choosingLeaving
            guard let bytes else {
                listing.noteDamaged(pack.name)
                return nil
            }
            round.got.add(bytes.count)
            return .adopted(pack, bytes)
        case (.putting(let leaving), .put, .done): phase = .readingBack(leaving)
        case (.readingBack(let leaving), .get, .bytes(let bytes)):
            return readBack(leaving, bytes)
        case (.cleaning, .delete, .done): round.deleted += 1
        default: return fail("the store answered something else than it was asked")
        }
        return nil
    }

    /// Ends the round where the store fails; a delete that fails stops nothing.
    private mutating func fail(_ text: String, _ pause: MailPause = .growing) -> Arrival? {
        if phase == .cleaning { return nil }
        (round.failure, round.pause) = (text, pause)
        phase = .ended
        return nil
    }

    private mutating func listed(_ kind: MailKind) {
        switch kind {
        case .head: phase = .listing(.bridge)
        case .bridge: phase = .listing(.door)
        case .door: phase = .listing(.pack)
        case .pack:
            dropOwn()
            known.keep(listing.shows)
            work.toRead = listing.toRead
            phase = .reading
        }
    }

    /// Forgets own objects that the store did not show twice in succession: they are left anew.
    private mutating func dropOwn() {
        let own =
            state.packs.map(\.reference.name) + state.shelves.map(\.reference.name)
            + (state.isConfirmed ? [ownHead] : [])
        // Once: a store that shows now this and now that would keep it busy.
        round.isRepeated = !wasRepeated && own.contains(where: listing.lacksOnce)
        wasRepeated = round.isRepeated
        let gone = OrderedSet(
            state.packs.map(\.reference).filter { listing.lacksAgain($0.name) }.map(\.hash))
        if !gone.isEmpty { dropPacks(gone) }
        let shown = listing
        state.dropShelves { shown.lacksAgain($0.reference.name) }
        guard state.isConfirmed, listing.lacksAgain(ownHead) else { return }
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
        listing.noteWhole(leaving.object.name)
        checks.left(in: listing.rounds)
        switch leaving {
        case .head(let object, let head, let epoch):
            learn(head, hash: object.name.hash, epoch: epoch)
            listing.read.insert(object.name)
        case .door(let object):
            known.learnDoor(object.name)
            listing.read.insert(object.name)
        case .bridge, .pack, .shelf: break
        }
        count(leaving)
        return .kept(leaving)
    }

    /// Takes an object as left.
    private mutating func count(_ leaving: Leaving) {
        phase = .choosingLeaving
        switch leaving {
        case .bridge, .door: break
        case .pack(let object, let reference, let retiring):
            state.own(
                PostState.OwnPack(reference: reference, bytes: object.bytes.count), for: retiring)
        case .shelf(_, let shelf): state.own(shelf)
        case .head(let object, let head, let epoch):
            state.isConfirmed = object.name.hash == state.head
            (state.epoch, state.inline, state.areNamed) = (epoch, head.ranges, true)
        }
    }

    // MARK: The replica's word

    /// Notes that an object opened under no key, or is not one: it is read again when keys came,
    /// and now and then.
    mutating func noteUnreadable(_ name: MailName, bytes: Int) {
        listing.noteUnreadable(name, bytes: bytes)
        if name == ownHead { noteNotWhole(name) }
    }

    /// Notes that an object was read and is not read again, unless batches of it came too early.
    mutating func noteRead(_ name: MailName, _ taking: MailTaking = .whole) {
        // A dry run took nothing in.
        guard !isDry else { return }
        listing.noteRead(name)
        if taking == .early { listing.noteEarly(name) }
    }

    /// Notes that new keys or records came, so that what did not open may open now.
    mutating func keysCame() {
        listing.retryUnreadable()
        listing.othersCame()
    }

    /// Notes that a person asks for a look: what did not open is tried again.
    mutating func hurry() {
        guard isIdle else { return }
        listing.retryUnreadable()
        checks.hurry()
    }

    /// Notes that batches or records came, upon which others may have waited.
    mutating func othersCame() { listing.othersCame() }

    /// True when this head has the number of the own one and is another: a copy of this home is at
    /// work.
    func gaveAnother(_ number: UInt64, _ hash: Bytes16) -> Bool {
        state.number == number && state.head != hash
    }

    /// Takes in a head whose signature and author were judged; an older one says nothing.
    mutating func learn(
        _ head: MailHead, hash: Bytes16, epoch: EpochID, isMember: Bool = true
    ) {
        let isOnly = known.learn(head, hash: hash, epoch: epoch, isMember: isMember)
        if !isOnly { round.note(.twoHeads(head.device)) }
    }

    /// Says which packs are wanted, and what this device makes that others make as well.
    mutating func want(_ packs: [WantedPack], made: [MailObject] = []) {
        guard phase == .choosingPacks else { return }
        phase = .fetching
        if work.isCheck { work.toCheck = toCheck(made, but: packs) }
        let chosen = listing.choose(packs)
        work.wanted = isDry ? [] : chosen.reversed()
        if isDry { round.planned += chosen.map { "get \($0.pack.name.text)" } }
    }

    /// Notes that a pack was got.
    mutating func noteTaken(_ pack: PackReference, _ taking: MailTaking) {
        listing.note(pack.name, taking)
    }

    /// Leaves an object; its number and hash are durable before it is put.
    mutating func leave(_ leaving: Leaving) {
        guard phase == .choosingLeaving else { return }
        if case .head(let object, let head, _) = leaving {
            (state.number, state.head) = (head.number, object.name.hash)
            state.isConfirmed = false
        }
        switch leaving {
        case .pack(let object, let reference, _): state.tries(reference, object)
        case .shelf(let object, let shelf): state.tries(shelf.reference, object)
        default: break
        }
        guard isDry else {
            phase = .putting(leaving)
            return
        }
        let object = leaving.object
        round.planned.append("put \(object.name.text), \(object.bytes.count) bytes")
        listing.assume(object.name)
        count(leaving)
    }

    /// Gets a pack back that this device may name from then on.
    mutating func readBack(_ pack: PackReference) {
        guard phase == .choosingLeaving, !isDry else { return }
        phase = .adopting(pack)
    }

    /// Deletes these, and ends the round; nothing is deleted where much is gone.
    mutating func leaveNothingMore(deleting names: [MailName]) {
        guard phase == .choosingLeaving else { return }
        phase = .cleaning
        let mayDelete = !isLost && state.isConfirmed
        work.toDelete = mayDelete ? names.filter(listing.shows) : []
        guard isDry else { return }
        round.planned += work.toDelete.map { "delete \($0.text)" }
        work.toDelete = []
    }

    mutating func noteBatches(_ count: Int) { round.batches += count }
    mutating func noteRecords(_ count: Int) { round.records += count }
    mutating func note(_ fact: MailFact) { round.note(fact) }

    private mutating func noteFindings() {
        if isLost { round.note(.lost) }
        if isHeadGone, known.learned.values.contains(where: { $0.author == author }) {
            round.note(.rolledBack)
        }
        if listing.strange > 0 { round.note(.strangeNames(listing.strange)) }
        let unreadable = listing.unreadableCount
        if unreadable > 0 { round.note(.unreadable(unreadable)) }
        if listing.late.count > 0 { round.note(.late(listing.late.count)) }
        guard round.failure == nil else { return }
        for device in listing.withheld(known.heads) { round.note(.withheld(device)) }
    }
}
