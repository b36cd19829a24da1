import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication

// The verbs that show the medicines of a home.
extension Verb {
    static let medicineVerbs: [Verb] =
        [
            Verb("med-list") { (call) async throws(ControlFailure) in
                let desk = try await MedicineDesk.read(call)
                let showsAll = try call.members.flag("all", usual: false)
                let found = desk.book.search("").filter { $0.isActive || showsAll }
                return [
                    "medications": .array(found.map { MedJSON.medication($0, desk.book) }),
                    "isInStep": .bool(desk.book.isInStep),
                ]
            },
            Verb("med-today") { (call) async throws(ControlFailure) in
                try today(try await MedicineDesk.read(call), call.members)
            },
            Verb("med-adherence") { (call) async throws(ControlFailure) in
                try adherence(try await MedicineDesk.read(call), call.members)
            },
            Verb("med-alerts") { (call) async throws(ControlFailure) in
                try alerts(try await MedicineDesk.read(call))
            },
            Verb("med-journeys") { (call) async throws(ControlFailure) in
                try journeys(try await MedicineDesk.read(call), call.members)
            },
            Verb("med-travel", isWrite: true) { (call) async throws(ControlFailure) in
                try await travel(try await MedicineDesk.read(call), call)
            },
        ]
        + DoseEventKind.allCases.map { kind in
            Verb("med-\(DoseWriting.word(kind))", isWrite: true) {
                (call) async throws(ControlFailure) in
                try await DoseWriting.log(kind, try await MedicineDesk.read(call), call)
            }
        }

    private static func today(
        _ desk: MedicineDesk, _ members: VerbMembers
    ) throws(ControlFailure) -> JSON {
        let day =
            try members.optionalText("day").map { (text) throws(ControlFailure) in
                guard let day = Day(text) else {
                    throw ControlFailure.usage("'day' is a date, such as 2026-11-21")
                }
                return day
            } ?? desk.zone.local(at: desk.now).day
        let lines = try MedicineDesk.asked { () throws(MedicationError) in
            try desk.book.lines(of: day, now: desk.now, zone: desk.zone, zones: desk.zones)
        }
        let progress = DayProgress(lines)
        let isInStep = desk.book.isInStep
        return [
            "day": .text(day.description), "zone": .text(desk.zone.name),
            "now": .text(desk.time.text(desk.now)),
            "nowMilliseconds": .integer(desk.now.milliseconds),
            "taken": .integer(progress.taken), "due": isInStep ? .integer(progress.due) : .null,
            "notKnown": .integer(progress.notKnown), "isInStep": .bool(isInStep),
            "doses": .array(lines.map { MedJSON.line($0, desk.time) }),
        ]
    }

    private static func adherence(
        _ desk: MedicineDesk, _ members: VerbMembers
    ) throws(ControlFailure) -> JSON {
        let count = Int64(try members.whole("days", in: 1...400, usual: 28))
        let last = desk.zone.local(at: desk.now).day
        let days = last.advanced(byDays: 1 - count)...last
        return try MedicineDesk.asked { () throws(MedicationError) in
            let found = try desk.book.adherence(
                over: days, now: desk.now, zone: desk.zone, zones: desk.zones)
            var calendar: [JSON] = []
            for offset in 0..<count {
                let day = days.lowerBound.advanced(byDays: offset)
                let progress = DayProgress(
                    try desk.book.lines(
                        of: day, now: desk.now, zone: desk.zone, zones: desk.zones))
                calendar.append([
                    "day": .text(day.description), "taken": .integer(progress.taken),
                    "due": .integer(progress.due), "notKnown": .integer(progress.notKnown),
                ])
            }
            return MedJSON.adherence(found, days).with("calendar", .array(calendar))
        }
    }

    private static func alerts(_ desk: MedicineDesk) throws(ControlFailure) -> JSON {
        let alerts = try MedicineDesk.asked { () throws(MedicationError) in
            try desk.book.alerts(now: desk.now, zone: desk.zone, zones: desk.zones)
        }
        let told = alerts.map { alert -> JSON in
            [
                "alert": .text(alert.word),
                "medication": MedJSON.optional(alert.medication?.description),
                "text": .text(MedText.text(alert, desk)),
            ]
        }
        let disputes = desk.book.disputes.map { dispute -> JSON in
            let name = desk.book.medication(dispute.medication).map { MedText.name($0) } ?? ""
            return [
                "alert": "superseded", "medication": .text(dispute.medication.description),
                "text": .text("decided apart: \(name), \(MedText.text(dispute, desk.time))"),
            ]
        }
        return ["alerts": .array(told + disputes)]
    }

    private static func journeys(
        _ desk: MedicineDesk, _ members: VerbMembers
    ) throws(ControlFailure) -> JSON {
        let proposals = try MedicineDesk.asked { () throws(MedicationError) in
            try MedicationPlanner(
                book: desk.book, now: desk.now, zone: desk.zone.name, zones: desk.zones,
                intent: "journeys"
            ).proposals()
        }
        return [
            "journeys": .array(
                proposals.map { proposal in
                    let id = proposal.schedule.medication
                    let name = desk.book.medication(id).map { MedText.name($0) }
                    return [
                        "schedule": .text(proposal.schedule.id.description),
                        "medication": .text(id.description),
                        "name": .text(name ?? id.description),
                        "from": .text(proposal.change.from), "to": .text(proposal.change.to),
                        "options": .array(
                            proposal.options.map { MedJSON.option($0, of: proposal) }),
                    ]
                }), "disputes": .array(desk.book.disputes.map(MedJSON.dispute)),
        ]
    }

    private static func travel(
        _ desk: MedicineDesk, _ call: Call
    ) async throws(ControlFailure) -> JSON {
        let strategy: TravelStrategy
        switch try call.members.text("strategy") {
        case "keepLocalTime": strategy = .keepLocalTime
        case "keepHomeTime": strategy = .keepHomeTime
        case "gradualShift":
            strategy = .gradualShift(
                minutesPerDay: Int(
                    try call.members.whole(
                        "minutesPerDay", in: 1...720,
                        usual: UInt64(GradualShift.usualMinutesPerDay))))
        default: throw .usage("'strategy' is keepLocalTime, keepHomeTime or gradualShift")
        }
        let asked =
            call.members.value("schedules") == nil
            ? nil : try call.members.texts("schedules").compactMap { RecordID($0) }
        let (planner, intent) = try await DoseWriting.planner(desk, call)
        let writes = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.confirm(strategy, of: asked)
        }
        let isNew = try await DoseWriting.commit(writes, intent, call.gateway)
        return [
            "strategy": .text(strategy.name),
            "schedules": .integer(writes.count { $0.key.collection == Schema.schedule.id }),
            "changed": .bool(isNew),
        ]
    }
}
