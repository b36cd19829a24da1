import LinnetCrypto
import LinnetReplication
import LinnetSystem
import LinnetWire

/// One device of a group: it keeps the shared data in its home directory, finds the group's other
/// devices and stays in step with them.
///
/// The node's code, its database and its sockets run on a thread of their own.
public final actor Node {
    nonisolated let board: NodeBoard
    nonisolated let loop: EventLoop
    /// The replica; nil while the node is locked and once it has stopped.
    var replica: Replica?
    var calls: CallQueue
    var homeDesk: HomeDesk
    var outages = OutageDesk()
    var schemas: SchemaDesk
    var connections = ConnectionDesk(Entropy(seed: SystemEntropy.seed()))
    var joining = JoiningDesk()
    var exchanges = ExchangeDesk()
    var laneDesk = LaneDesk()
    var mailDesk = MailDesk()
    var upkeep = UpkeepDesk()
    var warnings = WarningDesk()
    var fetching = FetchingDesk()
    var observers = Observers()
    /// The one timer, set to the earliest of all deadlines.
    var timer: (id: TimerID, deadline: Int64)?

    init(_ opened: consuming OpenedHome, loop: EventLoop) {
        self.loop = loop
        board = NodeBoard(
            opened.replica.device, fingerprint: opened.replica.fingerprint, opened.schema,
            unwritable: opened.unwritable)
        calls = CallQueue(opened.effects)
        schemas = SchemaDesk(opened.schema)
        homeDesk = HomeDesk(
            opened.home, lock: opened.lock, store: opened.store, witness: opened.witness)
        replica = .some(opened.replica)
    }

    deinit { loop.stop() }

    /// The node's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }
}

extension Node {
    /// The device's public signing key, in 64 hexadecimal digits.
    public nonisolated var id: String { board.device.description }
    /// The words that two people compare to be sure of this device.
    public nonisolated var fingerprint: [String] { board.fingerprint }
    /// The collections that are known here; a device that follows its group's schema learns more of
    /// them while it runs.
    public nonisolated var schema: Schema { schemaFile.schema }
    /// The collections as the home keeps them.
    package nonisolated var schemaFile: SchemaFile { board.schema }
    /// True while this device waits for its group's schema: batches that arrive are kept, and show
    /// then.
    public nonisolated var awaitsSchema: Bool { board.isSchemaAwaited }
    /// True while the keys are out of memory, until the passphrase is given.
    public var isLocked: Bool { homeDesk.isLocked }

    nonisolated var device: DeviceID { board.device }
    /// The reason why nothing can be written in the home; nil when it takes writes. Otherwise the
    /// node only answers reads.
    nonisolated var unwritable: HomeError? { board.unwritable }
    var home: Home { homeDesk.home }
}
