/// The range of a simulation: sizes, people, and the faults that may happen.
public struct Scenario: Sendable {
    /// The name on the command line.
    public let name: String
    /// The purpose in a sentence.
    public let sentence: String
    package var devices = 2...5
    package var days = 3...30
    package var commitsPerDay = 4...16
    package var meetingsPerDay = 6...24
    /// The time that two devices stay near each other; one meeting in ten is a hundred times as
    /// long.
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
    /// True when a phone and a watch exchange messages, contexts, user infos and files.
    var isAboutLanes = false
    /// True when homes go on twice, and others write about both lives.
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
    /// True when devices fold what everybody holds.
    var compacts = false
    /// True when people attach files.
    var isAboutFiles = false
    /// True when people have texts open, and edit what these show.
    var hasEditors = false
    /// True when devices show faces of the medication domain.
    var hasWidgets = false
    var workload: any Workload = HouseholdWorkload()
    var applicationCheck: (@Sendable (SimulatedReplica) -> String?)?

    package init(name: String, sentence: String) {
        self.name = name
        self.sentence = sentence
    }
}

/// The use that devices make of a mailbox.
enum MailboxUse: Sendable {
    /// They meet, too.
    case beside
    /// They meet nowhere else, but for being paired.
    case only
    /// As `only`, with the sizes and pauses of the product, for counting.
    case counted
}
