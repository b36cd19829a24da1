import LinnetCRDT
package import LinnetControl
package import LinnetMedication

/// Reads and writes times as people do in their zone.
package struct MedTime {
    /// The zone of the person.
    package let zone: ZoneRules
    /// The present moment, for times without a day.
    package let now: Instant

    /// Joins zone and moment.
    package init(zone: ZoneRules, now: Instant) {
        self.zone = zone
        self.now = now
    }

    /// Reads an instant: in UTC with a Z at the end, or in local time, with a day or without one
    /// for today.
    package func instant(_ text: String, _ option: String) throws(ControlFailure) -> Instant {
        if let instant = Instant(text) { return instant }
        let parts = text.split(separator: text.contains("T") ? "T" : " ")
        let day = parts.count == 2 ? Day(String(parts[0])) : zone.local(at: now).day
        if parts.count <= 2, let day, let clock = parts.last,
            let (hour, minute) = MedTime.clock(String(clock)),
            let instant = zone.instant(day: day, hour: hour, minute: minute)
        {
            return instant
        }
        throw .usage("--\(option) is a time such as 08:00, 2026-11-21T08:00 or one in UTC with Z")
    }

    /// Reads a date.
    package static func day(_ text: String, _ option: String) throws(ControlFailure) -> Day {
        guard let day = Day(text) else { throw .usage("--\(option) is a date, such as 2026-11-21") }
        return day
    }

    /// Reads hour and minute from `hh:mm`; nil for any other text.
    package static func clock(_ text: String) -> (hour: Int, minute: Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { return nil }
        return (hour, minute)
    }

    /// Returns the local time of day of an instant.
    package func clock(_ instant: Instant) -> String {
        let local = zone.local(at: instant)
        return LocalTime.text(hour: local.hour, minute: local.minute)
    }

    /// Returns the local day and time of an instant.
    package func text(_ instant: Instant) -> String { zone.local(at: instant).description }

    /// Returns an instant for an option: in local time where that means the same minute, else in
    /// UTC.
    package func argument(_ instant: Instant) -> String {
        let local = zone.local(at: instant)
        let clock = LocalTime.text(hour: local.hour, minute: local.minute)
        let again = zone.instant(day: local.day, hour: local.hour, minute: local.minute)
        let isSame = again.map { (0..<60_000).contains(instant.milliseconds(since: $0)) } ?? false
        return isSame ? "\(local.day)T\(clock)" : instant.description
    }

    /// Returns how long it is until an instant, or since then.
    package func distance(_ instant: Instant) -> String {
        let minutes = instant.milliseconds(since: now) / 60_000
        let size = abs(minutes)
        let text =
            size < 60
            ? "\(size) min"
            : size < 2_880 ? "\(size / 60) h \(size % 60) min" : "\(size / 1_440) days"
        return minutes < 0 ? "\(text) ago" : "in \(text)"
    }
}
