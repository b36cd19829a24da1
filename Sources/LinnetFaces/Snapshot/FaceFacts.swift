package import LinnetMedication

/// The facts from which faces are drawn.
package struct FaceFacts: Equatable, Sendable {
    /// The doses from the start of yesterday on, in the order of their times.
    package var doses: [FaceDose]
    /// The last seven days, the last one today; fewer for somebody who has just begun.
    package var days: [FaceDay]
    /// The day from which on all of these days is known, in days since 1970; nil when they all are.
    package var knownSince: Int64?
    /// Days in a row without a dose missed.
    package var streakDays: Int
    /// True when it is known that these are all; false where what came before is not known.
    package var isStreakWhole: Bool
    /// The active medications, in the order of their names.
    package var medications: [FaceMedication]
    /// The alerts that need attention, the most pressing first.
    package var alerts: [FaceAlert]
    /// The events that were recorded, the latest first.
    package var history: [FaceEvent]

    /// Facts.
    package init(
        doses: [FaceDose] = [], days: [FaceDay] = [], knownSince: Int64? = nil,
        streakDays: Int = 0, isStreakWhole: Bool = true,
        medications: [FaceMedication] = [], alerts: [FaceAlert] = [], history: [FaceEvent] = []
    ) {
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
package struct FaceDose: Equatable, Sendable {
    /// Names the occurrence, the same on every device.
    package var id: String
    /// The medication's name.
    package var name: String
    /// Amount and unit, as `500 mg`.
    package var dosage: String
    /// The form, as `tablet`; one that a newer version knows stays as it is.
    package var form: String
    /// The instant at which it is scheduled.
    package var time: Instant
    /// The person's name for this time of day; may be empty.
    package var label: String
    /// The fate of the dose.
    package var standing: Standing

    /// The fate of a dose.
    package enum Standing: Equatable, Sendable {
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
    package init(
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
package struct FaceDay: Equatable, Sendable {
    /// Days since 1970-01-01.
    package var day: Int64
    /// Doses taken.
    package var taken: Int
    /// Doses due so far.
    package var due: Int

    /// A day.
    package init(day: Int64, taken: Int, due: Int) {
        self.day = day
        self.taken = taken
        self.due = due
    }
}

/// A medication.
package struct FaceMedication: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// Amount and unit of a dose.
    package var dosage: String
    /// The form.
    package var form: String

    /// A medication.
    package init(name: String, dosage: String, form: String) {
        self.name = name
        self.dosage = dosage
        self.form = form
    }
}

/// Something that needs attention.
package struct FaceAlert: Equatable, Sendable {
    /// The matter that it is about; one that a newer version knows stays as it is.
    package var kind: String
    /// The medication's name.
    package var subject: String
    /// The rest of the sentence.
    package var detail: String

    /// An alert.
    package init(kind: String, subject: String, detail: String) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }
}

/// Something that was recorded.
package struct FaceEvent: Equatable, Sendable {
    /// The medication's name.
    package var name: String
    /// The event, as `taken`.
    package var event: String
    /// The instant of the event.
    package var time: Instant

    /// An event.
    package init(name: String, event: String, time: Instant) {
        self.name = name
        self.event = event
        self.time = time
    }
}
