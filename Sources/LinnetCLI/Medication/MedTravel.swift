import Linnet
import LinnetCRDT
import LinnetMedication

/// What becomes of the schedules in another time zone.
enum MedTravel {
    static let action = MedCommand.Action(
        name: "travel", words: "", summary: "in another zone: what may change; --strategy decides",
        options: ["strategy", "step", "times", "schedule"], run: travel)

    private static func travel(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let planner = try session.planner()
        let noticed = try MedSession.asked { () throws(MedicationError) in
            try planner.notice(isSaidByPerson: session.arguments.value("zone") != nil)
        }
        guard let strategy = try strategy(session) else {
            let isNew = try await session.commit(noticed)
            return try propose(session, after: noticed, isNew)
        }
        let asked = session.arguments.value("schedule").flatMap { RecordID($0) }.map { [$0] }
        let known = try session.after(noticed).planner()
        let writes = try MedSession.asked { () throws(MedicationError) in
            try known.confirm(strategy, of: asked)
        }
        let isNew = try await session.commit(noticed + writes)
        let count = writes.count { $0.collection == Schema.schedule.id }
        session.output.result(
            [
                "strategy": .text(strategy.name), "schedules": .integer(count),
                "changed": .bool(isNew),
            ],
            count == 0
                ? "there is nothing to decide"
                : "\(strategy.name) for \(count) schedule\(count == 1 ? "" : "s"), decided in "
                    + session.zone.name)
    }

    private static func strategy(_ session: MedSession) throws(ControlFailure) -> TravelStrategy? {
        let given = session.arguments
        guard let name = given.value("strategy") else { return nil }
        switch name {
        case "keepLocalTime": return .keepLocalTime
        case "keepHomeTime": return .keepHomeTime
        case "gradualShift":
            let text = given.value("step") ?? "60"
            guard let minutes = Int(text), (1...720).contains(minutes) else {
                throw .usage("--step is a number of minutes from 1 to 720")
            }
            return .gradualShift(minutesPerDay: minutes)
        case "custom":
            guard let text = given.value("times") else { throw .usage("custom needs --times") }
            var times: [DoseTime] = []
            for time in try MedDraft.times(text) {
                times.append(
                    try MedSession.asked { () throws(MedicationError) in
                        try DoseTime(hour: time.hour, minute: time.minute, label: time.label)
                    })
            }
            return .custom(times)
        default:
            throw .usage("--strategy is keepLocalTime, keepHomeTime, gradualShift or custom")
        }
    }

    private static func propose(
        _ session: MedSession, after noticed: [PlannedWrite], _ isNew: Bool
    ) throws(ControlFailure) {
        let known = try session.after(noticed).planner()
        let proposals = try MedSession.asked { () throws(MedicationError) in
            try known.proposals()
        }
        if isNew { session.output.note("this device is in \(session.zone.name) now", .info) }
        for proposal in proposals {
            let name =
                session.book.medication(proposal.schedule.medication).map(MedText.name)
                ?? proposal.schedule.medication.description
            for option in proposal.options {
                session.output.result(
                    json(option, of: proposal, session), text(option, name, session))
            }
        }
        if proposals.isEmpty {
            session.output.note("no schedule waits for a decision", .info)
        }
    }

    private static func json(
        _ option: TravelOption, of proposal: Proposal, _ session: MedSession
    ) -> JSON {
        [
            "schedule": .text(proposal.schedule.id.description),
            "medication": .text(proposal.schedule.medication.description),
            "from": .text(proposal.change.from), "to": .text(proposal.change.to),
            "strategy": .text(option.strategy.name),
            "doses": .array(
                option.doses.map { dose in
                    [
                        "scheduled": .text(dose.occurrence.scheduled.description),
                        "here": .text(dose.here.description), "home": .text(dose.home.description),
                        "gapMinutes": dose.gapMinutes.map(JSON.integer) ?? .null,
                        "warning": MedJSON.optional(dose.warning?.rawValue),
                    ]
                }),
        ]
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
    func after(_ writes: [PlannedWrite]) throws(ControlFailure) -> MedSession {
        var book = book
        for write in writes {
            for case .insert(let fields) in write.changes {
                book.apply(
                    StoredRecord(collection: write.collection, id: write.record, fields: fields))
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
