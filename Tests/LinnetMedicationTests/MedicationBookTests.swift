import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Views of a book, against a reference that walks over everything for every question.
@Suite struct MedicationBookTests {
    private static let zones = try? TestZones.table()
    private let zones: ZoneTable
    private let zone: ZoneRules
    private let start: Instant

    init() throws {
        zones = try #require(Self.zones)
        zone = try TestZones.rules("Etc/UTC")
        start = try time("2026-03-01T00:00:00Z")
    }

    /// Two medications due at 08:00 and 20:00 UTC, and random events of ten days about them.
    private func records(_ random: inout SeededGenerator) throws -> [RecordView] {
        var records: [RecordView] = []
        for name in ["a", "b"] {
            let id = try #require(RecordID(name))
            records.append(
                RecordView(
                    collection: Schema.medication.id, id: id,
                    fields: [FieldValues(1, [.text("Medicine \(name)")])]))
            let timing: [Value] = [
                .text("08:00,20:00"), .null, .text("Etc/UTC"), .null, .null, .null,
            ]
            records.append(
                RecordView(
                    collection: Schema.schedule.id, id: id,
                    fields: [FieldValues(1, [.text(name)]), FieldValues(2, timing)]))
        }
        for number in 0..<60 {
            let name = try #require(["a", "b"].randomElement(using: &random))
            let day = Int64.random(in: 0..<10, using: &random)
            let hour: Int64 = Bool.random(using: &random) ? 8 : 20
            let due = start.advanced(byMinutes: day * 1_440 + hour * 60)
            let kinds: [DoseEventKind] = [.taken, .taken, .taken, .skipped, .snoozed, .undone]
            let id = try #require(RecordID(name))
            var event = DoseEvent(
                id: try #require(RecordID("2026-03/\(number)")), medication: id, schedule: id,
                scheduled: due, kind: .known(kinds.randomElement(using: &random) ?? .taken),
                at: due.advanced(byMinutes: Int64.random(in: -50...100, using: &random)),
                timeZone: "Etc/UTC")
            if event.kind == .known(.undone) {
                event.undoes = records.compactMap { DoseEvent($0) }.filter { $0.key == event.key }
                    .map(\.id)
            }
            records.append(event.record)
        }
        return records
    }

    /// For each scheduled dose of the first ten days up to `now`: the word for it.
    private func reference(_ records: [RecordView], now: Instant) throws -> [String] {
        let events = records.filter { $0.collection == Schema.doseEvent.id }
            .compactMap { DoseEvent($0) }
        var words: [String] = []
        for day: Int64 in 0..<10 {
            for hour: Int64 in [8, 20] {
                for name in ["a", "b"] {
                    let due = start.advanced(byMinutes: day * 1_440 + hour * 60)
                    let own = events.filter {
                        $0.schedule?.description == name && $0.scheduled == due
                    }
                    let gone = own.flatMap(\.undoes)
                    let stand = own.filter { !gone.contains($0.id) }
                    func times(_ kind: DoseEventKind) -> [Instant] {
                        stand.filter { $0.kind == .known(kind) }.map(\.at)
                    }
                    if let first = times(.taken).min() {
                        words.append(first > due.advanced(byMinutes: 60) ? "late" : "taken")
                    } else if !times(.skipped).isEmpty {
                        words.append("skipped")
                    } else {
                        let put = times(.snoozed).max()?.advanced(byMinutes: 10)
                        let end = max(due, put ?? due).advanced(byMinutes: 15)
                        if let put, now < put {
                            words.append("snoozed")
                        } else {
                            words.append(now < due ? "upcoming" : now < end ? "due" : "missed")
                        }
                    }
                }
            }
        }
        return words
    }

