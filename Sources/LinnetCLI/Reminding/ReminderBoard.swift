import LinnetMedication

/// The reminders that are shown, and those that are to be: it knows no desktop, no clock and no
/// records beside those that it is handed.
struct ReminderBoard {
    /// One thing to be done on the desktop.
    enum Order: Equatable {
        case show(ReminderNotice)
        case close(String)
    }

    /// The notices that are shown, by their keys.
    private(set) var shown: [String: ReminderNotice] = [:]
    /// Those that came due in a quiet time, by their keys.
    private var held: [String: ReminderNotice] = [:]
    /// The marks of what was shown and could still be due.
    private var told: Set<String> = []

    /// Returns what is to be done now; it counts as done.
    mutating func update(_ facts: ReminderFacts, isQuiet: Bool) -> [Order] {
        var orders = closeWhatIsOver(facts)
        held = held.filter { key, _ in
            facts.openDoses.contains(key) && !facts.putOff.contains(key)
        }
        let due = latest(held.values.sorted { $0.mark < $1.mark } + facts.due)
        told.formIntersection(due.map(\.mark) + shown.values.map(\.mark))
        for notice in due where !told.contains(notice.mark) {
            if isQuiet {
                if notice.dose != nil { held[notice.key] = notice }
                continue
            }
            told.insert(notice.mark)
            shown[notice.key] = notice
            orders.append(.show(notice))
        }
        if !isQuiet { held = [:] }
        return orders
    }

    /// Notes that a notice is not there any more; the person has seen it.
    mutating func wasClosed(_ key: String) { shown[key] = nil }

    /// Notes that a notice could not be shown, or is gone without anybody having seen it.
    mutating func wasLost(_ key: String) {
        guard let notice = shown.removeValue(forKey: key) else { return }
        told.remove(notice.mark)
    }

    private mutating func closeWhatIsOver(_ facts: ReminderFacts) -> [Order] {
        let due = Set(facts.due.map(\.key))
        let over = shown.values.filter { notice in
            notice.dose == nil
                ? !due.contains(notice.key)
                : !facts.openDoses.contains(notice.key) || facts.putOff.contains(notice.key)
        }
        for notice in over { shown[notice.key] = nil }
        return over.map(\.key).sorted().map(Order.close)
    }

    /// Returns the last notice of each key, in the order in which the keys came first.
    private func latest(_ notices: [ReminderNotice]) -> [ReminderNotice] {
        var places: [String: Int] = [:]
        var found: [ReminderNotice] = []
        for notice in notices {
            if let place = places[notice.key] {
                found[place] = notice
            } else {
                places[notice.key] = found.count
                found.append(notice)
            }
        }
        return found
    }
}
