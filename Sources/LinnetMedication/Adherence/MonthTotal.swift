package import LinnetCRDT
import LinnetWire

/// The fate of the doses of a month, for devices that do not hold its events: by medication, and by
/// the day in the zone that the schedule lived by.
package struct MonthTotal: Equatable, Sendable {
    /// The month of the days.
    package let month: Month
    /// The number of days of the month that it counts, from the first one on.
    package let days: Int
    /// The number of events that it counts: of two totals the one that counts more knows more.
    package let events: Int
    /// The day on which the first dose of all months was due; nil when a schedule has no beginning.
    package let beginning: Day?
    /// For each medication as many counts as there are `days`.
    let counts: OrderedTable<RecordID, [DayCount]>

    /// A total; medications without doses are left out.
    init(
        month: Month, days: Int, events: Int, beginning: Day?,
        counts: OrderedTable<RecordID, [DayCount]>
    ) {
        self.month = month
        self.days = days
        self.events = events
        self.beginning = beginning
        self.counts = OrderedTable(
            zip(counts.keys, counts.values).filter { $0.1.contains { $0.total > 0 } })
    }

    /// Reads a record of the collection; nil when only a newer version can.
    package init?(_ record: RecordView) {
        typealias Members = Schema.TotalMembers
        let total = Schema.TotalFields.total
        guard let month = Month(record.id.description),
            let text = record.text(total, member: Members.counts),
            let events = record.whole(total, member: Members.events),
            (0...Int64(Int32.max)).contains(events),
            let length = record.whole(total, member: Members.days),
            (0...Int64(month.dayCount)).contains(length)
        else { return nil }
        var counts = OrderedTable<RecordID, [DayCount]>()
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let medication = RecordID(String(parts[1])) else { return nil }
            let days = parts[0].split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { DayCount($0) }
            guard days.count == Int(length), counts[medication] == nil else { return nil }
            counts[medication] = days
        }
        self.init(
            month: month, days: Int(length), events: Int(events),
            beginning: record.day(total, member: Members.beginning), counts: counts)
    }

    /// The change that leaves it, all of it at once.
    package var change: Change {
        let lines = zip(counts.keys, counts.values).map { medication, days in
            days.map(\.text).joined(separator: ",") + " " + medication.description
        }
        typealias Members = Schema.TotalMembers
        return .set(
            FieldWrite(
                Schema.TotalFields.total,
                members: [
                    (Members.counts, .text(lines.joined(separator: "\n"))),
                    (Members.events, .int(Int64(events))),
                    (Members.beginning, .optional(beginning)), (Members.days, .int(Int64(days))),
                ]))
    }

    /// Returns true when it counts a day.
    package func covers(_ day: Day) -> Bool {
        day >= month.first && day < month.first.advanced(byDays: Int64(days))
    }

    /// Tells what became of the doses of a day; of all medications unless one is named. Nil for a
    /// day that it does not count.
    package func count(on day: Day, of medication: RecordID? = nil) -> DayCount? {
        guard covers(day) else { return nil }
        let place = Int(day.number - month.first.number)
        let rows = medication.map { counts[$0].map { [$0] } ?? [] } ?? counts.values
        return rows.filter { $0.indices.contains(place) }.reduce(DayCount()) { $0 + $1[place] }
    }

    /// The same with these days alone.
    func restricted(to isWanted: (Day) -> Bool) -> MonthTotal {
        var table = counts
        for (medication, days) in zip(counts.keys, counts.values) {
            table[medication] = days.enumerated().map { place, count in
                isWanted(month.first.advanced(byDays: Int64(place))) ? count : DayCount()
            }
        }
        return MonthTotal(
            month: month, days: days, events: events, beginning: beginning, counts: table)
    }

    /// All doses of the month.
    package var sum: DayCount { counts.values.reduce(DayCount()) { $1.reduce($0, +) } }

    /// Returns true when both say the same of every dose.
    func agrees(with other: MonthTotal) -> Bool {
        counts.keys == other.counts.keys && counts.values == other.counts.values
    }
}
