public import LinnetCRDT

/// One dose that a schedule makes due.
public struct Occurrence: Hashable, Sendable {
    /// The schedule.
    public let schedule: RecordID
    /// The medication of the schedule.
    public let medication: RecordID
    /// The instant at which the dose is due.
    public let scheduled: Instant
    /// The label of its time of day, such as `morning`; often empty.
    public let label: String

    /// The dose that a schedule makes due at an instant.
    public init(schedule: RecordID, medication: RecordID, scheduled: Instant, label: String = "") {
        self.schedule = schedule
        self.medication = medication
        self.scheduled = scheduled
        self.label = label
    }

    /// The same on every device: the schedule's identifier and the scheduled instant.
    public var id: String { Occurrence.id(schedule: schedule, scheduled: scheduled) }

    /// The identifier of the dose that a schedule makes due at an instant.
    public static func id(schedule: RecordID, scheduled: Instant) -> String {
        schedule.description + "@" + scheduled.description
    }
}
