import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Folding the events of one dose, against a reference that follows the words of the rule.
@Suite struct DoseTests {
    private let medication: RecordID
    private let schedule: RecordID
    private let scheduled = Instant(milliseconds: 1_768_032_000_000)

    init() throws {
        medication = try #require(RecordID("m"))
        schedule = try #require(RecordID("s"))
    }

    private func event(
        _ name: Int, _ kind: DoseEventKind, minute: Int64, undoes: [Int] = []
    ) throws -> DoseEvent {
        func id(_ name: Int) throws -> RecordID { try #require(RecordID("2026-01/\(name)")) }
        var event = DoseEvent(
            id: try id(name), medication: medication, schedule: schedule, scheduled: scheduled,
            kind: .known(kind), at: scheduled.advanced(byMinutes: minute), timeZone: "Etc/UTC")
        event.undoes = try undoes.map(id)
        return event
    }

    /// Quadratic and obvious: what nobody took back, by rank.
    private func reference(_ events: [DoseEvent]) -> (outcome: DoseOutcome, witnesses: Int) {
        var standing: [DoseEvent] = []
        for event in events {
            var isUndone = false
            for other in events where other.kind == .known(.undone) {
                for name in other.undoes where name == event.id { isUndone = true }
            }
            if !isUndone { standing.append(event) }
        }
        let taken = standing.filter { $0.kind == .known(.taken) }.map(\.at)
        let skipped = standing.filter { $0.kind == .known(.skipped) }.map(\.at)
        let snoozed = standing.filter { $0.kind == .known(.snoozed) }.map(\.at)
        if let first = taken.min() { return (.taken(at: first), taken.count) }
        if let last = skipped.max() { return (.skipped(at: last), 0) }
        if let last = snoozed.max() { return (.snoozed(at: last), 0) }
        return (.open, 0)
    }

    @Test(arguments: 0..<200)
    func `random events in any order fold as the rule says`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1)
        var events: [DoseEvent] = []
        for name in 0..<Int.random(in: 1...9, using: &random) {
            let kind = DoseEventKind.allCases.randomElement(using: &random) ?? .taken
            let seen = (0..<name).filter { _ in Bool.random(using: &random) }
            events.append(
                try event(
                    name, kind, minute: Int64.random(in: -30...90, using: &random),
                    undoes: kind == .undone ? seen : []))
        }
        let wanted = reference(events)
        let occurrence = Occurrence(
            schedule: schedule, medication: medication, scheduled: scheduled)
        let key = DoseKey.occurrence(schedule: schedule, scheduled: scheduled)
        for _ in 0..<4 {
            events.shuffle(using: &random)
            let dose = try #require(Dose(key: key, events: events))
            #expect(dose.outcome == wanted.outcome && dose.taken.count == wanted.witnesses)
            var ledger = DoseLedger()
            let half = Int.random(in: 0...events.count, using: &random)
            ledger.insert(events[..<half].map(\.record))
            for event in events[half...] { ledger.insert(event.record) }
            for event in events {
                let isNew = ledger.insert(event.record)
                #expect(!isNew)
            }
            let found = ledger.summary(of: occurrence)
            #expect(found.outcome == wanted.outcome && found.witnesses == wanted.witnesses)
            #expect(ledger.dose(key) == dose && ledger.count == events.count)
        }
    }

    @Test func `late is more than an hour after, missed a quarter of an hour`() throws {
        func word(_ outcome: DoseOutcome, _ minute: Int64) -> String {
            DoseStatus(
                outcome, scheduled: scheduled, now: scheduled.advanced(byMinutes: minute)
            ).word
        }
        #expect(word(.taken(at: scheduled.advanced(byMinutes: 60)), 90) == "taken")
        let late = scheduled.advanced(byMilliseconds: 3_600_001)
        #expect(word(.taken(at: late), 90) == "late")
        #expect(word(.open, -1) == "upcoming" && word(.open, 0) == "due")
        #expect(word(.open, 14) == "due" && word(.open, 15) == "missed")
        let put = DoseOutcome.snoozed(at: scheduled.advanced(byMinutes: 5))
        #expect(word(put, 14) == "snoozed" && word(put, 15) == "due")
        #expect(word(put, 29) == "due" && word(put, 30) == "missed")
        #expect(word(.skipped(at: scheduled), 900) == "skipped")
    }

    @Test func `an event is read back as it was written`() throws {
        var event = try event(1, .undone, minute: 3, undoes: [0, 2])
        event.note = "spilled"
        event.reason = Term("aliens")
        event.device = "watch"
        event.quantity = Dosage.onePiece
        #expect(DoseEvent(event.record) == event)
        event.isAdditional = true
        #expect(DoseEvent(event.record) == event)
        #expect(event.key == .additional(event: event.undoes[0]))
    }

    @Test func `what a newer version logs is kept, shown and counted for nothing`() throws {
        var strange = try event(1, .taken, minute: 0)
        strange = DoseEvent(
            id: strange.id, medication: medication, schedule: schedule, scheduled: scheduled,
            kind: Term("absorbed"), at: scheduled, timeZone: "Etc/UTC")
        let empty = RecordView(
            collection: Schema.doseEvent.id, id: try #require(RecordID("2026-01/x")), fields: [])
        let book = MedicationBook([strange.record, empty])
        #expect(book.ledger.unknownEvents.map(\.description) == ["2026-01/1", "2026-01/x"])
        let key = DoseKey.occurrence(schedule: schedule, scheduled: scheduled)
        #expect(book.ledger.dose(key)?.outcome == .open)
        #expect(book.ledger.dose(key)?.unknown.map(\.kind.text) == ["absorbed"])
        let zone = try TestZones.rules("Etc/UTC")
        let alerts = try book.alerts(now: scheduled, zone: zone, zones: TestZones.table())
        #expect(alerts.map(\.word) == ["unknown", "unknown"])
    }

    @Test func `a long schedule name still names a dose in 64 bytes`() throws {
        let long = try #require(RecordID(String(repeating: "s", count: 64)))
        let other = try #require(RecordID(String(repeating: "s", count: 63) + "t"))
        let keys = [schedule, long, other].map {
            DoseKey.occurrence(schedule: $0, scheduled: scheduled).stockKey
        }
        #expect(keys.allSatisfy { RecordID($0) != nil } && Set(keys).count == 3)
        #expect(keys[0] == Occurrence.id(schedule: schedule, scheduled: scheduled))
    }

    @Test func `forgotten events are gone`() throws {
        var ledger = DoseLedger()
        let (first, second) = (
            try event(1, .taken, minute: 0), try event(2, .skipped, minute: 1)
        )
        ledger.insert([first.record, second.record])
        ledger.remove(first.id)
        let key = DoseKey.occurrence(schedule: schedule, scheduled: scheduled)
        #expect(ledger.dose(key)?.outcome == .skipped(at: second.at))
        #expect(ledger.event(first.id) == nil && ledger.count == 1)
    }
}

/// A generator of numbers that follow from a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
