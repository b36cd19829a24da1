public import LinnetCRDT

/// A change of a schedule's timing, as the log keeps it.
public struct Adjustment: Hashable, Sendable {
    /// The identifier in the log.
    public let id: RecordID
    /// The schedule.
    public let schedule: RecordID
    /// The change of zone that it answers; nil when someone edited the times.
    public let zoneChange: RecordID?
    /// The name of the strategy, `edited` when someone edited the times; newer versions may know
    /// others.
    public let strategy: String
    /// The timing that ends.
    public let before: Schedule.Earlier
    /// The timing that begins; it names this adjustment.
    public let after: Timing
    /// The zone in which the person was when deciding.
    public let zone: String
    /// The instant at which it was decided.
    public let at: Instant
    /// The device on which it was decided, as its people call it; nil where nobody said.
    public var device: String?
    /// The decisions made apart from those before this one, of which whoever made it knew.
    public var settles: [RecordID] = []

    /// A change of timing.
    public init(
        id: RecordID, schedule: RecordID, zoneChange: RecordID?, strategy: String,
        before: Schedule.Earlier, after: Timing, zone: String, at: Instant
    ) {
        self.id = id
        self.schedule = schedule
        self.zoneChange = zoneChange
        self.strategy = strategy
        self.before = before
        self.after = after
        self.zone = zone
        self.at = at
    }

    /// The timing that ends and when, as the log keeps them.
    public var beforeText: String {
        var parts = before.timing.parts
        parts.append("until", before.until.description)
        return parts.text
    }

    /// The timing that begins and where it was decided, as the log keeps them.
    public var afterText: String {
        var parts = after.parts
        parts.append("decided", TimingText.escaped(zone))
        // No identifier holds a line feed.
        let names = settles.map(\.description).joined(separator: "\n")
        parts.append("settles", settles.isEmpty ? nil : TimingText.escaped(names))
        return parts.text
    }

    /// An adjustment out of the log; throws `badTiming`, or what is wrong with a part.
    public init(
        id: RecordID, schedule: RecordID, zoneChange: RecordID?, strategy: String,
        beforeText: String, afterText: String, at: Instant
    ) throws(MedicationError) {
        let before = try TimingText(reading: beforeText)
        let after = try TimingText(reading: afterText)
        guard let until = try before.instant("until"), let zone = try after.plain("decided")
        else { throw .badTiming }
        self.init(
            id: id, schedule: schedule, zoneChange: zoneChange, strategy: strategy,
            before: Schedule.Earlier(until: until, timing: try Timing(parts: before)),
            after: try Timing(parts: after), zone: zone, at: at)
        settles = (try after.plain("settles") ?? "").split(separator: "\n").compactMap {
            RecordID(String($0))
        }
    }
}
