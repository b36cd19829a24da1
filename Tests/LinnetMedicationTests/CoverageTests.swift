import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Months that a device does not hold, and the totals that speak for them.
struct CoverageTests {
    private let zones: ZoneTable
    private let zone: ZoneRules
    private let now: Instant

    init() throws {
        zones = try TestZones.table()
        zone = try TestZones.rules("Europe/Berlin")
        now = try time("2026-11-22T12:00:00Z")
    }

    private static let first = "2026-06-01"

    /// Two doses a day in Berlin from June on, all taken but those of some days.
    private func records(
        missing: [String] = [], zone: String = "Europe/Berlin"
    ) throws -> [RecordView] {
        let id = try #require(RecordID("m"))
        let schedule = try #require(RecordID("s"))
        let timing: [Value] = [
            .text("08:00,20:00"), .null, .text(zone), .null,
            .instant(try time("2026-06-01T00:00:00Z").milliseconds), .null,
        ]
        var records = [
            RecordView(
                collection: Schema.medication.id, id: id,
                fields: [FieldValues(1, [.text("Medicine")])]),
            RecordView(
                collection: Schema.schedule.id, id: schedule,
                fields: [FieldValues(1, [.text("m")]), FieldValues(2, timing)]),
        ]
        let rules = try TestZones.rules(zone)
        var day = try #require(Day(Self.first))
        while let due = rules.instant(day: day, hour: 8, minute: 0), due < now {
            for hour in [8, 20] where !missing.contains(day.description) {
                guard let due = rules.instant(day: day, hour: hour, minute: 0), due < now else {
                    continue
                }
                let name = try #require(
                    RecordID(due.description.prefix(7) + "/\(due.milliseconds)"))
                records.append(
                    DoseEvent(
                        id: name, medication: id, schedule: schedule, scheduled: due,
                        kind: .known(.taken), at: due.advanced(byMinutes: 5), timeZone: zone
                    ).record)
            }
            day = day.advanced(byDays: 1)
        }
        return records
    }

    /// What a watch holds in November: all but the events of the months before October.
    private func watch(_ records: [RecordView]) throws -> MedicationBook {
        var book = MedicationBook(
            records.filter { record in
                record.collection != Schema.doseEvent.id
                    || ["2026-10", "2026-11"].contains(record.id.description.prefix(7))
            })
        book.coverage = LogCoverage(
            only: [try #require(Month("2026-10")), try #require(Month("2026-11"))])
        return book
    }

    private func planner(_ book: MedicationBook) throws -> MedicationPlanner {
        try MedicationPlanner(
            book: book, now: now, zone: "Europe/Berlin", zones: zones, intent: "totals")
    }

    private func totals(_ book: MedicationBook) throws -> [RecordView] {
        try planner(book).totals().map { write in
            guard case .set(let written) = write.changes.first else {
                throw MedicationError.badTiming
            }
            return RecordView(
                collection: write.key.collection, id: write.key.record,
                fields: [FieldValues(1, written.values.map(\.value))])
        }
    }

    private func adherence(
        _ book: MedicationBook, _ from: String, _ to: String
    ) throws -> Adherence {
        try book.adherence(
            over: try #require(Day(from))...(try #require(Day(to))), now: now, zone: zone,
            zones: zones)
    }

    @Test func `a month that is not held is not missed`() throws {
        let book = try watch(try records())
        let june = try adherence(book, "2026-06-01", "2026-06-30")
        #expect(june.total == 0 && june.rateThousandths == nil)
        #expect(june.knownSince == Day("2026-07-01"))
        let all = try adherence(book, "2026-06-01", "2026-11-21")
        #expect(all.missed == 0 && all.taken == all.total && all.taken > 90)
        #expect(all.knownSince == Day("2026-10-03"))
        #expect(all.streak == Streak(days: 51, isWhole: false))
        let range = try TestDoses.range("2026-08-01T00:00:00Z", "2026-09-01T00:00:00Z")
        let words = try book.lines(in: range, now: now, zones: zones).map(\.status.word)
        #expect(Set(words) == ["not known"] && words.count == 62)
        let week = try adherence(book, "2026-11-16", "2026-11-22")
        #expect(week.knownSince == nil && week.total == 13)
    }

    @Test func `with totals a watch shows the streak and the rate of a device that holds all`()
        throws
    {
        let records = try records()
        let phone = MedicationBook(records)
        let totals = try totals(phone)
        #expect(
            totals.map(\.id.description) == [
                "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11",
            ])
        var watch = try watch(records)
        for total in totals { watch.apply(total) }
        let whole = try adherence(phone, "2026-06-01", "2026-11-22")
        let known = try adherence(watch, "2026-06-01", "2026-11-22")
        #expect(whole.streak == Streak(days: 175) && known.streak == whole.streak)
        #expect(known.count == whole.count && known.knownSince == nil)
        #expect(known.totalDays == 124)
        #expect(try watch.disagreements(now: now, zones: zones).isEmpty)
    }

    @Test func `a missed day in a month that is not held ends the streak there`() throws {
        let records = try records(missing: ["2026-08-15"])
        var watch = try watch(records)
        for total in try totals(MedicationBook(records)) { watch.apply(total) }
        let expected = try MedicationBook(records).streak(now: now, zone: zone, zones: zones)
        #expect(expected == Streak(days: 99))
        #expect(try watch.streak(now: now, zone: zone, zones: zones) == expected)
        let august = try adherence(watch, "2026-08-01", "2026-08-31")
        #expect(august.missed == 2 && august.total == 62)
        let medicine = try watch.adherence(
            over: try #require(Day("2026-08-01"))...(try #require(Day("2026-08-31"))), now: now,
            zone: zone, zones: zones, of: RecordID("m"))
        #expect(medicine.count == august.count)
    }

    @Test func `totals are a function of the records: written once, changed by a late event`()
        throws
    {
        let records = try records()
        var phone = MedicationBook(records.dropLast(60))
        for total in try totals(phone) { phone.apply(total) }
        #expect(try planner(phone).totals().isEmpty)
        for record in records.suffix(60) { phone.apply(record) }
        let changed = try totals(phone)
        #expect(changed.map(\.id.description) == ["2026-10", "2026-11"])
        for total in changed { phone.apply(total) }
        #expect(try planner(phone).totals().isEmpty)
        #expect(phone.totals[try #require(Month("2026-10"))]?.sum.taken == 62)
        // Of a month that goes on the days are counted that need the month before.
        #expect(phone.totals.last?.value.days == 2 && phone.totals.last?.value.sum.taken == 4)
    }

    @Test func `two phones that wrote apart come to the same totals once they meet`() throws {
        let records = try records()
        let few = Array(records.dropLast(60)) + records.suffix(20)
        let many = Array(records.dropLast(20))
        let fromFew = try totals(MedicationBook(few))
        let fromMany = try totals(MedicationBook(many))
        for last in [fromFew, fromMany] {
            var phone = MedicationBook(records)
            for total in fromFew + fromMany + last { phone.apply(total) }
            for total in try totals(phone) { phone.apply(total) }
            #expect(try phone.totals == totals(of: MedicationBook(records)))
        }
        // Who holds fewer events leaves alone what somebody wrote who held more.
        var phone = MedicationBook(few)
        for total in fromMany { phone.apply(total) }
        #expect(try planner(phone).totals().isEmpty)
        #expect(
            try phone.disagreements(now: now, zones: zones).map(\.month.description)
                == ["2026-10", "2026-11"])
    }

    private func totals(of book: MedicationBook) throws -> OrderedTable<Month, MonthTotal> {
        var book = book
        for total in try totals(book) { book.apply(total) }
        return book.totals
    }

    @Test func `a device that does not hold all months leaves no total of one`() throws {
        let watch = try watch(try records())
        #expect(try planner(watch).totals().isEmpty)
        // One month later October's events are still held, and what came before them is not.
        let later = try MedicationPlanner(
            book: watch, now: try time("2026-12-30T00:00:00Z"), zone: "Europe/Berlin",
            zones: zones, intent: "later")
        #expect(try later.totals().isEmpty)
    }

    @Test func `a total that says something else than the events is named with both`() throws {
        let records = try records()
        var watch = try watch(records)
        for total in try totals(MedicationBook(try self.records(missing: ["2026-10-20"]))) {
            watch.apply(total)
        }
        let found = try watch.disagreements(now: now, zones: zones)
        #expect(found.map(\.month.description) == ["2026-10"])
        // Of October all days but the first two are known here.
        #expect(found.first?.stated.taken == 56 && found.first?.held.taken == 58)
        #expect(found.first?.stated.total == 58 && found.first?.held.total == 58)
    }

    @Test(arguments: [
        "", "x", "1,2", String(repeating: ",", count: 29) + " m",
        String(repeating: ",", count: 30), "3/4/0/0" + String(repeating: ",", count: 30) + " m",
        "02" + String(repeating: ",", count: 30) + " m",
        "-1" + String(repeating: ",", count: 30) + " m",
    ])
    func `a total that cannot be read counts for nothing`(counts: String) throws {
        func record(_ id: String, _ values: [Value]) throws -> RecordView {
            RecordView(
                collection: Schema.doseTotal.id, id: try #require(RecordID(id)),
                fields: [FieldValues(1, values)])
        }
        let days = Value.int(31)
        let readable = String(repeating: ",", count: 30) + " m"
        #expect(MonthTotal(try record("2026-10", [.text(readable), .int(0), .null, days])) != nil)
        let total = MonthTotal(try record("2026-10", [.text(counts), .int(0), .null, days]))
        #expect(total == nil || (counts.isEmpty && total?.sum == DayCount()))
        for (id, values) in [
            ("2026-13", [.text(readable), .int(0), .null, days]),
            ("2026-10", [.text(readable), .int(-1), .null, days]),
            ("2026-10", [.text(readable), .null, .null, days]),
            ("2026-10", [.text(readable), .int(0), .null, .int(32)]),
            ("2026-10", [.text(readable), .int(0), .null, .null]),
        ] as [(String, [Value])] {
            #expect(MonthTotal(try record(id, values)) == nil)
        }
    }

    @Test func `on clocks of another zone each dose is counted once`() throws {
        let records = try records(zone: "Pacific/Auckland")
        var watch = try watch(records)
        for total in try totals(MedicationBook(records)) { watch.apply(total) }
        for name in ["Pacific/Auckland", "Europe/Berlin", "Pacific/Honolulu"] {
            let zone = try TestZones.rules(name)
            let days = try #require(Day("2026-05-30"))...(try #require(Day("2026-11-24")))
            let whole = try MedicationBook(records).adherence(
                over: days, now: now, zone: zone, zones: zones)
            let known = try watch.adherence(over: days, now: now, zone: zone, zones: zones)
            #expect(known.count == whole.count, "\(name)")
        }
    }

    @Test func `months are read, written and counted through`() throws {
        let month = try #require(Month("2026-12"))
        #expect(month.next.description == "2027-01" && month.previous.description == "2026-11")
        #expect(month.dayCount == 31 && Month("2028-02")?.dayCount == 29)
        #expect(month.last.description == "2026-12-31")
        #expect(Month("2026-1") == nil && Month("2026-1x") == nil && Month("2026-00") == nil)
        #expect(Month(of: try time("2026-12-31T23:59:59.999Z")) == month)
        let coverage = LogCoverage(except: [month])
        #expect(!coverage.holds(month) && coverage.holds(month.next) && !coverage.isEverything)
        let winter = try #require(Day("2026-11-20"))...(try #require(Day("2027-02-03")))
        #expect(coverage.heldSince(winter) == Day("2027-01-01"))
        #expect(LogCoverage.everything.heldSince(winter) == nil)
        #expect(LogCoverage(except: [try #require(Month("2027-03"))]).heldSince(winter) == nil)
    }
}
