import LinnetMedication
import LinnetWire

/// The sentences that the text and the picture of a face have in common.
enum FaceWords {
    /// Returns the time until an instant: `in 5 min`, `in 2 h 5 min`, `in 3 days`, `now`.
    static func until(_ instant: Instant, from now: Instant) -> String {
        let milliseconds = instant.milliseconds(since: now)
        guard milliseconds > 0 else { return "now" }
        let minutes = (milliseconds + 59_999) / 60_000
        if minutes < 60 { return "in \(minutes) min" }
        if minutes < 48 * 60 {
            let rest = minutes % 60
            return "in \(minutes / 60) h" + (rest == 0 ? "" : " \(rest) min")
        }
        return "in \(minutes / (24 * 60)) days"
    }

    /// Returns the time at which a dose is wanted: `08:00`, or `Tomorrow 08:00`.
    static func when(_ dose: FaceLine) -> String {
        dose.day == "Today" ? dose.clock : "\(dose.day) \(dose.clock)"
    }

    /// Returns the time at which a dose is wanted, for where there is little room: `08:00`, or `Sun
    /// 08:00`.
    static func shortWhen(_ dose: FaceLine) -> String {
        dose.day == "Today" ? dose.clock : "\(dose.weekday) \(dose.clock)"
    }

    /// The time until a dose, or that it is time.
    static func countdown(_ dose: FaceLine, at now: Instant) -> String {
        dose.standing == .due || dose.time <= now ? "due now" : until(dose.time, from: now)
    }

    /// The same without "in", where that has no room.
    static func countdown(_ dose: FaceLine, at now: Instant, columns: Int) -> String {
        let text = countdown(dose, at: now)
        let isBroad = FaceText.columns(text) > columns
        return isBroad && text.hasPrefix("in ") ? String(text.dropFirst(3)) : text
    }

    /// The same in a picture, in so many points of bold words of size 13.
    static func countdown(_ dose: FaceLine, at now: Instant, points: Double) -> String {
        let text = countdown(dose, at: now)
        let isBroad = FaceScene.width(of: text, size: 13, weight: 600) > points
        return isBroad && text.hasPrefix("in ") ? String(text.dropFirst(3)) : text
    }

    /// Returns the words of a face without a next dose, and the reason.
    static func nothing(_ face: NextDoseFace) -> (title: String, detail: String) {
        guard face.hasMedications else { return ("No medications", "Add one in the app") }
        if face.isDone { return ("All done", "No more doses planned") }
        if face.today?.total == 0, open(face) == nil {
            return ("Nothing planned", "No doses ahead")
        }
        return ("Nothing ahead", "No more doses planned")
    }

    /// The same in a word, for where there is little room.
    static func brief(_ face: NextDoseFace) -> String {
        if !face.hasMedications { return "Empty" }
        if face.isDone { return "Done" }
        if face.unsettled > 0 { return "Unknown" }
        return face.missed > 0 ? "Missed" : "None"
    }

    /// Returns the words for how many are not shown: `+52 more`; empty for none.
    static func more(_ count: Int) -> String { count > 0 ? "+\(count) more" : "" }

    /// Returns the words for what is left open: doses missed, or of which nothing is known; nil
    /// when there are none.
    static func open(_ face: NextDoseFace) -> String? {
        if face.unsettled > 0 { return "\(doses(face.unsettled)) not known" }
        return face.missed > 0 ? "\(doses(face.missed)) missed" : nil
    }

    /// Today's progress, or that it is not known.
    static func today(_ progress: FaceProgress?) -> String {
        guard let progress else { return "Today not known" }
        return progress.total == 0
            ? "Nothing due today" : "\(progress.taken) of \(progress.total) today"
    }

    /// `1 dose`, `2 doses`.
    static func doses(_ count: Int) -> String { Plural.of(count, "dose") }

    /// `No streak yet`, `2-day streak`, and where what came before is not known `At least 2 days`.
    static func streak(_ face: AdherenceFace) -> String {
        if face.isStreakWhole {
            return face.streakDays == 0 ? "No streak yet" : "\(face.streakDays)-day streak"
        }
        if face.streakDays == 0 { return "Streak not known" }
        return "At least " + Plural.of(face.streakDays, "day")
    }

    /// Returns the words above the adherence: its name, or from which day on it is known.
    static func adherenceTitle(_ face: AdherenceFace) -> String {
        face.knownSince.map { "Since \($0)" } ?? "Adherence"
    }

    /// Returns the reason for which there is no share yet; empty where nothing is known.
    static func beginning(_ face: AdherenceFace) -> String {
        if !face.hasMedications { return "Add a medication in the app" }
        return face.knownSince == nil ? "in the last 7 days" : ""
    }

    /// Returns the words of an adherence without a share: that nothing was due, or that nothing is
    /// known.
    static func noAdherence(_ face: AdherenceFace) -> String {
        guard face.knownSince == nil else { return "Not known here" }
        return face.hasMedications ? "Nothing was due" : "Nothing due yet"
    }

    /// Returns the words of a screen for a week without a share.
    static func noWeek(_ face: AdherenceFace) -> String {
        // A face that states nothing has no time of day either.
        face.asOf.isEmpty || face.knownSince != nil
            ? "Week not known" : "Nothing was due this week"
    }

    /// The streak where there is little room: `2-day streak`, `2+ days`.
    static func shortStreak(_ face: AdherenceFace) -> String {
        if face.isStreakWhole { return streak(face) }
        return face.streakDays == 0 ? "Not known" : "\(face.streakDays)+ days"
    }

    /// Returns a word for what became of a dose.
    static func standing(_ standing: FaceLine.Standing) -> String {
        switch standing {
        case .upcoming: "planned"
        case .due: "due now"
        case .taken: "taken"
        case .late: "taken late"
        case .skipped: "skipped"
        case .missed: "missed"
        case .unknown: "not known"
        }
    }

    /// An alert as one sentence.
    static func alert(_ alert: FaceAlert) -> String {
        alert.detail.isEmpty ? alert.subject : "\(alert.subject): \(alert.detail)"
    }
}
