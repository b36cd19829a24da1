import Foundation
import LinnetCRDT
import LinnetFaces
import LinnetMedication
import Testing

/// What a snapshot takes from a book.
struct FaceSnapshotBookTests {
    private static func zone(_ name: String) throws -> ZoneRules {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "LinnetMedicationTests/Zones/" + name)
        return try ZoneRules(name: name, file: Array(try Data(contentsOf: file)))
    }

    private static func id(_ text: String) throws -> RecordID { try #require(RecordID(text)) }

    private static func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

    /// Metformin three times a day in Berlin, from the middle of the week on.
    private static func book(
        _ events: [(DoseEventKind, scheduled: String, at: String)]
    ) throws -> MedicationBook {
        let medication = try id("met")
        var records = [
            RecordView(
                collection: Schema.medication.id, id: medication,
                fields: [
                    FieldValues(1, [.text("Metformin\u{202e}")]), FieldValues(8, [.bool(true)]),
                ]),
            RecordView(
                collection: Schema.schedule.id, id: try id("s1"),
                fields: [
                    FieldValues(1, [.text("met")]),
                    FieldValues(
                        2,
                        [
                            .text("08:00,14:00,20:00"), .null, .text("Europe/Berlin"), .null, .null,
                            .null,
                        ]),
                ]),
        ]
        for (number, event) in events.enumerated() {
            records.append(
                DoseEvent(
                    id: try id("2026-10/\(number)"), medication: medication, schedule: try id("s1"),
                    scheduled: try instant(event.scheduled), kind: .known(event.0),
                    at: try instant(event.at), timeZone: "Europe/Berlin"
                ).record)
        }
        return MedicationBook(records)
    }

    private static func snapshot(
        _ book: MedicationBook, at now: String, in zone: String = "Europe/Berlin"
    ) throws -> FaceSnapshot {
        try FaceSnapshot(
            of: book, asOf: try instant(now), frontier: "d", zone: try self.zone(zone),
            zones: ZoneTable([try self.zone(zone), try self.zone("Europe/Berlin")]))
    }

    private func face(_ snapshot: FaceSnapshot, at now: String) throws -> PhoneHomeFace {
        let entry = FaceMaker(snapshot).entry(.phoneHome, at: try Self.instant(now))
        guard case .phoneHome(let face) = entry.content else {
            throw FacesError.missing
        }
        return face
    }

    @Test func `a face says of every dose what the book says`() throws {
        let book = try Self.book([
            (.taken, "2026-10-23T06:00:00Z", "2026-10-23T06:05:00Z"),
            (.skipped, "2026-10-23T12:00:00Z", "2026-10-23T12:01:00Z"),
        ])
        let now = "2026-10-23T18:20:00Z"
        let face = try face(try Self.snapshot(book, at: now), at: now)
        #expect(face.today.map(\.standing) == [.taken, .skipped, .missed])
        #expect(face.today.map(\.name) == ["Metformin", "Metformin", "Metformin"])
        #expect(face.next.today == FaceProgress(taken: 1, total: 3))
        #expect(face.next.next?.clock == "08:00")
        #expect(face.next.next?.day == "Tomorrow")
        let zone = try Self.zone("Europe/Berlin")
        let today = try book.today(
            now: try Self.instant(now), zone: zone, zones: ZoneTable([zone]))
        #expect(today.progress.taken == face.next.today?.taken)
        #expect(today.next?.scheduled == face.next.next?.time)
    }

    @Test func `clocks on a face change with the clocks of its zone`() throws {
        let snapshot = try Self.snapshot(try Self.book([]), at: "2026-10-24T21:00:00Z")
        let offsets = snapshot.zone.spans.map(\.offsetSeconds)
        #expect(offsets == [7_200, 3_600])
        #expect(snapshot.zone.spans.last?.from == (try Self.instant("2026-10-25T01:00:00Z")))
        let face = try face(snapshot, at: "2026-10-24T21:00:00Z")
        #expect(face.next.next?.clock == "08:00")
        #expect(face.next.next?.time == (try Self.instant("2026-10-25T07:00:00Z")))
    }

    @Test func `in another zone the doses stay where they are, and the clocks differ`() throws {
        let snapshot = try Self.snapshot(
            try Self.book([]), at: "2026-10-22T05:00:00Z", in: "Asia/Kathmandu")
        let face = try face(snapshot, at: "2026-10-22T05:00:00Z")
        #expect(face.next.next?.clock == "11:45")
        #expect(face.next.next?.time == (try Self.instant("2026-10-22T06:00:00Z")))
    }

    @Test func `a dose that was put off is due when it comes back, and missed from then on`() throws
    {
        let book = try Self.book([(.snoozed, "2026-10-23T06:00:00Z", "2026-10-23T06:10:00Z")])
        let snapshot = try Self.snapshot(book, at: "2026-10-23T06:12:00Z")
        let standing = { (now: String) in try self.face(snapshot, at: now).today.first?.standing }
        #expect(try standing("2026-10-23T06:19:00Z") == .upcoming)
        #expect(try standing("2026-10-23T06:21:00Z") == .due)
        #expect(try standing("2026-10-23T06:36:00Z") == .missed)
        let later = try Self.snapshot(book, at: "2026-10-23T06:21:00Z")
        #expect(try face(later, at: "2026-10-23T06:21:00Z").today.first?.standing == .due)
    }

    @Test func `what two devices witnessed is listed once, and what was done again twice`() throws {
        let due = "2026-10-23T06:00:00Z"
        let book = try Self.book([
            (.taken, due, "2026-10-23T06:00:00Z"), (.taken, due, "2026-10-23T06:01:00Z"),
            (.snoozed, "2026-10-23T12:00:00Z", "2026-10-23T12:00:00Z"),
            (.taken, "2026-10-23T12:00:00Z", "2026-10-23T12:10:00Z"),
        ])
        let listed = try Self.snapshot(book, at: "2026-10-23T12:12:00Z").facts.history
        #expect(listed.map(\.event) == ["taken", "snoozed", "taken"])
        #expect(listed.last?.time == (try Self.instant("2026-10-23T06:00:00Z")))
    }

    @Test func `a face shows what was taken as it was, and what is due as it is now`() throws {
        var book = try Self.book([])
        var event = DoseEvent(
            id: try Self.id("2026-10/a"), medication: try Self.id("met"),
            schedule: try Self.id("s1"), scheduled: try Self.instant("2026-10-23T06:00:00Z"),
            kind: .known(.taken), at: try Self.instant("2026-10-23T06:00:00Z"),
            timeZone: "Europe/Berlin")
        let amount = try #require(Decimal64(parsing: "50"))
        event.content = DoseContent(
            name: "Before", dosage: Dosage(amount: amount, unit: .known(.milligrams)),
            form: .known(.drops))
        book.apply(event.record)
        var further = DoseEvent(
            id: try Self.id("2026-10/b"), medication: event.medication, schedule: nil,
            scheduled: try Self.instant("2026-10-23T06:30:00Z"), kind: .known(.taken),
            at: try Self.instant("2026-10-23T06:30:00Z"), timeZone: "Europe/Berlin")
        further.isAdditional = true
        further.content = event.content
        book.apply(further.record)
        let facts = try Self.snapshot(book, at: "2026-10-23T06:40:00Z").facts
        let today = facts.doses.filter { $0.time >= event.at }.prefix(2)
        #expect(today.map(\.name) == ["Before", "Metformin"])
        #expect(today.map(\.dosage) == ["50 mg", ""] && today.map(\.form) == ["drops", ""])
        #expect(facts.history.map(\.name) == ["Before", "Before"])
        let alert = facts.alerts.first { $0.kind == "possibleDoubleDose" }
        #expect(alert?.subject == "Before")
    }

    @Test func `an empty book makes an empty face`() throws {
        let snapshot = try Self.snapshot(MedicationBook(), at: "2026-10-23T06:00:00Z")
        let face = try face(snapshot, at: "2026-10-23T06:00:00Z")
        #expect(face.next.next == nil)
        #expect(!face.next.hasMedications)
        #expect(face.week.week.percent == nil)
    }
}
