import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// One device: a real replica over its store, its disk, its clock, and how its process fares.
final class SimulatedDevice {
    let index: Int
    let name: String
    /// The number of the device key that it holds: its own, or that of the device it is a copy of.
    let identity: Int
    let backend: Backend
    let random: SeededRandom
    var clock = DeviceClock()
    var replica: Replica?
    /// The version of the application that runs here.
    var version: Int
    var state = State.off
    /// The number of times that its process was started.
    var lives = 0
    /// The mark outside the database.
    var witness: WitnessMark?
    /// Ends of links at this device, in the order they were opened.
    var links: [LinkID] = []
    var fate = Fate()
    var backup: HomeImage?
    var typing = Typing()

    enum State { case off, running, asleep }

    /// The typing of its people.
    struct Typing {
        /// The place where each text was typed last.
        var carets: [TextPlace: Range<Int>] = [:]
        /// The texts that are open, for as long as the process runs.
        var editors: [TextPlace: SimulatedEditor] = [:]
    }

    /// The things that are to happen to its process.
    struct Fate {
        /// The time for which the earliest deadline was scheduled.
        var wakeTime: Int64?
        /// Effects until it dies.
        var effectsLeft: (count: Int, power: Bool)?
        /// The time for which it stays down after the next crash.
        var downFor: Int64 = 1_000
        /// The time from one failure of its disk to the next try, and the last failure.
        var outage = (pause: Int64(0), last: Int64(0))
        /// The number of further crashes in a row.
        var isStorming = 0
        /// The reason why the mark outside the database will not be believed at the next start.
        var witnessDoubt: String?
        /// The number of starts that failed since the last one that did not.
        var failedStarts = 0
        /// The reads that fail at the next opening: after so many thousandths of them, so many.
        var unread: (place: Int, reads: Int)?
        /// The number of reads that the last opening took.
        var readsOfOpening = 0
    }

    init(
        index: Int, name: String, identity: Int, backend: Backend, version: Int,
        random: SeededRandom
    ) {
        self.index = index
        self.name = name
        self.identity = identity
        self.backend = backend
        self.version = version
        self.random = random
    }

    var isRunning: Bool { state == .running }
    var isMember: Bool { replica?.isMember ?? false }

    func moment(_ now: Int64) -> Moment { clock.moment(now: now) }

    /// Starts the process: opens the store and the replica over it.
    func start(schema: Schema, keySeed: UInt64, now: Int64) throws(ReplicaError) {
        lives += 1
        clock.boot(now: now)
        backend.powerOn()
        let keys = Self.keys(seed: keySeed, identity: identity)
        var lifeRandom = random.fork("life", lives)
        var entropy = Entropy(seed: SecretBytes(copying: lifeRandom.bytes(32)))
        let readsBefore = armReads()
        let store: any Store
        do throws(StorageError) {
            store = try backend.open(
                databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        } catch {
            throw .storage(error)
        }
        replica = try Replica.open(
            store: store, keys: keys, schema: schema, entropy: entropy, witness: witnessState,
            at: moment(now))
        if case .sqlite(let disk) = backend {
            fate.readsOfOpening = disk.counters.reads - readsBefore
        }
        replica?.foldPolicy = foldPolicy(&lifeRandom)
        replica?.partBytes = lifeRandom.pick([0, 2_000, 20_000, 8 << 20])
        // This is drawn apart, so that all else that a seed draws stays as it was.
        var slices = random.fork("slices", lives)
        replica?.shownInOneCall = slices.pick([30, 300, Limits.shownInOneCall])
        replica?.setProfile(name: "\(name) \(Canary.text)", kind: "other")
        fate.witnessDoubt = nil
        state = .running
        fate.wakeTime = nil
        fate.failedStarts = 0
    }

    /// Lets reads of the opening that comes fail where they are to; how many there were before it.
    private func armReads() -> Int {
        guard case .sqlite(let disk) = backend else { return 0 }
        if let unread = fate.unread.take() {
            disk.failRead(1 + fate.readsOfOpening * unread.place / 1_000, reads: unread.reads)
        }
        return disk.counters.reads
    }

    /// The keys of a device, which its home keeps outside the database.
    static func keys(seed: UInt64, identity: Int) -> DeviceKeys {
        var random = SeededRandom(seed: seed).fork("keys", identity)
        var entropy = Entropy(seed: SecretBytes(copying: random.bytes(32)))
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    /// Folds so small that many end in the middle, and so little kept at hand that most is read.
    private func foldPolicy(_ random: inout SeededRandom) -> FoldPolicy {
        FoldPolicy(
            work: 30 + random.below(300), dirtyBytes: 1 << 20, cleanBytes: random.below(4_000),
            rowsForWork: 0, rowsAtLeast: 1 + random.below(4))
    }

    /// Lets somebody look at the replica, if the process runs.
    func lendReplica(_ look: (borrowing Replica) throws(Violation) -> Void) throws(Violation) {
        try replica?.show(to: look)
    }

    /// The uptime at which its replica wants to be called again.
    var nextDeadline: Int64? { replica?.askDeadline() ?? nil }

    private var witnessState: WitnessState {
        if let witnessDoubt = fate.witnessDoubt { return .mismatch(witnessDoubt) }
        guard let witness else { return .missing }
        return .intact(witness)
    }

    /// The end of the process, whatever it was doing.
    func stop(power: Bool) {
        if power { backend.powerOff() } else { backend.killProcess() }
        replica = nil
        typing.editors = [:]
        state = .off
        fate.effectsLeft = nil
        fate.wakeTime = nil
    }

    /// Shuts down in order.
    func close() throws(ReplicaError) {
        guard let replica = replica.take() else { return }
        typing.editors = [:]
        state = .off
        try replica.close()
    }
}

/// A backup of a home, or what a copy of it starts from.
struct HomeImage {
    let files: BackendImage
    let witness: WitnessMark?
    let lives: Int
}

/// Looks at a replica where it lies: whoever only reads it through its device is given a copy of
/// its bytes, which takes longer than most looks. These are not inlined, or the copy is made again.
extension Replica {
    @inline(never)
    fileprivate mutating func show(
        to look: (borrowing Replica) throws(Violation) -> Void
    ) throws(Violation) {
        try look(self)
    }

    @inline(never)
    fileprivate mutating func askDeadline() -> Int64? { nextDeadline }
}
