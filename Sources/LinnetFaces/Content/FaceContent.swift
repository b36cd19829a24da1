public import LinnetMedication

/// The faces there are.
public enum FaceKind: String, CaseIterable, Equatable, Sendable {
    /// The dose that comes next.
    case nextDose = "next-dose"
    /// The share of what was due that was taken.
    case adherence
    /// The screen of a watch.
    case watchHome = "watch"
    /// The screen of a phone.
    case phoneHome = "phone"

    /// The sizes it comes in; those on a watch's face are called complications.
    public var families: [WidgetFamily] {
        switch self {
        case .nextDose: [.small, .medium, .rectangular, .circular, .corner, .inline]
        case .adherence: [.small, .medium]
        case .watchHome: [.watch]
        case .phoneHome: [.phone]
        }
    }

    /// The name that a person gives it.
    public var title: String {
        switch self {
        case .nextDose: "Next dose"
        case .adherence: "Adherence"
        case .watchHome, .phoneHome: "Medication"
        }
    }
}

/// The content of a face.
public enum FaceContent: Equatable, Sendable {
    /// The shape without data.
    case placeholder(FaceKind)
    /// The device has not been unlocked since it started.
    case locked(FaceKind)
    /// Nothing is stated, because it is not known any more or never was.
    case unknown(FaceKind, UnknownReason)
    /// The dose that comes next.
    case nextDose(NextDoseFace)
    /// The share of what was due that was taken.
    case adherence(AdherenceFace)
    /// The screen of a watch.
    case watchHome(WatchHomeFace)
    /// The screen of a phone.
    case phoneHome(PhoneHomeFace)

    /// The face that it is.
    public var kind: FaceKind {
        switch self {
        case .placeholder(let kind), .locked(let kind), .unknown(let kind, _): kind
        case .nextDose: .nextDose
        case .adherence: .adherence
        case .watchHome: .watchHome
        case .phoneHome: .phoneHome
        }
    }
}

/// The reason for which a face states nothing.
public enum UnknownReason: Equatable, Sendable {
    /// The facts are older than the face allows; they were known at the time written.
    case stale(lastKnown: String)
    /// The device joined, and has not received what its group holds.
    case notInStep
    /// There is no snapshot, or none that may be believed.
    case refused(FacesError)

    /// The reason in a few words.
    public var words: String {
        switch self {
        case .stale(let lastKnown): "Last known \(lastKnown)"
        case .notInStep: "Waiting for the others"
        case .refused(.missing): "Open the app once"
        case .refused(.expired): "Open the app to update"
        case .refused(.unknownVersion): "Update the app"
        case .refused(.fromTheFuture): "Check this device's clock"
        case .refused: "Data not trusted"
        }
    }
}

/// One dose as a line of a face; its times are written in the zone of the face.
public struct FaceLine: Equatable, Sendable {
    /// The medication's name.
    public var name: String
    /// Amount and unit.
    public var dosage: String
    /// The form.
    public var form: String
    /// The time of day when it is wanted.
    public var clock: String
    /// The day when it is wanted, as `Today`.
    public var day: String
    /// The same day as `Sat`.
    public var weekday: String
    /// The instant at which it is wanted, for countdowns.
    public var time: Instant
    /// The person's name for this time of day; may be empty.
    public var label: String
    /// The standing of the dose, as far as it is known.
    public var standing: Standing

    /// The word that a face has for a dose.
    public enum Standing: Equatable, Sendable {
        /// It comes later.
        case upcoming
        /// It is time.
        case due
        /// It was taken.
        case taken
        /// It was taken late.
        case late
        /// It was left out.
        case skipped
        /// Nothing was recorded in time.
        case missed
        /// Its time has come, and whether it was taken is not known.
        case unknown
    }

    /// Dosage and form in one text.
    public var detail: String {
        [dosage, form].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

/// A number out of another one.
public struct FaceProgress: Equatable, Sendable {
    /// Doses taken.
    public var taken: Int
    /// All doses; at least as many.
    public var total: Int

    /// A progress; a total below the taken ones is raised to them.
    public init(taken: Int, total: Int) {
        self.taken = max(0, taken)
        self.total = max(total, self.taken)
    }

    /// The share in whole percent, nil when there was nothing; never 100 before all are taken.
    public var percent: Int? {
        total == 0 ? nil : taken * 100 / total
    }
}

/// The face of the dose that comes next.
public struct NextDoseFace: Equatable, Sendable {
    /// The dose that is due or comes next; nil when none is planned.
    public var next: FaceLine?
    /// Those after it, at most three.
    public var following: [FaceLine] = []
    /// Doses of the last day whose time has passed without a record.
    public var missed = 0
    /// Doses of the last day of which it is not known whether they were taken.
    public var unsettled = 0
    /// Today's doses; nil when it is not known any more how many were taken.
    public var today: FaceProgress?
    /// True when there is any medication.
    public var hasMedications = true
    /// The time of day at which all this was known to be so.
    public var asOf = ""

    /// A face without a dose.
    public init() {}

    /// True when there were doses today and all of them are settled: none is ahead, missed or not
    /// known.
    public var isDone: Bool {
        next == nil && missed == 0 && unsettled == 0 && (today?.total ?? 0) > 0
    }
}

/// The face of what was taken of what was due.
public struct AdherenceFace: Equatable, Sendable {
    /// The period of the ring.
    public var week = FaceProgress(taken: 0, total: 0)
    /// The days of the period, the last one today.
    public var days: [Day] = []
    /// The day from which on the period is known, as `Sat 21`; nil when all of it is.
    public var knownSince: String?
    /// Days in a row without a dose missed.
    public var streakDays = 0
    /// True when it is known that these are all.
    public var isStreakWhole = true
    /// True when there is any medication.
    public var hasMedications = true
    /// The time of day at which all this was known to be so.
    public var asOf = ""

    /// One day of the period.
    public struct Day: Equatable, Sendable {
        /// The day of the week in three letters.
        public var name: String
        /// The doses that were taken of those that were due.
        public var progress: FaceProgress
    }

    /// A face of nothing.
    public init() {}
}

/// The screen of a watch.
public struct WatchHomeFace: Equatable, Sendable {
    /// The next dose, which can be taken from here.
    public var next = NextDoseFace()
    /// The medications.
    public var medications: [FaceMedication] = []
    /// The events that were recorded, the latest first, with their time of day.
    public var history: [HistoryLine] = []

    /// One line of the history.
    public struct HistoryLine: Equatable, Sendable {
        /// The time of day, with the day when it is another one.
        public var clock: String
        /// The medication's name.
        public var name: String
        /// The event in words.
        public var event: String
    }

    /// An empty screen.
    public init() {}
}

/// The screen of a phone.
public struct PhoneHomeFace: Equatable, Sendable {
    /// Today, as `Sat 21`.
    public var day = ""
    /// The next dose.
    public var next = NextDoseFace()
    /// Today's doses.
    public var today: [FaceLine] = []
    /// The week.
    public var week = AdherenceFace()
    /// The alerts that need attention.
    public var alerts: [FaceAlert] = []

    /// An empty screen.
    public init() {}
}
