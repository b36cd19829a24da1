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
            return found.group == group ? nil : "a door leads elsewhere"
        } catch let fault as DoorFault {
            return "the words open no door: \(fault)"
        }
    }

    private func ask(_ mail: MailWorld, _ request: MailRequest) -> MailAnswer {
        mail.store.answer(request, of: 0, at: now, &coverage) ?? .failed("no answer")
    }
}
