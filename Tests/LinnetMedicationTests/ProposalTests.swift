import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Expected instants were worked out by hand from the offsets that `zdump` shows.
struct ProposalTests {
    private let zones: ZoneTable

    init() throws {
        zones = try TestZones.table()
    }

    /// The instants that a strategy would make due within five days, and those of the old timing.
    private func doses(
        _ times: [String], from: String, to: String, at now: String, _ strategy: TravelStrategy
    ) throws -> [String] {
        let schedule = try TestDoses.schedule(times, from)
        let proposal = try #require(try self.proposal(schedule, to: to, at: now))
        let option = try #require(try proposal.option(strategy))
        return option.doses.map(\.occurrence.scheduled.description)
    }

    private func proposal(
        _ schedule: Schedule, to: String, at now: String, decidedZone: String? = nil,
        logged: String? = nil
    ) throws -> Proposal? {
        let instant = try #require(Instant(now))
        return try Proposal(
            schedule: schedule,
            change: ZoneChange(
                id: try TestDoses.id("z"), from: schedule.timing.referenceZone, to: to,
                at: instant),
            decidedZone: decidedZone, now: instant, logged: logged.flatMap(Instant.init),
            zones: zones, days: 5)
    }

    @Test func `keeping local time moves the doses to the new zone's clocks`() throws {
        #expect(
            try doses(
                ["08:00", "20:00"], from: "Europe/Berlin", to: "America/New_York",
                at: "2026-11-20T12:00:00Z", .keepLocalTime
            ).prefix(4) == [
                // 08:00 in Berlin was at 07:00Z; 20:00 in New York is at 01:00Z.
                "2026-11-20T13:00:00.000Z", "2026-11-21T01:00:00.000Z",
                "2026-11-21T13:00:00.000Z", "2026-11-22T01:00:00.000Z",
            ])
    }

    @Test func `keeping home time leaves every dose where it is, over a change of clocks too`()
        throws
    {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let proposal = try #require(
            try proposal(schedule, to: "Asia/Tokyo", at: "2026-10-23T00:00:00Z"))
        let option = try #require(try proposal.option(.keepHomeTime))
        #expect(
            option.doses.map(\.occurrence.scheduled.description) == [
                "2026-10-23T06:00:00.000Z", "2026-10-24T06:00:00.000Z",
                "2026-10-25T07:00:00.000Z", "2026-10-26T07:00:00.000Z",
                "2026-10-27T07:00:00.000Z",
            ])
        #expect(
            option.doses.map(\.here.description) == [
                "2026-10-23 15:00", "2026-10-24 15:00", "2026-10-25 16:00", "2026-10-26 16:00",
                "2026-10-27 16:00",
            ])
        #expect(option.doses.allSatisfy { $0.home.hour == 8 && $0.warning == nil })
        #expect(option.timing.referenceZone == "Europe/Berlin")
    }

    @Test func `a gradual shift takes an hour a day and arrives`() throws {
        #expect(
            try doses(
                ["08:00"], from: "Europe/Berlin", to: "Asia/Kathmandu",
                at: "2026-11-20T12:00:00Z", .usualGradualShift
            ) == [
                // From 07:00Z to 02:15Z in steps of an hour, the last one shorter.
                "2026-11-21T06:00:00.000Z", "2026-11-22T05:00:00.000Z",
                "2026-11-23T04:00:00.000Z", "2026-11-24T03:00:00.000Z",
                "2026-11-25T02:15:00.000Z",
            ])
    }

    @Test func `a shift goes the shorter way round, half an hour at Lord Howe`() throws {
        #expect(
            try doses(
                ["08:00"], from: "Pacific/Auckland", to: "Australia/Lord_Howe",
                at: "2026-11-19T22:00:00Z", .gradualShift(minutesPerDay: 50)
            ) == [
                // From 19:00Z (+13) to 21:00Z (+11).
                "2026-11-20T19:50:00.000Z", "2026-11-21T20:40:00.000Z",
                "2026-11-22T21:00:00.000Z", "2026-11-23T21:00:00.000Z",
                "2026-11-24T21:00:00.000Z",
            ])
    }

    @Test(arguments: [
        // Now, and the first doses in Honolulu (18:00Z); at home they were due at 19:00Z.
        ("2026-11-20T12:00:00Z", ["2026-11-20T18:00:00.000Z", "2026-11-21T18:00:00.000Z"]),
        ("2026-11-20T18:30:00Z", ["2026-11-20T19:00:00.000Z", "2026-11-21T18:00:00.000Z"]),
        ("2026-11-20T19:30:00Z", ["2026-11-21T18:00:00.000Z", "2026-11-22T18:00:00.000Z"]),
    ])
    func `the date line eastwards loses no dose and doubles none`(
        now: String, expected: [String]
    ) throws {
        let found = try doses(
            ["08:00"], from: "Pacific/Auckland", to: "Pacific/Honolulu", at: now, .keepLocalTime)
        #expect(Array(found.prefix(2)) == expected)
    }

    @Test(arguments: [
        ("2026-11-20T12:00:00Z", ["2026-11-20T19:00:00.000Z", "2026-11-21T19:00:00.000Z"]),
        ("2026-11-20T18:30:00Z", ["2026-11-21T19:00:00.000Z", "2026-11-22T19:00:00.000Z"]),
        ("2026-11-20T19:30:00Z", ["2026-11-21T19:00:00.000Z", "2026-11-22T19:00:00.000Z"]),
    ])
    func `the date line westwards loses no dose and doubles none`(
        now: String, expected: [String]
    ) throws {
        let found = try doses(
            ["08:00"], from: "Pacific/Honolulu", to: "Pacific/Auckland", at: now, .keepLocalTime)
        #expect(Array(found.prefix(2)) == expected)
    }

    @Test func `from Honolulu to Kiritimati only the date changes`() throws {
        let found = try doses(
            ["08:00", "20:00"], from: "Pacific/Honolulu", to: "Pacific/Kiritimati",
            at: "2026-11-20T19:00:00Z", .keepLocalTime)
        #expect(
            found.prefix(3) == [
                "2026-11-21T06:00:00.000Z", "2026-11-21T18:00:00.000Z",
                "2026-11-22T06:00:00.000Z",
            ])
    }

    @Test func `custom times are read in the new zone`() throws {
        let times = [try DoseTime(hour: 9, minute: 30)]
        #expect(
            try doses(
                ["08:00"], from: "Europe/Berlin", to: "Asia/Kathmandu",
                at: "2026-11-20T12:00:00Z", .custom(times)
            ).prefix(2) == ["2026-11-21T03:45:00.000Z", "2026-11-22T03:45:00.000Z"])
    }

    @Test func `unusual gaps are warned of, and only those`() throws {
        let schedule = try TestDoses.schedule(["08:00", "14:00", "20:00"], "Europe/Berlin")
        let proposal = try #require(
            try proposal(schedule, to: "America/New_York", at: "2026-11-20T12:00:00Z"))
        for option in proposal.options {
            #expect(option.warnings.isEmpty, "\(option.strategy)")
        }
        let once = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let far = try #require(
            try self.proposal(once, to: "Pacific/Auckland", at: "2026-11-20T12:00:00Z"))
        let noon = try #require(
            try far.option(.custom([DoseTime(hour: 7, minute: 30)])))
        // From 07:00Z to 18:30Z of the same day: 11.5 hours after the last dose.
        #expect(noon.doses.first?.occurrence.scheduled == Instant("2026-11-21T18:30:00Z"))
        #expect(noon.doses.first?.gapMinutes == 2_130)
        #expect(noon.warnings.isEmpty)
        #expect(UsualGaps(schedule.timing)?.longestMinutes == 720)
        #expect(UsualGaps(schedule.timing)?.warning(gapMinutes: 179) == .short)
        #expect(UsualGaps(schedule.timing)?.warning(gapMinutes: 180) == nil)
        #expect(UsualGaps(schedule.timing)?.warning(gapMinutes: 1_080) == nil)
        #expect(UsualGaps(schedule.timing)?.warning(gapMinutes: 1_081) == .long)
    }

    @Test func `previews name the days that the zone leaves out`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Pacific/Honolulu")
        let proposal = try #require(
            try proposal(schedule, to: "Pacific/Apia", at: "2011-12-28T00:00:00Z"))
        let option = try #require(try proposal.option(.keepLocalTime))
        #expect(option.missingDays.map(\.description) == ["2011-12-30"])
        #expect(
            option.doses.map(\.here.description)
                == [
                    "2011-12-28 08:00", "2011-12-29 08:00", "2011-12-31 08:00", "2012-01-01 08:00",
                    "2012-01-02 08:00",
                ])
        #expect(option.doses.allSatisfy { $0.gapMinutes == 1_440 })
        #expect(proposal.options[1].missingDays == [])
    }

    @Test func `a dose that was taken early stays, and the next one follows it`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let proposal = try #require(
            try proposal(
                schedule, to: "America/New_York", at: "2026-11-20T06:30:00Z",
                logged: "2026-11-20T07:00:00Z"))
        let option = try #require(try proposal.option(.keepLocalTime))
        #expect(
            option.doses.first?.occurrence.scheduled == Instant("2026-11-21T13:00:00Z"))
        #expect(option.doses.first?.gapMinutes == 1_800)
    }

    @Test func `what a change does not concern gets no proposal`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let now = "2026-11-20T12:00:00Z"
        #expect(try proposal(schedule, to: "Europe/Berlin", at: now) == nil)
        #expect(try proposal(schedule, to: "Asia/Tokyo", at: now, decidedZone: "Asia/Tokyo") == nil)
        let interval = try TestDoses.schedule(
            ["every 8 h from 2026-11-20T00:00:00.000Z"], "Europe/Berlin")
        #expect(try proposal(interval, to: "Asia/Tokyo", at: now) == nil)
        let ended = Schedule(
            id: schedule.id, medication: schedule.medication, timing: schedule.timing,
            endDay: Day("2026-11-20"))
        #expect(try proposal(ended, to: "Asia/Tokyo", at: now) == nil)
    }

    @Test func `doses a minute apart are not shifted gradually`() throws {
        let schedule = try TestDoses.schedule(["08:00", "08:01"], "Europe/Berlin")
        let proposal = try #require(
            try proposal(schedule, to: "Asia/Tokyo", at: "2026-11-20T12:00:00Z"))
        #expect(proposal.options.map(\.strategy) == [.keepLocalTime, .keepHomeTime])
        #expect(throws: MedicationError.badShift) {
            try proposal.option(.gradualShift(minutesPerDay: 10))
        }
        #expect(throws: MedicationError.badTimes) { try proposal.option(.custom([])) }
    }
}

extension ProposalTests {
    @Test func `a confirmation becomes the timing and keeps the past`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let now = try #require(Instant("2026-11-20T12:00:00Z"))
        let proposal = try #require(
            try proposal(schedule, to: "Asia/Tokyo", at: "2026-11-20T12:00:00Z"))
        for option in proposal.options {
            let adjustment = try proposal.confirming(option, id: TestDoses.id("a"), at: now)
            let history = AdjustmentHistory(
                schedule: schedule.id, timing: adjustment.after, adjustments: [adjustment])
            let after = schedule.replacing(timing: adjustment.after, earlier: history.earlier)
            #expect(history.isComplete)
            #expect(history.decidedZone == "Asia/Tokyo")
            #expect(history.superseded == [])
            #expect(
                try after.occurrences(
                    in: now..<now.advanced(byMinutes: 5 * 1_440), zones: zones)
                    == option.doses.map(\.occurrence))
            let past = now.advanced(byMinutes: -5 * 1_440)..<now
            #expect(
                try after.occurrences(in: past, zones: zones)
                    == schedule.occurrences(in: past, zones: zones))
        }
    }
}
