import LinnetCRDT

/// Everything that one seed decides, before anything runs: running a plan draws nothing more of it.
struct Plan {
    var scenario: String
    var seed: UInt64
    var store: StoreKind
    /// True when libsodium itself is used, and not the stand-in.
    var usesRealCrypto: Bool
    var devices: Int
    /// The number of them that join in the middle, the last ones.
    var lateJoiners: Int
    /// The versions of the application, oldest first.
    var schemas: [Schema]
    /// The version with which each device starts.
    var versions: [Int]
    /// Milliseconds until the world is healed.
    var duration: Int64
    var actions: [Action]
    var recordsLinks = false
    /// The number of times that people do at once what the plan only shows one by one.
    var drawn: [FaultKind: Int] = [:]
    /// Disks that answer a sync without syncing: the canary.
    var lyingDisks = false
    /// True when devices fold what everybody holds.
    var compacts = false
    /// The writes with which people go on when everything is healed.
    var workload: (any Workload)?
    /// True when schedules of medicines move with their people.
    var travels = false
    /// The tally of which each key may be counted once only.
    var ledger: TallyLedger?
    /// The phone and its watch, in the scenario that is about them.
    var lanes: LanePlan?
    /// The mailbox, in the scenarios that are about one.
    var mail: MailPlan?
    /// The policies of files, in the scenario that is about them.
    var files: FilePlan?
    /// The widgets, in the scenario that is about them.
    var widgets: WidgetPlan?
    /// True when a step of a clock is a leap that comes back.
    var leapsClocks = false
    /// True when people write while a device is still about to show a large commit.
    var writesBeside = false
    /// True when the last fault divides a home while everybody is connected.
    var dividesInSessions = false
    /// The device that means harm, in the scenario that is about one.
    var sabotage: SabotagePlan?
    /// The people, in the scenario that is about who is a member.
    var membership: MembershipPlan?
    /// The application's own invariant.
    var applicationCheck: ((SimulatedReplica) -> String?)?

    func joinsLate(_ device: Int) -> Bool {
        device < devices && device >= devices - lateJoiners
    }
}

/// The places where simulated devices keep their homes.
public enum StoreKind: String, Sendable {
    /// The production store on a faulty disk.
    case sqlite
    /// A model of it, in memory.
    case model
}