    @Test(arguments: 0..<40)
    func `random records in any order show what a plain walk finds`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1)
        var records = try records(&random)
        let now = start.advanced(byMinutes: Int64.random(in: 0...15_000, using: &random))
        let words = try reference(records, now: now)
        let range = start..<start.advanced(byMinutes: 14_400)
        let whole = MedicationBook(records)
        let lines: [DoseLine] = try whole.lines(in: range, now: now, zones: zones)
        #expect(lines.map(\.status.word) == words)
        records.shuffle(using: &random)
        var piecewise = MedicationBook()
        for record in records {
            piecewise.apply(record)
            if Bool.random(using: &random) { piecewise.apply(record) }
        }
        #expect(try piecewise.lines(in: range, now: now, zones: zones) == lines)
        let days = zone.local(at: start).day...zone.local(at: start).day.advanced(byDays: 9)
        let adherence = try piecewise.adherence(over: days, now: now, zone: zone, zones: zones)
        let taken = words.count { $0 == "taken" || $0 == "late" }
        let total = words.count { !["upcoming", "due", "snoozed"].contains($0) }
        #expect(adherence.taken == taken && adherence.total == total)
        #expect(adherence.late == words.count { $0 == "late" })
        #expect(adherence.missed + adherence.skipped == total - taken)
        #expect(adherence.rateThousandths == (total == 0 ? nil : taken * 1_000 / total))
        #expect(try piecewise.streak(now: now, zone: zone, zones: zones).days == streak(words, now))
    }

    /// Days of four doses each, from the last one back.
    private func streak(_ words: [String], _ now: Instant) -> Int {
        var streak = 0
        let today = Int(now.milliseconds(since: start) / 86_400_000)
        for day in (0...min(today, 9)).reversed() where today <= 9 {
            let own = words[(4 * day)..<(4 * day + 4)]
            if own.contains("missed") || own.contains("skipped") { return streak }
            if own.contains("taken") || own.contains("late") { streak += 1 }
        }
        // Past the tenth day every dose of the eleventh was missed or lies ahead.
        return today <= 9 ? streak : pastStreak(words, now)
    }

    private func pastStreak(_ words: [String], _ now: Instant) -> Int {
        let minute = now.milliseconds(since: start) / 60_000
        if minute >= 14_400 + 8 * 60 + 15 { return 0 }
        return streak(words, start.advanced(byMinutes: 14_399))
    }

    @Test func `a dose that a schedule no longer makes due stays in sight once it was taken`()
        throws
    {
        let id = try #require(RecordID("a"))
        let due = try time("2026-03-01T08:00:00Z")
        let event = DoseEvent(
            id: try #require(RecordID("2026-03/1")), medication: id, schedule: id, scheduled: due,
            kind: .known(.taken), at: due, timeZone: "Etc/UTC")
        let book = MedicationBook([event.record])
        let lines = try book.lines(
            in: start..<start.advanced(byMinutes: 1_440), now: due, zones: zones)
        #expect(lines.map(\.name) == ["a"] && lines.map(\.witnesses) == [1])
        #expect(Adherence(lines).taken == 1)
    }

    @Test func `records of other collections and forgotten ones leave nothing`() throws {
        var random = SeededGenerator(seed: 3)
        let records = try records(&random)
        var book = MedicationBook(records)
        book.apply(
            RecordView(collection: 2_000, id: try #require(RecordID("x")), fields: []))
        for record in records { book.remove(record.collection, record.id) }
        let range = start..<start.advanced(byMinutes: 14_400)
        #expect(try book.lines(in: range, now: start, zones: zones) == [])
        #expect(book.medications.isEmpty && book.schedules.isEmpty && book.ledger.count == 0)
    }

    @Test func `words of a newer version are kept and told`() throws {
        let id = try #require(RecordID("a"))
        let record = RecordView(
            collection: Schema.medication.id, id: id,
            fields: [
                FieldValues(1, [.text("Mist")]), FieldValues(3, [.int(4), .text("clouds")]),
                FieldValues(4, [.text("vapour")]), FieldValues(11, [.text("at new moon")]),
            ])
        let book = MedicationBook([record])
        let medication = try #require(book.medications[id])
        #expect(medication.dosage == nil && medication.form == .unknown("vapour"))
        #expect(medication.form?.text == "vapour")
        #expect(medication.frequency == .unknown("at new moon"))
        let alerts = try book.alerts(now: start, zone: zone, zones: zones)
        #expect(
            alerts == [
                .unknown(
                    collection: 1_000, record: id,
                    words: ["form vapour", "frequency at new moon"])
            ])
    }

    @Test func `a schedule follows its adjustments back and passes over those that lost`() throws {
        let id = try #require(RecordID("a"))
        func timing(_ text: String, since: String?, by adjustment: String?) throws -> Timing {
            try Timing(
                pattern: Pattern(reading: text), referenceZone: "Etc/UTC",
                since: try since.map { try time($0) },
                adjustment: adjustment.flatMap { RecordID($0) })
        }
        let first = try timing("08:00", since: nil, by: nil)
        let second = try timing("09:00", since: "2026-03-02T00:00:00Z", by: "2026-03/1")
        let lost = try timing("10:00", since: "2026-03-02T00:00:00Z", by: "2026-03/2")
        var book = MedicationBook()
        let until = try time("2026-03-02T00:00:00Z")
        for (name, after) in [("2026-03/2", lost), ("2026-03/1", second)] {
            let adjustment = Adjustment(
                id: try #require(RecordID(name)), schedule: id, zoneChange: nil,
                strategy: Adjustment.edited, before: .init(until: until, timing: first),
                after: after, zone: "Etc/UTC", at: try time("2026-03-01T12:00:00Z"))
            let read = Adjustment(adjustment.record(device: "phone"))
            #expect(read?.device == "phone" && read?.after == adjustment.after)
            #expect(read?.before == adjustment.before && read?.id == adjustment.id)
            book.apply(adjustment.record(device: "phone"))
        }
        guard case .set(let written) = ScheduleRecord.change(to: second) else { return }
        let record = RecordView(
            collection: Schema.schedule.id, id: id,
            fields: [
                FieldValues(1, [.text("a")]), FieldValues(2, written.values.map(\.value)),
            ])
        book.apply(record)
        #expect(ScheduleRecord(record)?.timing == second)
        #expect(book.schedules[id]?.earlier == [.init(until: until, timing: first)])
        #expect(book.histories[id]?.superseded.map(\.after) == [lost])
    }

    @Test func `changes of zone are read back as they were written`() throws {
        let id = try #require(RecordID("2026-03/1"))
        let event = TimeZoneEvent(
            change: ZoneChange(id: id, from: "Europe/Berlin", to: "Asia/Tokyo", at: start),
            detection: .known(.system), device: "watch")
        #expect(TimeZoneEvent(event.record) == event)
        var book = MedicationBook([event.record])
        #expect(book.timeZoneEvents.values == [event])
        book.remove(Schema.timeZoneEvent.id, id)
        #expect(book.timeZoneEvents.isEmpty)
    }
}
