import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetWire

/// The recovery words of a fleet that meets in a mailbox alone: they and an honest store have to be
/// enough for a device that has nothing else.
extension World {
    private static let texts = [
        "volumes fabulous citric finicky fructose empathic shifty",
        "abacus abdomen abide ability ablaze able abrasion",
    ]

    /// The number of the device that comes back from the store, which is in no plan.
    private static let stranger = 10_000

    private static func phrase(_ text: String) throws(Violation) -> RecoveryPhrase {
        do {
            return try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
        } catch {
            throw Violation(.noTraps, "no words: \(error)")
        }
    }

    /// The founder makes recovery words.
    func makeWords() throws {
        let founder = devices[0]
        let effects = try founder.replica?.createRecovery(
            Self.phrase(Self.texts[0]), at: founder.moment(now))
        try perform(effects ?? [], of: founder)
        try run(until: now + 61_000)
    }

    /// The founder replaces the words, since somebody may have read them.
    func replaceWords() throws {
        let founder = devices[0]
        guard founder.isRunning, try founder.replica?.recoveryStanding().opensDoors == true else {
            return
        }
        let effects = try founder.replica?.replaceRecovery(
            Self.phrase(Self.texts[0]), by: Self.phrase(Self.texts[1]), at: founder.moment(now))
        try perform(effects ?? [], of: founder)
    }

    /// The reason why the new words and the store are not enough, or the old ones still are; nil
    /// when all is well.
    func doorTrouble() throws -> String? {
        guard let mail, let group = devices[0].replica?.groupID,
            try devices[0].replica?.recoveryStanding().opensDoors == true
        else { return nil }
        guard case .names(let doors) = ask(mail, .list(.door)), doors.count == 1 else {
            return "there is not one door"
        }
        do {
            let found = try DoorSearch.find(Self.phrase(Self.texts[1])) { self.ask(mail, $0) }
            return found.group == group ? try lack(found, in: mail) : "a door leads elsewhere"
        } catch let fault as DoorFault {
            return "the words open no door: \(fault)"
        }
    }

    /// A batch of the founder to which the words and the store do not lead a new device; nil when
    /// they lead to all.
    private func lack(_ found: FoundGroup, in mail: MailWorld) throws -> String? {
        var random = SeededRandom(seed: plan.seed).fork("stranger")
        let moment = devices[0].moment(now)
        var replica = try Replica.open(
            store: try ModelDisk().open(),
            keys: SimulatedDevice.keys(seed: plan.seed, identity: Self.stranger),
            schema: plan.schemas[plan.schemas.count - 1],
            entropy: Entropy(seed: SecretBytes(copying: random.bytes(32))), witness: .missing,
            at: moment)
        let (mailbox, _) = try replica.rejoin(
            found, phrase: Self.phrase(Self.texts[1]), mailbox: MailWorld.address, at: moment)
        var held: [VectorEntry] = []
        var before = -1
        while held.count != before {
            before = held.count
            try read(mailbox, of: &replica, in: mail, at: moment)
            held = replica.log.vectorEntries()
        }
        let all = devices[0].replica?.log.vectorEntries() ?? []
        guard let one = all.first(where: { !held.contains($0) }) else { return nil }
        return "the words and the store do not lead to batch \(one.seq) of \(one.device)"
    }

    private func read(
        _ mailbox: MailboxID, of replica: inout Replica, in mail: MailWorld, at moment: Moment
    ) throws {
        var effects = try replica.beginMailReading(mailbox, at: moment)
        while let request = effects.lazy.compactMap(\.mailRequest).first {
            let answer = ask(mail, request)
            effects = replica.handle(.mailAnswered(mailbox, request, answer), at: moment)
            while replica.isShowingDue, !replica.hasFailed {
                effects += replica.goOnShowing(at: moment)
            }
        }
    }

    private func ask(_ mail: MailWorld, _ request: MailRequest) -> MailAnswer {
        mail.store.answer(request, of: 0, at: now, &coverage) ?? .failed("no answer")
    }
}

extension Effect {
    fileprivate var mailRequest: MailRequest? {
        if case .mail(.ask(_, let request)) = self { request } else { nil }
    }
}
