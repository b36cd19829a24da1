public import LinnetCRDT

/// A device's change of time zone, as the log keeps it.
public struct ZoneChange: Hashable, Sendable {
    /// The way in which a change was noticed.
    public enum Detection: String, Sendable {
        /// The device's system has another zone than before.
        case system
        /// The device was started for the first time, in another zone than a schedule's.
        case firstStart
        /// A person said so.
        case person
    }

    /// The identifier in the log.
    public let id: RecordID
    /// The zone before; at a first start the one of the schedules.
    public let from: String
    /// The zone now.
    public let to: String
    /// The instant at which it was noticed.
    public let at: Instant

    /// A change of zone.
    public init(id: RecordID, from: String, to: String, at: Instant) {
        self.id = id
        self.from = from
        self.to = to
        self.at = at
    }

    /// Returns the change that a device is to record when its system's zone is `current`; nil when
    /// nothing changed.
    ///
    /// `known` is the zone that it noticed last, nil at its first start; then the zones that the
    /// active schedules live by say whether this is news.
    public static func noticed(
        known: String?, current: String, schedules: [String]
    ) -> (from: String, detection: Detection)? {
        if let known { return known == current ? nil : (known, .system) }
        guard !schedules.contains(current), let first = schedules.first else { return nil }
        return (first, .firstStart)
    }

    /// The change that counts: the last one; among those of one instant, that of the last name.
    public static func latest(_ changes: [ZoneChange]) -> ZoneChange? {
        changes.max { ($0.at, $0.id) < ($1.at, $1.id) }
    }
}
