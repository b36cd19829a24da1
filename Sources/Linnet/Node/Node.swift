import LinnetCrypto
import LinnetReplication
import LinnetWire
import Synchronization

/// One device of a group: it keeps the shared data in its home directory, finds the group's other
/// devices and stays in step with them.
///
/// The node's code, its database and its sockets run on a thread of their own.
public actor Node {
    /// 64 hexadecimal digits: this device's public signing key.
    public nonisolated let id: String
    /// Words that two people compare to be sure of this device.
    public nonisolated let fingerprint: [String]
    /// The collections that are known here; a device that follows its group's schema learns more
    /// of them while it runs.
    public nonisolated var schema: Schema { schemaFile.schema }

    /// The collections as the home keeps them.
    package nonisolated var schemaFile: SchemaFile { collections.withLock { $0 } }

    nonisolated let collections: Mutex<SchemaFile>
    nonisolated let isSchemaAwaited: Atomic<Bool>
    /// The collections that are used here, and whose they are.
    var homeSchema: HomeSchema
    /// What a member showed of the group's schema, until this device belongs to the group.
    var schemaAtPairing: SchemaFile?
    /// Whether what is declared here is published after the first exchange.
    var isSchemaDue = false

    nonisolated let loop: EventLoop
    nonisolated let device: DeviceID
    let home: Home
    /// Why nothing can be written in the home, when that is so: then the node is there to be read.
    nonisolated var unwritable: HomeError? { trouble.withLock { $0 } }
    nonisolated let trouble: Mutex<HomeError?>
    var homeLock: HomeLock?
    /// Nil while the node is locked and once it has stopped.
    var replica: Replica?
    /// The replica's store, for backups.
    var store: HomeStore?
    /// Whether the keys are out of memory, until the passphrase is given.
    public internal(set) var isLocked = false
    /// Where the node listened before it was locked, or could not write.
    var portBefore: UInt16?
    /// That the disk takes no writes now, and how it was the last time.
    var outage: Outage?
    var lastOutage: Outage.Ended?
    /// What failed in the call under way, and whether it may pass.
    var stumbled: (error: LinnetError, mayPass: Bool)?
    var witness: Witness
    var entropy = Entropy(seed: SystemEntropy.seed())

    var options: NodeOptions?
    var listener: TCPListener?
    var links: [LinkID: Link] = [:]
    var admission = AdmissionControl()
    /// Accepted links that hold a place among the unauthenticated.
    var places: [LinkID: TCPLink] = [:]
    var plan = DialPlan()
    /// Members that observers were told to be connected.
    var present: Set<DeviceID> = []
    var dials: [AttemptID: TCPDial] = [:]
    var discovery: DiscoveryDesk?
    /// The epochs whose keys discovery uses.
    var discoveryEpochs: [EpochID] = []
    /// The directory shared with the phone or the watch, when there is one.
    var companionDesk: CompanionDesk?
    /// Who waits for something of the companion lanes.
    var laneDesk = LaneDesk()
    var pairing: PairingTask?
    var outcome = PairingOutcome()
    var observers = Observers()
    var synchronisation = Synchronisation()
    nonisolated let exchange = ExchangeBoard()
    var certification = Certification()
    var control: ControlServer?
    var warnings = WarningBoard()
    /// Whether the causes of warnings may have come or gone.
    var warningsDue = true
    /// When they were looked at last, in uptime milliseconds.
    var warningsFollowed: Int64 = 0

    /// Inputs and effects that wait for the call under way.
    var inputs: [Input] = []
    var effects: [Effect] = []
    var isPerforming = false
    var timer: (id: TimerID, deadline: Int64)?
    /// When relaxed writes are made durable at the latest, in uptime milliseconds.
    var flushDeadline: Int64?
    /// When what is held is looked at again, in uptime milliseconds; nil where the kind of device
    /// holds everything.
    var roleDeadline: Int64?
    var lastLink: UInt64 = 0
    var openSockets = 0
    /// The last event, once the node has stopped and its sockets are not closed yet.
    var farewell: NodeEvent?
    var socketWaiters: [CheckedContinuation<Void, Never>] = []

    init(_ opened: consuming OpenedHome, loop: EventLoop) {
        self.loop = loop
        collections = Mutex(opened.schema.file)
        isSchemaAwaited = Atomic(opened.schema.isAwaited)
        homeSchema = opened.schema
        device = opened.replica.device
        id = opened.replica.device.description
        fingerprint = opened.replica.fingerprint
        home = opened.home
        trouble = Mutex(opened.unwritable)
        homeLock = opened.lock
        store = opened.store
        effects = opened.effects
        witness = opened.witness
        replica = .some(opened.replica)
    }

    deinit { loop.stop() }

    /// The node's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }
}
