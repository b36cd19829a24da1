public import LinnetCRDT

/// An error of zones, of schedules, or of what people enter.
public enum MedicationError: Error, Equatable, Sendable {
    // MARK: Zones

    /// No rules are known for a time zone of this name; install or update the zone database.
    case unknownZone(String)
    /// The bytes of a zone are not a time zone file; install the zone database again.
    case badZone(ZoneFault)

    // MARK: Schedules

    /// An hour outside 0...23, a minute outside 0...59, or a label that is too long.
    case badDoseTime
    /// No time of day, more than `Timing.maximumTimes` of them, or one twice.
    case badTimes
    /// An interval outside 1...`Timing.maximumIntervalHours` hours, or one with days of the week.
    case badInterval
    /// A text that is not a timing.
    case badTiming
    /// A shift of less than 1 or more than 720 minutes a day.
    case badShift
    /// Occurrences were asked for more than `Schedule.maximumRangeDays` days at once.
    case rangeTooLong

    // MARK: What people enter

    /// A value breaks a rule; nothing was written.
    case invalid(MedicationField, MedicationRule)
    /// A medication of this name is there; nothing was written. Change that one, or say that a
    /// further one is meant.
    case medicationAlreadyExists(RecordID)
    /// It cannot be told which dose is meant; nothing was written. Name the dose, or say that it is
    /// an additional one.
    case unclearDose(UnclearDose)
}
