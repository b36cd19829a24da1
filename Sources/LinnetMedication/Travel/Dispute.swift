public import LinnetCRDT

/// Decisions about one schedule that were made apart from each other: one counts, the others are
/// shown as superseded until somebody decides who knows of all of them.
public struct Dispute: Equatable, Sendable {
    /// The schedule.
    public let schedule: RecordID
    /// The medication of the schedule.
    public let medication: RecordID
    /// The decision that counts; nil where this device does not hold it.
    public let counts: Adjustment?
    /// The others, in the order in which they were made.
    public let superseded: [Adjustment]

    /// All strategies in a few words, such as `keepLocalTime, not gradualShift`.
    public var text: String {
        let others = superseded.map(\.strategy).joined(separator: ", not ")
        return (counts?.strategy ?? "not known here") + ", not " + others
    }
}

extension MedicationBook {
    /// The disputes about schedules that make doses due: decisions that were made apart and are not
    /// confirmed yet.
    public var disputes: [Dispute] {
        scheduleRecords.values.compactMap { record in
            guard record.isActive, medications[record.medication]?.isActive == true,
                let history = histories[record.id], !history.unsettled.isEmpty
            else { return nil }
            return Dispute(
                schedule: record.id, medication: record.medication, counts: history.current,
                superseded: history.unsettled)
        }
    }
}

extension Adjustment {
    /// Returns true when both make the same of the same timing: two devices on which the same was
    /// decided.
    func decidesLike(_ other: Adjustment) -> Bool {
        strategy == other.strategy && after.pattern == other.after.pattern
            && after.daysOfWeek == other.after.daysOfWeek
            && after.referenceZone == other.after.referenceZone
            && after.shift == other.after.shift
            && before.timing.adjustment == other.before.timing.adjustment
    }

    /// Returns true when it was decided as a strategy says.
    func follows(_ strategy: TravelStrategy) -> Bool {
        guard self.strategy == strategy.name else { return false }
        return switch strategy {
        case .keepLocalTime, .keepHomeTime: true
        case .gradualShift(let minutes):
            after.shift.map { $0.minutesPerDay == minutes } ?? true
        case .custom(let times): after.times == times.sorted()
        }
    }
}
