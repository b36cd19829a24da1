/// Promises that must hold, whatever happens.
package enum Invariant: String, CaseIterable, Sendable {
    case equalVectorsEqualStates = "I1"
    case convergence = "I2"
    case referenceFold = "I3"
    case contiguousVectors = "I4"
    case acknowledgedWritesSurvive = "I5"
    case exactlyOnce = "I6"
    case causalOrder = "I7"
    case noResurrection = "I8"
    case immutableLogs = "I9"
    case uniqueAuthors = "I10"
    case noPlaintext = "I11"
    case boundedStorage = "I13"
    case boundedTraffic = "I14"
    case partialIsProjection = "I15"
    case intactForwarding = "I16"
    case clocksNeverRefuse = "I17"
    case canonicalEncoding = "I18"
    case noTraps = "I19"
    case lossesAreSaidAgain = "I20"
    case editorsMeanWhatTheyShow = "E1"
    case filesAreWhole = "F1"
    case headsOfOthersStay = "P1"
    case packsGiveWay = "P2"
    case stockIsTheLedger = "M1"
    case dosesCountOnce = "M2"
    case noDoseLost = "M3"
    case totalsAgree = "M4"
    case lanePromises = "L1"
    case budgets = "L2"
    case facesStayTrue = "W1"
    case widgetBudgets = "W2"
    case memberStopsNobody = "S1"
    case nothingIsLost = "S2"
    case costsAreBounded = "S3"
    case sameMembers = "G1"
    case outMeansOut = "G2"
    case whatCountsShows = "G3"
    case epochsAreClean = "G4"
    case acceptedInTime = "G5"
    /// An invariant of the application's own.
    case application = "app"

    /// The promise in a sentence.
    package var sentence: String {
        switch self {
        case .equalVectorsEqualStates:
            "Replicas of one schema that applied the same batches show the same bytes."
        case .convergence:
            "Once everything is healed, all replicas reach the same within bounded rounds and time."
        case .referenceFold:
            "What a replica shows is what an obvious fold of its batches gives."
        case .contiguousVectors:
            "A vector never goes back nor over a hole, and is the set of stored batches."
        case .acknowledgedWritesSurvive:
            "What was acknowledged as durable is never lost while any holder survives."
        case .exactlyOnce:
            "No batch is applied, no intent carried out and no key of a tally counted twice."
        case .causalOrder:
            "Nothing shows before what it builds on, nor a part of a commit before the rest."
        case .noResurrection:
            "A deleted record lives again only by a restore or a write that saw the deletion, "
                + "or where updates win by one that it had not seen."
        case .immutableLogs:
            "What a record of a log says never changes; a second content stands beside it."
        case .uniqueAuthors:
            "No two batches share author, scope and number, unless a fork is raised; none is lost."
        case .noPlaintext:
            "Nothing that people write or name is found on the wire, on a disk or in a warning."
        case .boundedStorage: "What waits, and the number of chains, stay within their limits."
        case .boundedTraffic: "A session costs little more than it brings, and no message loops."
        case .partialIsProjection:
            "A device that does without a scope holds nothing of it and of all else just the same."
        case .intactForwarding:
            "Batches reach every replica byte for byte as signed, through older versions too."
        case .clocksNeverRefuse:
            "No clock refuses a local write, and an overwrite is stamped above what it replaces."
        case .canonicalEncoding: "What is decoded encodes to the same bytes, and the reverse."
        case .noTraps: "No bytes, disks or clocks bring a replica to a trap."
        case .lossesAreSaidAgain:
            "What rows show of batches that their author's disk lost shows again, on all devices."
        case .editorsMeanWhatTheyShow:
            "An edit of what is shown does just that to the text as it is by then; an undo takes "
                + "back its editor's own edits, and cursors stay at their characters."
        case .filesAreWhole:
            "A file that is said to be here is what was attached, and nothing else is kept."
        case .headsOfOthersStay: "A device deletes no head in a mailbox that another one left."
        case .packsGiveWay:
            "Who deletes a pack in a mailbox got one that holds all of it, and one such stays."
        case .stockIsTheLedger: "The stock is what people put in and took out, each dose once."
        case .dosesCountOnce: "A dose that was taken counts once, whoever tapped, however often."
        case .noDoseLost:
            "Every dose of the calendar is due, and journeys neither lose one nor add one."
        case .totalsAgree:
            "A month's total says what its doses say, and what is not held is not missed."
        case .lanePromises:
            "What is queued between phone and watch arrives once, in order and whole, and every "
                + "outcome that an app hears is true."
        case .budgets: "No day's budget of wakes, bytes or transfers for the face is exceeded."
        case .facesStayTrue:
            "A face says only what was so as of the instant it names, and nothing past its bound."
        case .widgetBudgets: "No widget has more reloads in any 24 hours than its place allows."
        case .memberStopsNobody:
            "Whatever one member says, the others write, meet, reach the same and admit devices."
        case .nothingIsLost: "Whatever one member says, what the others wrote shows on all of them."
        case .costsAreBounded:
            "Whatever one member says, memory and disks of the others follow its bytes."
        case .sameMembers:
            "Whoever holds the same membership records shows the members and roles of the rule."
        case .outMeansOut:
            "No device opens what was sealed while it was out, or bound to other scopes."
        case .whatCountsShows:
            "No stored batch is lost, and it shows on members if and only if it counts."
        case .epochsAreClean:
            "Nobody writes under an epoch that has a box for a device which is no member."
        case .acceptedInTime:
            "Whoever was a member for more than seven days by one admission is accepted by the "
                + "others, and a device asks about those alone that it does not accept."
        case .application: "An invariant that the application declared."
        }
    }
}

/// An invariant that broke.
package struct Violation: Error, Equatable, Sendable {
    /// The promise that broke.
    package let invariant: Invariant
    /// The way in which it shows, in a sentence.
    package let message: String
    /// The devices whose states tell most.
    package let devices: [Int]

    init(_ invariant: Invariant, _ message: String, devices: [Int] = []) {
        self.invariant = invariant
        self.message = message
        self.devices = devices
    }
}
