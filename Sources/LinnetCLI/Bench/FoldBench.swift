import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Measures how long five years of doses take to become today's view: all at once, and one dose
/// more.
enum FoldBench {
    private static let count = 20_000
    private static let zoneName = "Europe/Berlin"

    static func run(rounds: Int) throws(ControlFailure) -> Figures {
        let zone = try ZoneFiles.zone(named: zoneName)
        let now = Instant(milliseconds: 1_795_258_800_000)
        do throws(MedicationError) {
            return try measure(rounds, now, zone)
        } catch {
            throw .failed(MedText.sentence(for: error))
        }
    }

    private static func measure(
        _ rounds: Int, _ now: Instant, _ zone: ZoneRules
    ) throws(MedicationError) -> Figures {
        let zones = ZoneTable([zone])
        let records = try self.records(until: now, zones)
        var (fold, view, more, again): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for round in 0..<rounds {
            let began = ContinuousClock.now
            var book = MedicationBook(records)
            let folded = ContinuousClock.now
            let today = try book.today(now: now, zone: zone, zones: zones)
            let seen = ContinuousClock.now
            guard let open = today.lines.last, case .occurrence(let id, let time) = open.key,
                let event = event("round-\(round)", open.medication, id, time, at: now)
            else { break }
            let tapped = ContinuousClock.now
            book.apply(event)
            let applied = ContinuousClock.now
            _ = try book.today(now: now, zone: zone, zones: zones)
            fold.append((folded - began).microseconds)
            view.append((seen - folded).microseconds)
            more.append((applied - tapped).microseconds)
            again.append((ContinuousClock.now - applied).microseconds)
        }
        var figures = Figures(name: "five years, \(count) events")
        let both = zip(fold, view).map { $0 + $1 }
        let next = zip(more, again).map { $0 + $1 }
        figures.add("fold p50 µs", Figures.percentile(0.5, of: fold))
        figures.add("fold and today's view p50 µs", Figures.percentile(0.5, of: both))
        figures.add("one dose more p50 µs", Figures.percentile(0.5, of: more))
        figures.add("one dose more and the view p50 µs", Figures.percentile(0.5, of: next))
        figures.add(
            "whole beside one more",
            Figures.percentile(0.5, of: both)
                / max(Figures.percentile(0.5, of: next), 1))
        return figures
    }

    /// Makes the records of five medicines with eleven doses a day, and the last `count` of their
    /// events.
    private static func records(
        until now: Instant, _ zones: ZoneTable
    ) throws(MedicationError) -> [RecordView] {
        var records: [RecordView] = []
        for number in 0..<5 {
            guard let id = RecordID("medicine-\(number)") else { continue }
            let times = number == 0 ? "08:00,12:00,20:00" : "08:00,20:00"
            records += [
                RecordView(
                    of: Schema.medication, id: id,
                    named: [("name", [.text("Medicine \(number)")])]),
                RecordView(
                    of: Schema.schedule, id: id,
                    named: [
                        ("medication", [.text(id.description)]),
                        (
                            "timing",
                            [.text(times), .null, .text(zoneName), .null, .null, .null]
                        ),
                    ]),
            ]
        }
        let start = now.advanced(byMilliseconds: -5 * 366 * 86_400_000)
        var events: [RecordView] = []
        for schedule in MedicationBook(records).schedules.values {
            for due in try schedule.occurrences(in: start..<now, zones: zones) {
                let name = "\(schedule.id) \(due.scheduled.milliseconds)"
                guard
                    let event = event(
                        RecordID(naturalKey: "bench", name).description, due.medication,
                        due.schedule, due.scheduled, at: due.scheduled)
                else { continue }
                events.append(event)
            }
        }
        events.sort { $0.id < $1.id }
        return records + events.suffix(count)
    }

    private static func event(
        _ intent: String, _ medication: RecordID, _ schedule: RecordID, _ scheduled: Instant,
        at: Instant
    ) -> RecordView? {
        guard let id = DoseEvent.id(intent: intent, at: at) else { return nil }
        var event = DoseEvent(
            id: id, medication: medication, schedule: schedule, scheduled: scheduled,
            kind: .known(.taken), at: at, timeZone: zoneName)
        event.quantity = Dosage.onePiece
        return event.record
    }
}
