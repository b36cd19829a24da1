/// What a simulation is drawn from: sizes, people, and which faults may happen.
public struct Scenario: Sendable {
    /// How it is called on the command line.
    public let name: String
    /// What it is for, in a sentence.
    public let sentence: String
    package var devices = 2...5
    package var days = 3...30
    package var commitsPerDay = 4...16
    package var meetingsPerDay = 6...24
    /// How long two devices stay near each other; one meeting in ten is a hundred times as long.
    package var meetingMilliseconds = 50...20_000
    package var hasLongMeetings = true
    package var faults: [FaultKind] = FaultKind.ofFleets
    /// The faults that every seed has; the others are drawn.
    var certain: [FaultKind] = []
    package var store = StoreKind.sqlite
    /// Nil: on every twentieth seed.
    package var usesRealCrypto: Bool?
    package var lyingDisks = false
    package var importRecords: Int?
    /// Whether a phone and a watch exchange messages, contexts, user infos and files.
    var isAboutLanes = false
    /// Whether homes go on twice, and others write about both lives.
    var hasTwins = false
    /// True when both lives of such homes write to scopes that a device may leave.
    var forksWhatIsLeft = false
    /// True when some devices first hear of another through one that they stay with.
    var hasRelay = false
    /// True when one device means harm.
    var hasSaboteur = false
    /// True when people admit, remove and lose devices.
    var isAboutMembers = false
    /// The use of a mailbox; nil where there is none.
    var mailbox: MailboxUse?
    /// True when people attach files.
    var isAboutFiles = false
    /// Whether devices show faces of the medication domain.
    var hasWidgets = false
    var workload: any Workload = HouseholdWorkload()
    var applicationCheck: (@Sendable (SimulatedReplica) -> String?)?

    package init(name: String, sentence: String) {
        self.name = name
        self.sentence = sentence
    }
}

/// How devices use a mailbox.
enum MailboxUse: Sendable {
    /// They meet, too.
    case beside
    /// They meet nowhere else, but for being paired.
    case only
}
