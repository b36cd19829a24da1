import LinnetMedication

/// The total of a month says what the doses say that count as taken, and of what a device does not
/// hold nothing is called missed.
final class TotalsAgree: Checker {
    let invariant = Invariant.totalsAgree
    let sights: [Sight.Kind] = [.medication]
    private let known: Knowledge
    /// The days after its end until which a month is looked at, in milliseconds.
    private static let later: Int64 = 40 * 86_400_000

    init(_ known: Knowledge) { self.known = known }

    /// Of every eighth state: a month takes long.
    func observe(_ sight: Sight) throws(Violation) {
        guard case .medication(let shown) = sight, shown.problem == nil, !known.medication.travels,
            shown.deeds.count % 8 == 7
        else { return }
        try check(shown.deeds, shown.book, shown.device)
    }

    private func check(
        _ deeds: [ShownDeed], _ book: MedicationBook, _ device: Int
    ) throws(Violation) {
        do {
            let start = Instant(milliseconds: DeviceClock.epochMilliseconds)
            let month = Month(of: start)
            let now = month.next.start.advanced(byMilliseconds: Self.later)
            let zones = SimulatedZones.table
            guard let total = try book.total(of: month, now: now, zones: zones) else {
                throw violation(
                    "no total of a month", on: device)
            }
            for number in known.medication.habits.keys.sorted() {
                try compare(total, deeds.filter { $0.entry.deed.medication == number }, device)
            }
            var poor = book
            poor.coverage = LogCoverage(only: [])
            let lines = try poor.lines(in: start..<now, now: now, zones: zones)
            guard !lines.contains(where: { $0.status == .missed }) else {
                throw violation(
                    "a dose of a month that is not held is called missed",
                    on: device)
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw violation(
                "the doses cannot be counted: \(error)", on: device)
        }
    }

    private func compare(
        _ total: MonthTotal, _ deeds: [ShownDeed], _ device: Int
    ) throws(Violation) {
        let added = deeds.contains { if case .add = $0.entry.deed.kind { true } else { false } }
        guard added, let number = deeds.first?.entry.deed.medication else { return }
        let end = total.month.next.start
        let due = known.medication.doses(
            of: number, from: DeviceClock.epochMilliseconds, until: end.milliseconds)
        let taken = known.tapsByDose(deeds).filter(known.stands).compactMap { $0.first?.entry.dose }
            .filter { $0 < end }
        let id = MedicationDeed.id(number)
        let counts = (0..<Int64(total.days)).compactMap {
            total.count(on: total.month.first.advanced(byDays: $0), of: id)
        }
        let said = (
            due: counts.reduce(0) { $0 + $1.total }, taken: counts.reduce(0) { $0 + $1.taken }
        )
        guard said.due == due.count, said.taken == taken.count else {
            throw violation(
                "medicine \(number): the total says \(said.taken) of \(said.due), the doses "
                    + "\(taken.count) of \(due.count)", on: device)
        }
    }
}
