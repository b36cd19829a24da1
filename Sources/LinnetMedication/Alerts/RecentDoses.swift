import LinnetCRDT
import LinnetWire

/// The doses of the last days by when they were taken, whatever days they count for, and what is
/// wrong with them.
struct RecentDoses {
    /// The reach back to a dose that can still lie too close to one of the last day: half of the
    /// longest gap that a plan can have, which is a week.
    private static let reachMilliseconds = MedicationAlert.recentMilliseconds * 9 / 2

    private let book: MedicationBook
    private let doses: [Dose]
    /// The instant before which what was taken is not told any more.
    private let recent: Instant

    /// The doses that were taken before `now`, and those of a clock that is up to a day ahead.
    init(in book: MedicationBook, now: Instant) {
        self.book = book
        let day = MedicationAlert.recentMilliseconds
        recent = now.advanced(byMilliseconds: -day)
        let since = now.advanced(byMilliseconds: -Self.reachMilliseconds)
        doses = book.ledger.doses(takenIn: since..<now.advanced(byMilliseconds: day))
    }

    /// The alerts that a person should know of.
    var alerts: [MedicationAlert] {
        var medications = OrderedSet<RecordID>()
        for dose in doses { medications.insert(dose.medication) }
        var alerts: [MedicationAlert] = []
        for medication in medications.elements {
            let own = doses.filter { $0.medication == medication }
            alerts += closePairs(own, of: medication)
            if let alert = aboveMaximum(own, of: medication) { alerts.append(alert) }
        }
        return alerts
    }

    /// Doses that lie closer than half their plan's gap, additional ones and those that are nearest
    /// to them, and witnesses of one dose that are far apart.
    private func closePairs(_ doses: [Dose], of medication: RecordID) -> [MedicationAlert] {
        var pairs: [[TakenDose]] = []
        func tell(_ first: DoseEvent, _ second: DoseEvent) {
            let pair = [TakenDose(first), TakenDose(second)]
            if second.at >= recent, !pairs.contains(pair) { pairs.append(pair) }
        }
        for (index, dose) in doses.enumerated() {
            guard let first = dose.taken.first, let last = dose.taken.last else { continue }
            if last.at.milliseconds(since: first.at) > MedicationAlert.witnessMilliseconds {
                tell(first, last)
            }
            let before = index > 0 ? doses[index - 1].taken.first : nil
            if let before {
                let closest = book.closestMilliseconds(of: medication, at: before.at)
                if first.at.milliseconds(since: before.at) < closest { tell(before, first) }
            }
            guard case .additional = dose.key else { continue }
            let after = index + 1 < doses.count ? doses[index + 1].taken.first : nil
            let gaps = (
                before.map { first.at.milliseconds(since: $0.at) } ?? .max,
                after.map { $0.at.milliseconds(since: first.at) } ?? .max
            )
            let day = MedicationAlert.recentMilliseconds
            if let before, gaps.0 <= min(gaps.1, day) {
                tell(before, first)
            } else if let after, gaps.1 <= day {
                tell(first, after)
            }
        }
        return pairs.map { .possibleDoubleDose(medication: medication, doses: $0) }
    }

    /// The last 24 hours, wherever they begin, in which more doses were taken than are allowed.
    ///
    /// A day of 24 hours knows neither midnight nor zones: a flight makes no room for another dose.
    private func aboveMaximum(_ doses: [Dose], of medication: RecordID) -> MedicationAlert? {
        guard let maximum = book.medication(medication)?.maximumPerDay, maximum > 0 else {
            return nil
        }
        let taken = doses.compactMap(\.taken.first)
        for last in taken.reversed() where last.at >= recent {
            let start = last.at.advanced(byMilliseconds: -MedicationAlert.recentMilliseconds)
            let within = taken.filter { $0.at > start && $0.at <= last.at }
            if within.count > maximum {
                return .aboveMaximum(
                    medication: medication, maximum: maximum, doses: within.map { TakenDose($0) })
            }
        }
        return nil
    }
}
