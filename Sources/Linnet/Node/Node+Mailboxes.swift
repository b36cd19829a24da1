import LinnetCrypto
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// The mailboxes of this device, in the order in which they were added.
    public func mailboxes() throws(LinnetError) -> [MailboxStatus] {
        try running()
        return replica?.mailboxes.map(status(of:)) ?? []
    }

    /// Adds a mailbox: a place through which devices exchange that never meet. It has to be there.
    ///
    /// A node that was started looks into it by itself; ``syncMailboxes(dryRun:)`` does so now.
    ///
    /// - Parameters:
    ///   - address: `folder:` and an absolute path; `dav+https://HOST[:PORT][/PATH]`, a collection
    ///     of a store that speaks WebDAV; `s3+https://HOST[:PORT]/BUCKET[/PREFIX]`; or
    ///     `relay+https://HOST[:PORT]`, a server that `linnet relay` runs, which tells of changes;
    ///     `relay:HOST[:PORT]` is short for it.
    ///     With `http` in place of `https` the store has to be on this machine.
    ///   - credentials: the account with a store over HTTP. It is kept sealed in the home, and
    ///     shown nowhere. For a mailbox that is there already it takes the place of the known one;
    ///     nil leaves that.
    /// - Throws: ``LinnetError/mailbox(_:)`` when the place does not list what lies there.
    public func addMailbox(
        _ address: String, credentials: MailboxCredentials? = nil
    ) async throws(LinnetError) {
        try writable()
        let store = try store(at: address, credentials?.access)
        if let problem = await Self.asking({ () throws(MailboxError) in
            _ = try store.list(MailKind.head.letter, upTo: 1)
        }) {
            throw .mailbox(problem)
        }
        try writable()
        var access = CBORWriter()
        if let credentials { credentials.access.write(to: &access) }
        do throws(ReplicaError) {
            guard
                let (id, effects) = try replica?.addMailbox(
                    address, access: access.bytes, at: SystemClock.now())
            else { return }
            mailDesk.forget(id)
            perform(effects)
            followMailboxes()
        } catch {
            throw failed(error)
        }
    }

    /// Uses a mailbox no more; what lies there stays.
    public func removeMailbox(_ address: String) throws(LinnetError) {
        try writable()
        let id = try mailbox(address)
        do throws(ReplicaError) {
            perform(try replica?.removeMailbox(id, at: SystemClock.now()) ?? [])
        } catch {
            throw failed(error)
        }
        mailDesk.forget(id)
        mailDesk.ended(id, MailRound())
    }

    /// Looks into all mailboxes now: takes what is new, and leaves what they lack.
    ///
    /// - Parameter dryRun: true to take and leave nothing, and only say what would be.
    public func syncMailboxes(dryRun: Bool = false) async throws(LinnetError) -> [MailboxLook] {
        try await looks(dryRun: dryRun, isAsked: true)
    }

    /// Looks into all mailboxes as the node does when it is time: unlike ``syncMailboxes(dryRun:)``
    /// it tries again only what is due.
    package func lookIntoMailboxes() async throws(LinnetError) -> [MailboxLook] {
        try await looks(dryRun: false, isAsked: false)
    }

    private func looks(
        dryRun: Bool, isAsked: Bool
    ) async throws(LinnetError) -> [MailboxLook] {
        if dryRun { try running() } else { try writable() }
        guard replica?.isMember == true else { throw .notAMember }
        if upkeep.hasRelaxedWrites { flush() }
        var looks: [MailboxLook] = []
        for view in replica?.mailboxes ?? [] {
            if let look = try await look(into: view, dryRun: dryRun, isAsked: isAsked) {
                looks.append(look)
            }
        }
        return looks
    }

    /// Looks into a mailbox until nothing is new; nil when it was removed meanwhile.
    private func look(
        into view: MailboxView, dryRun: Bool, isAsked: Bool
    ) async throws(LinnetError) -> MailboxLook? {
        var look = MailboxLook(address: view.address)
        var isRepeated = true
        while isRepeated {
            try running()
            guard replica?.mailboxes.contains(where: { $0.id == view.id }) == true else {
                return nil
            }
            // A look that goes on already may have passed what is wanted.
            let wasBusy = replica?.isLooking(into: view.id) ?? false
            let result = await withCheckedContinuation { waiter in
                mailDesk.wait(for: view.id, waiter)
                begin(view.id, dryRun: dryRun, isAsked: isAsked)
            }
            let round = try result.get()
            look.add(round, names: { self.named($0) })
            isRepeated = wasBusy || (round.isRepeated && !dryRun)
        }
        return look
    }

    /// Puts an object of no meaning into the place behind an address, gets, lists and deletes it.
    ///
    /// - Parameters:
    ///   - address: an address as ``addMailbox(_:credentials:)`` takes it; it need not be added.
    ///   - credentials: the account with a store over HTTP; nil takes none.
    public nonisolated static func testMailbox(
        _ address: String, credentials: MailboxCredentials? = nil
    ) async throws(LinnetError) -> MailboxTrial {
        await trial(of: try open(address, credentials?.access))
    }

    /// Does the same with a mailbox of this device and the account that it has there.
    package func testAddedMailbox(_ address: String) async throws(LinnetError) -> MailboxTrial {
        try running()
        return await Self.trial(of: try store(at: address, nil))
    }

    private nonisolated static func trial(of store: any Mailbox) async -> MailboxTrial {
        let entropy = SystemEntropy.seed().exposed()
        let name = MailName(.pack, Bytes16(Array(entropy.prefix(16))) ?? .zero).text
        let bytes = Array(entropy.suffix(16))
        let steps: [(String, @Sendable () throws(MailboxError) -> Bool)] = [
            (
                "put",
                { () throws(MailboxError) in
                    try store.put(bytes, name)
                    return true
                }
            ),
            (
                "get",
                { () throws(MailboxError) in
                    try store.get(name, upTo: Limits.mailObjectBytes) == bytes
                }
            ),
            (
                "list",
                { () throws(MailboxError) in
                    try store.list(MailKind.pack.letter, upTo: Limits.mailNames).contains(name)
                }
            ),
            (
                "delete",
                { () throws(MailboxError) in
                    try store.delete(name)
                    return try store.get(name, upTo: Limits.mailObjectBytes) == nil
                }
            ),
        ]
        var passed: [String] = []
        for (verb, step) in steps {
            let failure = await asking { () throws(MailboxError) in
                guard try step() else {
                    throw .refused("the store does not \(verb) what it was given")
                }
            }
            if let failure { return MailboxTrial(passed: passed, failure: failure) }
            passed.append(verb)
        }
        return MailboxTrial(passed: passed, failure: nil)
    }

    /// Begins a look, unless one goes on whose end is awaited just as well.
    private func begin(_ id: MailboxID, dryRun: Bool, isAsked: Bool) {
        do throws(ReplicaError) {
            perform(
                try replica?.beginMailRound(
                    id, dry: dryRun, isAsked: isAsked, at: SystemClock.now()) ?? [])
            // Nobody waits for a look that did not begin.
            if replica?.isLooking(into: id) != true { mailDesk.ended(id, MailRound()) }
        } catch {
            mailDesk.finish(failed(error))
        }
    }

    /// Waits for news at the stores that tell of any, while the node takes part.
    func followMailboxes() {
        guard connections.options != nil else { return }
        for view in replica?.mailboxes ?? []
        where MailboxAddress.tellsNews(view.address) && !mailDesk.isWatching(view.id) {
            let id = view.id
            let store: any Mailbox
            do throws(MailboxError) {
                store = try mailDesk.store(
                    of: id, at: view.address, access: replica?.mailAccess(id) ?? [])
            } catch {
                // The look that comes tells it.
                continue
            }
            mailDesk.watch(id, at: store, loop: loop) { [weak self] in
                self?.assumeIsolated { $0.feed(.mailNews(id)) }
            }
        }
    }

    /// Carries out what the replica wants of a mailbox.
    func perform(_ effect: MailEffect) {
        switch effect {
        case .ended(let id, let round): mailDesk.ended(id, round)
        case .ask(let id, let request):
            guard let address = replica?.mailboxes.first(where: { $0.id == id })?.address else {
                return
            }
            carry(request, of: id, at: address)
        }
    }

    private func carry(_ request: MailRequest, of id: MailboxID, at address: String) {
        let store: any Mailbox
        do throws(MailboxError) {
            store = try mailDesk.store(
                of: id, at: address, access: replica?.mailAccess(id) ?? [])
        } catch {
            let answer = MailDesk.failure(error)
            return loop.post { [weak self] in
                self?.assumeIsolated { $0.feed(.mailAnswered(id, request, answer)) }
            }
        }
        MailDesk.carry(request, to: store, loop: loop) { [weak self] answer, traffic in
            self?.assumeIsolated { $0.feed(.mailAnswered(id, request, answer, traffic)) }
        }
    }

    /// Opens the store behind an address: with this account, or else with the one that is known.
    private func store(
        at address: String, _ access: MailboxAccess?
    ) throws(LinnetError) -> any Mailbox {
        guard access == nil, let id = replica?.mailboxes.first(where: { $0.address == address })?.id
        else { return try Self.open(address, access) }
        do throws(MailboxError) {
            return try mailDesk.store(
                of: id, at: address, access: replica?.mailAccess(id) ?? [])
        } catch {
            throw .mailbox(error.description)
        }
    }

    private func mailbox(_ address: String) throws(LinnetError) -> MailboxID {
        do throws(MailboxError) {
            try MailboxAddress.refuseSecrets(in: address)
        } catch {
            throw .mailbox(error.description)
        }
        guard let view = replica?.mailboxes.first(where: { $0.address == address }) else {
            throw .mailbox("there is no mailbox \"\(address)\"")
        }
        return view.id
    }

    private func status(of view: MailboxView) -> MailboxStatus {
        var look: MailboxLook?
        if let round = view.lastRound {
            var last = MailboxLook(address: view.address)
            last.add(round, names: { self.named($0) })
            look = last
        }
        let traffic = replica?.mailTraffic(view.id, at: SystemClock.now()) ?? MailTraffic()
        return MailboxStatus(
            address: view.address,
            lastLookMilliseconds: view.lastRoundMilliseconds.map { Int64(clamping: $0) },
            lastLook: look, packs: view.packs.objects, packBytes: view.packs.bytes,
            heard: view.heard.map { device, wall in
                MailboxSender(
                    device: named(device), leftMilliseconds: Int64(clamping: wall))
            }, requestsLastDay: traffic.requests, bytesLastDay: traffic.bytes)
    }

    nonisolated static func open(
        _ address: String, _ access: MailboxAccess?
    ) throws(LinnetError) -> any Mailbox {
        do throws(MailboxError) {
            return try MailboxAddress.open(address, access)
        } catch {
            throw .mailbox(error.description)
        }
    }

    /// Runs calls on a store on a thread of their own; returns what went wrong.
    private nonisolated static func asking(
        _ body: @escaping @Sendable () throws(MailboxError) -> Void
    ) async -> String? {
        await withCheckedContinuation { continuation in
            let started = HelperThread.start {
                do throws(MailboxError) {
                    try body()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error.description)
                }
            }
            if !started {
                continuation.resume(returning: LinnetError.noResources.description)
            }
        }
    }
}

