import LinnetCRDT

extension Schedule {
    /// A dose may be known under an instant this far from where it is due now.
    public static let claimMinutes: Int64 = 24 * 60

    /// The doses due within a range, where what was logged stands for the dose it was logged for.
    ///
    /// `logged` holds the scheduled instants that events name, those of deliberate second doses
    /// left out. An instant that is not due, because the zone's rules or the timing were others
    /// when it was logged, claims the nearest dose that nothing was logged for, at most
    /// `claimMinutes` away and no further than the middle between two doses; this dose then keeps
    /// the logged instant and so its identifier. An instant that finds none stands alone.
    public func occurrences(
        in range: Range<Instant>, zones: ZoneTable, logged: [Instant]
    ) throws(MedicationError) -> [Occurrence] {
        let reach = 2 * Schedule.claimMinutes
        let first = range.lowerBound.advanced(byMinutes: -reach)
        let wide = first..<range.upperBound.advanced(byMinutes: reach)
        var claims = DoseClaims(due: try occurrences(in: wide, zones: zones))
        claims.claim(by: logged.filter { wide.contains($0) }.sorted())
        return claims.settled(schedule: id, medication: medication).filter {
            range.contains($0.scheduled)
        }
    }
}

/// The dose for which each logged instant stands.
private struct DoseClaims {
    private let due: [Occurrence]
    /// For each dose the instant that was logged for it.
    private var claimed: [Instant?]
    private var alone: [Instant] = []

    init(due: [Occurrence]) {
        self.due = due
        claimed = Array(repeating: nil, count: due.count)
    }

    /// Lets ascending instants claim doses, first those that are due at just that time.
    mutating func claim(by logged: [Instant]) {
        var others: [Instant] = []
        for (index, instant) in logged.enumerated()
        where index == 0 || instant != logged[index - 1] {
            let place = firstDose(notBefore: instant)
            if place < due.count, due[place].scheduled == instant {
                claimed[place] = instant
            } else {
                others.append(instant)
            }
        }
        for instant in others {
            let after = firstDose(notBefore: instant)
            if let place = nearest(to: instant, before: after), claimed[place] == nil {
                claimed[place] = instant
            } else {
                alone.append(instant)
            }
        }
    }

    /// The doses under the instants that they are known by, ascending.
    func settled(
        schedule: RecordID, medication: RecordID
    ) -> [Occurrence] {
        let doses = zip(due, claimed).map { dose, instant in
            Occurrence(
                schedule: dose.schedule, medication: dose.medication,
                scheduled: instant ?? dose.scheduled, label: dose.label)
        }
        let others = alone.map {
            Occurrence(schedule: schedule, medication: medication, scheduled: $0)
        }
        return (doses + others).sorted { $0.scheduled < $1.scheduled }
    }

    /// Position of the nearer of the two doses around an instant, the earlier one in the middle.
    private func nearest(to instant: Instant, before after: Int) -> Int? {
        var best: (place: Int, distance: Int64)?
        for place in [after - 1, after] where due.indices.contains(place) {
            let distance = abs(due[place].scheduled.milliseconds(since: instant))
            if distance <= Schedule.claimMinutes * 60_000, distance < best?.distance ?? .max {
                best = (place, distance)
            }
        }
        return best?.place
    }

    private func firstDose(notBefore instant: Instant) -> Int {
        var low = 0
        var high = due.count
        while low < high {
            let middle = (low + high) / 2
            if due[middle].scheduled < instant {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
