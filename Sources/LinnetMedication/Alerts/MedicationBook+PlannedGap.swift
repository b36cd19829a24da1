import LinnetCRDT
import LinnetWire

extension MedicationBook {
    /// Two doses of a medication that lie closer than this may be one too many: half the shortest
    /// gap of its plan at an instant; without a plan `MedicationAlert.doubleMilliseconds`.
    func closestMilliseconds(of medication: RecordID, at instant: Instant) -> Int64 {
        var schedules = schedules.values.filter { $0.medication == medication }
        let active = schedules.filter { scheduleRecords[$0.id]?.isActive == true }
        if !active.isEmpty { schedules = active }
        let timings = schedules.map { schedule in
            schedule.earlier.first { instant < $0.until }?.timing ?? schedule.timing
        }
        let gap = shortestGapMinutes(timings) ?? self.medication(medication)?.frequency?.gapMinutes
        guard let gap else { return MedicationAlert.doubleMilliseconds }
        return max(MedicationAlert.doubleMilliseconds, gap * 60_000 / 2)
    }

    /// The shortest gap of an ordinary week in which some timings apply together.
    private func shortestGapMinutes(_ timings: [Timing]) -> Int64? {
        var week = OrderedSet<Int>()
        var gaps: [Int64] = []
        for timing in timings {
            switch timing.pattern {
            case .asNeeded: break
            case .interval(let hours, _): gaps.append(Int64(hours) * 60)
            case .times(let times):
                for day in Weekday.allCases where timing.daysOfWeek.includes(day) {
                    for time in times {
                        week.insert((day.rawValue - 1) * 1_440 + time.minuteOfDay)
                    }
                }
            }
        }
        let minutes = week.elements
        if let first = minutes.first {
            let next = minutes.dropFirst() + [first + 7 * 1_440]
            gaps += zip(minutes, next).map { Int64($1 - $0) }
        }
        return gaps.min()
    }
}

extension Frequency {
    /// The time between two doses that were prescribed so, in minutes; nil where it says none.
    fileprivate var gapMinutes: Int64? {
        switch self {
        case .timesADay(let count): 1_440 / Int64(count)
        case .everyHours(let hours): Int64(hours) * 60
        case .customTimes, .asNeeded, .unknown: nil
        }
    }
}
