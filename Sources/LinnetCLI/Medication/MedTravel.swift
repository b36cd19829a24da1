import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// Shows and decides how schedules go on in another time zone.
enum MedTravel {
    static let action = MedCommand.Action(
        name: "travel", words: "", summary: "in another zone: what may change; --strategy decides",
        options: ["strategy", "step", "times", "schedule"], run: travel)

    private static func travel(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let planner = try session.planner()
        let noticed = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.notice(isSaidByPerson: session.arguments.value("zone") != nil)
        }
        guard let strategy = try strategy(session) else {
            let isNew = try await session.commit(noticed)
            return try propose(session, after: noticed, isNew)
        }
        let asked = session.arguments.value("schedule").flatMap { RecordID($0) }.map { [$0] }
        let known = try session.after(noticed).planner()
        let writes = try MedicineDesk.asked { () throws(MedicationError) in
            try known.confirm(strategy, of: asked)
        }
        let isNew = try await session.commit(noticed + writes)
        let count = writes.count { $0.key.collection == Schema.schedule.id }
        session.output.result(
            [
                "strategy": .text(strategy.name), "schedules": .integer(count),
                "changed": .bool(isNew),
            ],
            count == 0
                ? "there is nothing to decide"
                : "\(strategy.name) for \(Plural.of(count, "schedule")), decided in "
                    + session.zone.name)
    }

    private static func strategy(_ session: MedSession) throws(ControlFailure) -> TravelStrategy? {
        guard let name = session.arguments.value("strategy") else { return nil }
        switch name {
        case "keepLocalTime": return .keepLocalTime
        case "keepHomeTime": return .keepHomeTime
        case "gradualShift": return .gradualShift(minutesPerDay: try step(session))
        case "custom":
            guard let custom = try custom(session) else { throw .usage("custom needs --times") }
            return custom
        default:
            throw .usage("--strategy is keepLocalTime, keepHomeTime, gradualShift or custom")
        }
    }

    /// Reads the number of minutes that a gradual shift moves a day.
    private static func step(_ session: MedSession) throws(ControlFailure) -> Int {
        guard let text = session.arguments.value("step") else {
            return GradualShift.usualMinutesPerDay
        }
        guard let minutes = Int(text), GradualShift.stepMinutes.contains(minutes) else {
            throw .usage("--step is a number of minutes from 1 to 720")
        }
        return minutes
    }

    /// Reads the times of a custom strategy; nil when none are given.
    private static func custom(
        _ session: MedSession
    ) throws(ControlFailure) -> TravelStrategy? {
        guard let text = session.arguments.value("times") else { return nil }
        var times: [DoseTime] = []
        for time in try MedDraft.times(text) {
            times.append(
                try MedicineDesk.asked { () throws(MedicationError) in
                    try DoseTime(hour: time.hour, minute: time.minute, label: time.label)
                })
        }
        return .custom(times)
    }

    private static func tellDisputes(_ session: MedSession) {
        for dispute in session.book.disputes {
            let name =
                session.book.medication(dispute.medication).map(MedText.name)
                ?? dispute.medication.description
            session.output.result(
                MedJSON.dispute(dispute), "\(name): \(MedText.text(dispute, session.time))")
        }
    }

    private static func propose(
        _ session: MedSession, after noticed: [Write], _ isNew: Bool
    ) throws(ControlFailure) {
        let known = try session.after(noticed).planner()
        let step = try step(session)
        let custom = try custom(session)
        let proposals = try MedicineDesk.asked { () throws(MedicationError) in
            try known.proposals(minutesPerDay: step)
        }
        tellDisputes(session)
        if isNew { session.output.note("this device is in \(session.zone.name) now", .info) }
        for proposal in proposals {
            let name =
                session.book.medication(proposal.schedule.medication).map(MedText.name)
                ?? proposal.schedule.medication.description
            let chosen = try MedicineDesk.asked { () throws(MedicationError) in
                try custom.flatMap { (strategy) throws(MedicationError) in
                    try proposal.option(strategy)
                }
            }
            for option in proposal.options + [chosen].compactMap({ $0 }) {
                session.output.result(
                    MedJSON.option(option, of: proposal), text(option, name, session))
            }
        }
        if proposals.isEmpty {
            session.output.note("no schedule needs a decision", .info)
        }
    }

    private static func text(
        _ option: TravelOption, _ name: String, _ session: MedSession
    ) -> String {
        let rows = option.doses.prefix(6).map { dose in
            let gap = dose.gapMinutes.map { "after \($0 / 60) h \($0 % 60) min" } ?? ""
            return [
                "  \(dose.here)", "home \(dose.home)", gap,
                dose.warning.map { "\($0.rawValue) gap" } ?? "",
            ]
        }
        return "\(name), \(option.strategy.name):\n" + MedText.table(rows)
    }
}

extension MedSession {
    /// The session as it is once what was noticed is written.
    func after(_ writes: [Write]) throws(ControlFailure) -> MedSession {
        var book = book
        for write in writes {
            for case .insert(let fields) in write.changes {
                book.apply(
                    RecordView(
                        collection: write.key.collection, id: write.key.record, fields: fields))
            }
        }
        return MedSession(self, book)
    }

    private init(_ other: MedSession, _ book: MedicationBook) {
        invocation = other.invocation
        gateway = other.gateway
        self.book = book
        zone = other.zone
        var zones = other.zones
        for name in book.zoneNames where !zones.names.contains(name) {
            if let rules = try? ZoneFiles.zone(named: name) { zones.insert(rules) }
        }
        self.zones = zones
        now = other.now
        device = other.device
    }
}
