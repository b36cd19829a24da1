import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Returns what other devices did to the group and the person at this device is asked of:
    /// admissions of devices that this one does not accept yet, then removals and lower roles.
    ///
    /// - Parameter withAnswered: true for those that she answered, too.
    public func questions(withAnswered: Bool = false) throws(LinnetError) -> [DeviceQuestion] {
        try reading { (replica) throws(ReplicaError) in replica.askedQuestions }
            .map(question).filter { withAnswered || $0.isOpen }
    }

    /// Answers a question of ``questions(withAnswered:)``.
    ///
    /// *Yes* to an admission lets this device accept the newcomer, as it would by itself after
    /// seven days; *no* keeps it from that, and takes nobody out: see
    /// ``remove(_:reason:with:wiping:)``. *No* to a removal or a role is a vote against it, on the
    /// device that it was done to as well.
    ///
    /// - Parameters:
    ///   - record: the beginning of the record's identifier.
    ///   - isOwn: true for *yes, that was me*.
    public func answer(_ record: String, isOwn: Bool) throws(LinnetError) {
        let asked = try reading { (replica) throws(ReplicaError) in replica.askedQuestions }
        let found = asked.map(\.question.record).filter {
            record.utf8.count >= 4 && $0.description.hasPrefix(record.lowercased())
        }
        guard found.count == 1 else { throw .noSuchQuestion(record) }
        try writable()
        do throws(ReplicaError) {
            let effects = try replica?.answer(found[0], isOwn: isOwn, at: SystemClock.now())
            if let effects { perform(effects) }
        } catch {
            throw failed(error)
        }
    }

    private func question(_ asked: AskedQuestion) -> DeviceQuestion {
        let question = asked.question
        return DeviceQuestion(
            record: question.record.description, matter: DeviceQuestion.Matter(question.matter),
            device: named(question.device), by: named(question.author),
            isByRecovery: question.isByRecovery,
            isSelf: question.device.description == device.description,
            heardMilliseconds: asked.since, answer: asked.isOwn,
            acceptanceMilliseconds: asked.acceptance)
    }
}

extension DeviceQuestion.Matter {
    fileprivate init(_ matter: GroupQuestion.Matter) {
        self =
            switch matter {
            case .admission: .admission
            case .removal(let reason):
                .removal(RemovePayload.Reason(rawValue: reason).map { RemovalReason($0) })
            case .role(let role): .role(DeviceRole(role))
            }
    }
}
