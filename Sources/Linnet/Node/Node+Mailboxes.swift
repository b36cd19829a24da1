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
    /// - Parameter address: `folder:` and an absolute path.
    public func addMailbox(_ address: String) async throws(LinnetError) {
        try writable()
        let store = try Self.store(at: address)
        if let problem = await Self.asking({ () throws(MailboxError) in
            _ = try store.list(MailKind.head.letter, upTo: 1)
        }) {
            throw .mailbox(problem)
        }
        try writable()
        do throws(ReplicaError) {
            perform(try replica?.addMailbox(address, at: SystemClock.now()).1 ?? [])
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
        mailDesk.ended(id, MailRound())
    }

    /// Looks into all mailboxes now: takes what is new, and leaves what they lack.
    ///
    /// - Parameter dryRun: true to take and leave nothing, and only say what would be.
    public func syncMailboxes(dryRun: Bool = false) async throws(LinnetError) -> [MailboxLook] {
        if dryRun { try running() } else { try writable() }
        guard replica?.isMember == true else { throw .notAMember }
        if upkeep.hasRelaxedWrites { flush() }
        var looks: [MailboxLook] = []
        for view in replica?.mailboxes ?? [] {
            if let look = try await look(into: view, dryRun: dryRun) { looks.append(look) }
        }
        return looks
    }

    /// Looks into a mailbox until nothing is new; nil when it was removed meanwhile.
    private func look(
        into view: MailboxView, dryRun: Bool
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
                begin(view.id, dryRun: dryRun)
            }
            let round = try result.get()
            look.add(round, names: { self.named($0) })
            isRepeated = wasBusy || (round.isRepeated && !dryRun)
        }
        return look
    }

    /// Puts an object of no meaning into the place behind an address, gets, lists and deletes it.
    public nonisolated static func testMailbox(
        _ address: String
    ) async throws(LinnetError) -> MailboxTrial {
        let store = try store(at: address)
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
    private func begin(_ id: MailboxID, dryRun: Bool) {
        do throws(ReplicaError) {
            perform(
                try replica?.beginMailRound(id, dry: dryRun, at: SystemClock.now()) ?? [])
            // Nobody waits for a look that did not begin.
            if replica?.isLooking(into: id) != true { mailDesk.ended(id, MailRound()) }
        } catch {
            mailDesk.finish(failed(error))
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
            MailDesk.carry(request, to: address, loop: loop) { [weak self] answer in
                self?.assumeIsolated { $0.feed(.mailAnswered(id, request, answer)) }
            }
        }
    }

    private func mailbox(_ address: String) throws(LinnetError) -> MailboxID {
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
        return MailboxStatus(
            address: view.address,
            lastLookMilliseconds: view.lastRoundMilliseconds.map { Int64(clamping: $0) },
            lastLook: look, packs: view.packs.objects, packBytes: view.packs.bytes,
            heard: view.heard.map { device, wall in
                MailboxSender(
                    device: named(device), leftMilliseconds: Int64(clamping: wall))
            })
    }

    private nonisolated static func store(
        at address: String
    ) throws(LinnetError) -> any Mailbox {
        do throws(MailboxError) {
            return try MailboxAddress.open(address)
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
            "\(count) files there have names that are not those of a mailbox, as conflict copies do"
        case .unreadable(let count):
            "\(count) objects there do not open: they are damaged, or of another group"
        case .late(let count):
            "\(count) objects that are listed or named there are not given yet, or are damaged"
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
