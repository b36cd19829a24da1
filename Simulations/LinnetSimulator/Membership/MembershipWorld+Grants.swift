import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetWire
import MembershipReference

/// People bind devices to scopes, answer what they are asked, and use recovery words.
extension MembershipWorld {
    private static let text = "volumes fabulous citric finicky fructose empathic shifty"

    /// A device gets a role within some scopes. What showed of it goes on to show.
    func bind(
        _ device: SimulatedDevice, by author: SimulatedDevice, _ role: Role,
        within scopes: [String]?
    ) throws(Violation) {
        guard liars[author.index] == nil, author.isMember else { return }
        let target = id(of: device)
        let shown = try judge.shown(of: target, on: author)
        try change(author) { (now) throws(ReplicaError) in
            try author.replica?.setRole(
                role, scopes: scopes.map(ScopeChoice.only) ?? .all, of: target, at: now)
        }
        try judge.checkKept(shown, of: target, on: author)
    }

    /// A person says of all that a device asks about others that she knows it, or not.
    func answer(on device: SimulatedDevice, isOwn: Bool) throws(Violation) {
        guard device.isRunning, device.isMember, liars[device.index] == nil else { return }
        let asked = device.replica?.askedQuestions ?? []
        for one in asked where one.question.matter == .admission && one.isOwn == nil {
            if !isOwn { people.doubters.insert(device.index) }
            let record = one.question.record
            try change(device) { (now) throws(ReplicaError) in
                try device.replica?.answer(record, isOwn: isOwn, at: now)
            }
        }
    }

    /// A person says of all that took devices out or their rights that it was not she.
    func contest(on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember, liars[device.index] == nil else { return }
        let asked = device.replica?.askedQuestions ?? []
        for one in asked where one.question.matter != .admission && one.isOwn == nil {
            let record = one.question.record
            try change(device) { (now) throws(ReplicaError) in
                try device.replica?.answer(record, isOwn: false, at: now)
            }
        }
    }

    /// The founder makes recovery words, once.
    func makeWords() throws(Violation) {
        let device = devices[0]
        guard people.words == nil, liars[0] == nil, device.isRunning, device.isMember else {
            return
        }
        let phrase: RecoveryPhrase
        do {
            phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(Self.text.utf8)))
        } catch {
            throw Violation(.noTraps, "no words: \(error)")
        }
        let before = try judge.log(of: device).records.count
        try change(device) { (now) throws(ReplicaError) in
            try device.replica?.createRecovery(phrase, at: now)
        }
        if try judge.log(of: device).records.count > before { people.words = phrase }
    }

    /// A new device becomes a member with the words, over what another one has, and removes some.
    /// All that counts and showed on the other one shows on it.
    func recover(
        _ newcomer: SimulatedDevice, from source: SimulatedDevice, removing lost: [SimulatedDevice]
    ) throws(Violation) {
        guard let words = people.words, !newcomer.isMember, newcomer.isRunning, source.isMember,
            source.isRunning,
            liars[source.index] == nil, liars[newcomer.index] == nil,
            let copy = source.replica?.storeForReading
        else { return }
        let shown = try judge.shown(on: source)
        let effects: [Effect]
        do throws(ReplicaError) {
            let moment = newcomer.moment(now)
            effects = try newcomer.replica?.adopt(copy, phrase: words, at: moment).effects ?? []
        } catch {
            return trace.note(now, newcomer.index, "cannot use the words: \(error)")
        }
        try perform(effects, of: newcomer)
        try deliver()
        let targets = lost.map { id(of: $0) }
        try change(newcomer) { (now) throws(ReplicaError) in
            try newcomer.replica?.removeByRecovery(targets, phrase: words, at: now)
        }
        try judge.checkRecovered(shown, on: newcomer)
    }
}

extension MembershipJudge {
    /// The marks that a device shows.
    func shown(on device: SimulatedDevice) throws(Violation) -> [Mark] {
        var all: [Mark] = []
        for author in Set(marks.map(\.device)) { all += try shown(of: author, on: device) }
        return all
    }

    /// G3: what counts and showed where a copy was made shows where it was taken over.
    func checkRecovered(_ shown: [Mark], on device: SimulatedDevice) throws(Violation) {
        let entries = device.replica?.log.vectorEntries() ?? []
        if let lacking = shown.first(where: { mark in !entries.contains(where: mark.isHeld) }) {
            throw Violation(
                .whatCountsShows, "\(lacking.key.record) was not taken over from a copy",
                devices: [device.index])
        }
        try checkShown(on: device)
    }

    /// The records by which a device sees the members admitted.
    func admissions(
        seenBy device: SimulatedDevice
    ) throws(Violation) -> [DeviceID: MemberRecordID] {
        let members = try view(of: device)?.log.state.members ?? []
        return Dictionary(
            members.map { ($0.device, $0.admission) }, uniquingKeysWith: { first, _ in first })
    }

    /// A member that another one does not accept by its own records; nil when there is none.
    func unaccepted(
        by device: SimulatedDevice, of others: [DeviceID]
    ) throws(Violation) -> DeviceID? {
        guard let own = device.replica?.device, let reference = try view(of: device)?.reference,
            reference.members[own] != nil
        else { return nil }
        return others.first { reference.members[$0] != nil && !reference.rule.accepts(own, $0) }
    }
}
