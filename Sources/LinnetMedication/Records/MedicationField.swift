/// The fields that a command can set or name, as messages call them.
public enum MedicationField: String, CaseIterable, Sendable {
    case name, genericName, amount, unit, form, route, frequency, startDate, endDate
    case instructions, tags, packageSize, expirationDate, minimumStock, maximumPerDay, isActive
    case medication, schedule, occurrence, times, daysOfWeek, referenceTimeZone
    case stock, reason, note, intent, event, at
}

/// The rule that a value has to keep.
public enum MedicationRule: Equatable, Sendable {
    /// It must not be empty.
    case notEmpty
    /// It has at most so many bytes.
    case atMostBytes(Int)
    /// It is above zero.
    case positive
    /// It is not below zero.
    case notNegative
    /// It has no character that moves a cursor, and it fits an identifier.
    case identifier
    /// It is one of these words.
    case oneOf([String])
    /// It does not come before the start date.
    case notBeforeStart
    /// It is a time of day from 00:00 to 23:59, given once.
    case timeOfDay
    /// It is a time zone of the zone database.
    case knownZone
    /// No other schedule of the medication is due at the same instant.
    case noCollision(with: String)
    /// The prescription has to be what the schedules do, since it makes nothing due by itself.
    case scheduled(Frequency)
    /// The medication is stopped before it is deleted.
    case stoppedFirst
    /// The medication is active.
    case active
    /// It exists.
    case exists
    /// It fits one name only; these fit.
    case unambiguous([String])
    /// There is something to take back.
    case somethingToUndo
    /// A second dose so soon is asked for as an additional one.
    case additional(lastTaken: Instant)
    /// A dose that was taken is taken back before it is skipped or put off.
    case notTaken
    /// Doses are logged for occurrences of at most one day ahead.
    case withinADay
    /// The moment must not lie in the future.
    case notInFuture
}