extension MailboxLook {
    /// Adds a round to those before it; what was found counts of the last one.
    mutating func add(_ round: MailRound, names: (DeviceID) -> Device) {
        batches += round.batches
        memberRecords += round.records
        objectsGot += round.got.objects
        bytesGot += round.got.bytes
        objectsPut += round.put.objects
        bytesPut += round.put.bytes
        objectsDeleted += round.deleted
        requests += round.requests
        findings = round.facts.map { $0.sentence(names) }
        planned = round.planned
        failure = round.failure
    }
}

extension MailFact {
    /// A sentence for a person.
    fileprivate func sentence(_ names: (DeviceID) -> Device) -> String {
        func name(_ device: DeviceID) -> String {
            let device = names(device)
            return device.name.isEmpty ? "device \(device.id.prefix(8))" : device.name
        }
        return switch self {
        case .strangeNames(let count):
            "files there with names that are not those of a mailbox, as conflict copies: \(count)"
        case .unreadable(let count):
            "objects there that do not open, since they are damaged, of another group, or under"
                + " keys of before this device: \(count)"
        case .late(let count):
            "objects that are listed or named there and not given yet, or damaged: \(count)"
        case .withheld(let device):
            "the store does not show what \(name(device)) left, which another device saw there"
        case .rolledBack:
            "the store shows an older state of this device than it had; all is left anew"
        case .lacking: "the store lost what this device had left there; it is left anew"
        case .lost:
            "more than half of what was there is gone: nothing is deleted; look whether the place"
                + " is the right one"
        case .twoHeads(let device):
            "the home of \(name(device)) was copied: two of them leave heads there"
        case .headTooLarge:
            "this device holds too much for one head: it leaves nothing there any more"
        }
    }
}
