public import LinnetMedication

/// The facts from which faces are drawn.
public struct FaceFacts: Equatable, Sendable {
    /// True when all that the group holds has come; else nothing is stated.
    public var isInStep: Bool
    /// The doses from the start of yesterday on, in the order of their times.
    public var doses: [FaceDose]
    /// The last seven days, the last one today; fewer for somebody who has just begun.
    public var days: [FaceDay]
    /// The day from which on all of these days is known, in days since 1970; nil when they all are.
    public var knownSince: Int64?
    /// Days in a row without a dose missed.
    public var streakDays: Int
    /// True when it is known that these are all; false where what came before is not known.
    public var isStreakWhole: Bool
    /// The active medications, in the order of their names.
    public var medications: [FaceMedication]
    /// The alerts that need attention, the most pressing first.
    public var alerts: [FaceAlert]
    /// The events that were recorded, the latest first.
    public var history: [FaceEvent]

    /// Facts.
    public init(
        doses: [FaceDose] = [], days: [FaceDay] = [], knownSince: Int64? = nil,
        streakDays: Int = 0, isStreakWhole: Bool = true,
        medications: [FaceMedication] = [], alerts: [FaceAlert] = [], history: [FaceEvent] = [],
        isInStep: Bool = true
    ) {
        self.isInStep = isInStep
        self.doses = doses
        self.days = days
        self.knownSince = knownSince
        self.streakDays = streakDays
        self.isStreakWhole = isStreakWhole
        self.medications = medications
        self.alerts = alerts
        self.history = history
    }
}

/// One scheduled dose and what is known of it.
public struct FaceDose: Equatable, Sendable {
    /// Names the occurrence, the same on every device.
    public var id: String
    /// The medication's name.
    public var name: String
    /// Amount and unit, as `500 mg`.
    public var dosage: String
    /// The form, as `tablet`; one that a newer version knows stays as it is.
    public var form: String
    /// The instant at which it is scheduled.
    public var time: Instant
    /// The person's name for this time of day; may be empty.
    public var label: String
    /// The fate of the dose.
    public var standing: Standing

    /// The fate of a dose.
    public enum Standing: Equatable, Sendable {
        /// Nothing is recorded.
        case open
        /// It was taken within an hour.
        case taken
        /// It was taken more than an hour late.
        case late
        /// The person left it out.
        case skipped
        /// Its time has come, and this device does not hold what would say whether it was taken.
        case unknown
        /// The person wants to be asked again.
        case snoozed(until: Instant)
    }

    /// A dose.
    public init(
        id: String, name: String, dosage: String, form: String, time: Instant, label: String = "",
        standing: Standing = .open
    ) {
        self.id = id
        self.name = name
        self.dosage = dosage
        self.form = form
        self.time = time
        self.label = label
        self.standing = standing
    }
}

/// The doses of one day that were taken, of those that were due.
public struct FaceDay: Equatable, Sendable {
    /// Days since 1970-01-01.
    public var day: Int64
    /// Doses taken.
    public var taken: Int
    /// Doses due so far.
    public var due: Int

    /// A day.
    public init(day: Int64, taken: Int, due: Int) {
        self.day = day
        self.taken = taken
        self.due = due
    }
}

/// A medication.
public struct FaceMedication: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Amount and unit of a dose.
    public var dosage: String
    /// The form.
    public var form: String

    /// A medication.
    public init(name: String, dosage: String, form: String) {
        self.name = name
        self.dosage = dosage
        self.form = form
    }
}

/// Something that needs attention.
public struct FaceAlert: Equatable, Sendable {
    /// The matter that it is about; one that a newer version knows stays as it is.
    public var kind: String
    /// The medication's name.
    public var subject: String
    /// The rest of the sentence.
    public var detail: String

    /// An alert.
    public init(kind: String, subject: String, detail: String) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }
}

/// Something that was recorded.
public struct FaceEvent: Equatable, Sendable {
    /// The medication's name.
    public var name: String
    /// The event, as `taken`.
    public var event: String
    /// The instant of the event.
    public var time: Instant

    /// An event.
    public init(name: String, event: String, time: Instant) {
        self.name = name
        self.event = event
        self.time = time
    }
}
