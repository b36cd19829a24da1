import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Leaves and shows monthly totals, from which devices that do not hold a month know of it.
enum MedTotals {
    static let action = MedCommand.Action(
        name: "totals", words: "", summary: "the totals of whole months, for every device",
        options: [], run: totals)

    private static func totals(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let written = try await leave(session.book, session.zones, session.now, session.gateway)
        let book = try await BookReader.book(session.gateway)
        let found = try MedicineDesk.asked { () throws(MedicationError) in
            try book.disagreements(now: session.now, zones: session.zones)
        }
        let rows = book.totals.values.map { total in
            let other = found.first { $0.month == total.month }
            session.output.result(json(total, other, book, session), "")
            let standing = standing(total, other, book, session)
            let month =
                total.days < total.month.dayCount
                ? "\(total.month), its first \(total.days == 1 ? "day" : "\(total.days) days")"
                : total.month.description
            return [month, MedText.text(total.sum), standing]
        }
        guard !session.output.isJSON else { return }
        session.output.say(rows.isEmpty ? "no monthly totals" : MedText.table(rows))
        if written > 0 { session.output.note("totals written by this device: \(written)", .info) }
    }

    /// Writes the totals that are missing or have changed, where this device holds all months;
    /// returns their number.
    static func leave(
        _ book: MedicationBook, _ zones: ZoneTable, _ now: Instant, _ gateway: Gateway,
        again since: Month? = nil
    ) async throws(ControlFailure) -> Int {
        let writes = try MedicineDesk.asked { () throws(MedicationError) in
            try MedicationPlanner(
                book: book, now: now, zone: "Etc/UTC", zones: zones, intent: "totals"
            ).totals(again: since)
        }
        guard !writes.isEmpty,
            try await gateway.schemaFile().schema.collection(id: Schema.doseTotal.id) != nil
        else { return 0 }
        _ = try await gateway.write(writes)
        return writes.count
    }

    private static func standing(
        _ total: MonthTotal, _ other: TotalDisagreement?, _ book: MedicationBook,
        _ session: MedSession
    ) -> String {
        if let other { return "the events held here say \(MedText.text(other.held))" }
        let (first, last) = ends(total, book, session)
        if !first && !last { return "the events are not held here" }
        return first && last
            ? "the events held here agree" : "the events of the days that are held here agree"
    }

    /// Returns true for each end of the total's days whose events are held here.
    private static func ends(
        _ total: MonthTotal, _ book: MedicationBook, _ session: MedSession
    ) -> (first: Bool, last: Bool) {
        let last = total.month.first.advanced(byDays: Int64(max(total.days, 1)) - 1)
        return (
            book.coverage.knows(total.month.first, now: session.now),
            book.coverage.knows(last, now: session.now)
        )
    }

    private static func json(
        _ total: MonthTotal, _ other: TotalDisagreement?, _ book: MedicationBook,
        _ session: MedSession
    ) -> JSON {
        [
            "month": .text(total.month.description), "total": .integer(total.sum.total),
            "taken": .integer(total.sum.taken), "late": .integer(total.sum.late),
            "missed": .integer(total.sum.missed), "skipped": .integer(total.sum.skipped),
            "events": .integer(total.events), "days": .integer(total.days),
            "isHeld": .bool(ends(total, book, session) == (true, true)),
            "disagreement": MedJSON.optional(other.map(MedText.text)),
        ]
    }
}
