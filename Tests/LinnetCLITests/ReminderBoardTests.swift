import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication
import Testing

@testable import LinnetCLI

/// Which reminders are shown and closed, over the rules of the medicines themselves.
struct ReminderBoardTests {
    private let zone: ZoneRules
    private let zones: ZoneTable
    private var diary: MedicationDiary<MemoryRepository>
    private let metformin: RecordID
    private var board = ReminderBoard()

    /// Something is taken at 08:00 in Berlin; the board is first asked at 06:00.
    init() throws {
        zone = try SystemZones.zone(named: "Europe/Berlin")
        zones = ZoneTable([zone])
        let now = try #require(Instant("2026-11-20T05:00:00Z"))
        diary = MedicationDiary(
            MemoryRepository(), at: now, in: "Europe/Berlin", zones: zones, device: "Laptop",
            witness: "0123456789abcdef")
        var draft = MedicationDraft()
        draft.name = .set("Metformin")
        draft.minimumStock = .set(try #require(Decimal64(parsing: "5")))
        var timing = TimingDraft()
        timing.times = [(hour: 8, minute: 0, label: "")]
        let stock: Decimal64 = try #require(Decimal64(parsing: "9"))
        metformin = try diary.add(draft, timing: timing, stock: stock, intent: "add").medication
    }

    /// Returns what is to be done at a time of that morning, by the clock in Berlin.
    private mutating func orders(_ clock: String, isQuiet: Bool = false) throws -> [String] {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        let day = try #require(Day("2026-11-20"))
        diary.now = try #require(zone.instant(day: day, hour: parts[0], minute: parts[1]))
        let facts = try ReminderFacts(try diary.book(), now: diary.now, zone: zone, zones: zones)
        return board.update(facts, isQuiet: isQuiet).map { order in
            switch order {
            case .close(let key): return "close " + key.prefix { $0 != " " }
            case .show(let notice):
                switch notice.matter {
                case .dose(_, let kind): return "show \(kind.rawValue)"
                case .alert(let alert): return "show \(alert.word)"
                }
            }
        }
    }

    private var dose: DoseNote {
        get throws {
            var note = DoseNote()
            let scheduled: Instant = try #require(Instant("2026-11-20T07:00:00Z"))
            note.scheduled = scheduled
            return note
        }
    }

    @Test mutating func `a dose is shown before its time, once, and again when it is missed`()
        throws
    {
        #expect(try orders("07:54").isEmpty)
        #expect(try orders("07:55") == ["show upcoming"])
        #expect(try orders("07:56").isEmpty)
        #expect(try orders("08:11").isEmpty)
        #expect(board.shown.count == 1)
        #expect(try orders("08:15") == ["show missed"])
        #expect(try orders("12:00").isEmpty)
        #expect(board.shown.count == 1)
    }

    @Test mutating func `what is recorded closes the notice, and taking it back shows it again`()
        throws
    {
        #expect(try orders("07:55") == ["show upcoming"])
        try diary.take(metformin, try dose, intent: "t")
        #expect(try orders("07:56") == ["close dose"])
        #expect(try orders("07:57").isEmpty)
        try diary.undo(metformin, try dose, intent: "u")
        #expect(try orders("07:58") == ["show upcoming"])
    }

    @Test mutating func `a dose that is put off comes again`() throws {
        #expect(try orders("07:55") == ["show upcoming"])
        try diary.snooze(metformin, try dose, intent: "s")
        #expect(try orders("07:56") == ["close dose"])
        #expect(try orders("08:04").isEmpty)
        #expect(try orders("08:05") == ["show snoozed"])
    }

    @Test mutating func `a machine that slept tells what was missed, once`() throws {
        #expect(try orders("07:00").isEmpty)
        #expect(try orders("11:00") == ["show missed"])
        #expect(try orders("11:01").isEmpty)
    }

    @Test mutating func `nothing new is shown in a quiet time, and what is open at its end`() throws
    {
        #expect(try orders("07:55", isQuiet: true).isEmpty)
        #expect(try orders("08:12", isQuiet: true).isEmpty)
        // Its reminder is older than a plan keeps, and it is not missed yet.
        #expect(try orders("08:13") == ["show upcoming"])
        var other = self
        other.board = ReminderBoard()
        #expect(try other.orders("07:55", isQuiet: true).isEmpty)
        try other.diary.take(metformin, try dose, intent: "t")
        #expect(try other.orders("08:13").isEmpty)
    }

    @Test mutating func `what is put away or lost is remembered as such`() throws {
        #expect(try orders("07:55") == ["show upcoming"])
        let key = try #require(board.shown.keys.first)
        board.wasClosed(key)
        #expect(try orders("07:56").isEmpty)
        #expect(try orders("08:15") == ["show missed"])
        board.wasLost(key)
        #expect(try orders("08:16") == ["show missed"])
    }

    @Test mutating func `a low stock is told until it is refilled, and anew when it is low again`()
        throws
    {
        #expect(try orders("06:00").isEmpty)
        try diary.recount(metformin, to: try #require(Decimal64(parsing: "3")), intent: "c")
        #expect(try orders("06:01") == ["show lowStock"])
        try diary.refill(metformin, by: try #require(Decimal64(parsing: "30")), intent: "r")
        #expect(try orders("06:02") == ["close stock"])
        try diary.recount(metformin, to: try #require(Decimal64(parsing: "2")), intent: "d")
        #expect(try orders("06:03") == ["show lowStock"])
    }

    @Test mutating func `choosing twice is one wish, and after taking it back another`() throws {
        #expect(try orders("07:55") == ["show upcoming"])
        let first = try #require(board.shown.values.first)
        #expect(first.intent(.take, of: "x") == first.intent(.take, of: "x"))
        #expect(first.intent(.take, of: "x") != first.intent(.skip, of: "x"))
        #expect(first.intent(.take, of: "x") != first.intent(.take, of: "y"))
        try diary.take(metformin, try dose, intent: first.intent(.take, of: "x"))
        #expect(try orders("07:56") == ["close dose"])
        try diary.undo(metformin, try dose, intent: "u")
        #expect(try orders("07:57") == ["show upcoming"])
        let second = try #require(board.shown.values.first)
        #expect(second.intent(.take, of: "x") != first.intent(.take, of: "x"))
    }

    @Test func `quiet hours go over midnight`() throws {
        let hours = try QuietHours("22:00-07:00")
        func end(_ text: String) throws -> String? {
            hours.end(at: try #require(Instant(text)), in: zone)?.description
        }
        #expect(try end("2026-11-20T20:59:59Z") == nil)
        #expect(try end("2026-11-20T21:00:00Z") == "2026-11-21T06:00:00.000Z")
        #expect(try end("2026-11-21T05:59:30Z") == "2026-11-21T06:00:00.000Z")
        #expect(try end("2026-11-21T06:00:00Z") == nil)
        #expect(try QuietHours("13:00-14:30").end == 870)
        for wrong in ["22:00", "22:00-22:00", "a-b", "25:00-07:00", "22:00-07:00-08:00", ""] {
            #expect(throws: ControlFailure.self) { try QuietHours(wrong) }
        }
    }
}
