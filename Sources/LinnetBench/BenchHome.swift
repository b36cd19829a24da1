import CBench
import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// One device in a directory of its own: a replica over the real store, and what it wants sent.
final class BenchHome {
    private(set) var replica: Replica?
    let path: String
    /// The bytes that the replica gave out for its links, in order.
    var outgoing: [(link: LinkID, bytes: [UInt8])] = []
    /// True when the replica closed a link.
    var hasClosed = false
    private(set) var request: LinkID?
    /// The number of times that a session opened.
    private(set) var sessions = 0
    /// True once both sides held the same.
    var isInStep = false
    /// The devices that were removed since.
    private(set) var removed: Set<DeviceID> = []
    /// The processor time of each call; nil while nobody asks for it.
    var meter: CallMeter?
    /// True when one input is followed by all calls that it leads to.
    var showsAtOnce = true
    /// The number of records that batches of others changed.
    var receivedChanges = 0

    private init(path: String, replica: consuming Replica) {
        self.path = path
        self.replica = consume replica
    }

    static func databasePath(_ path: String) -> String { path + "/store.sqlite" }
    private static func keyPath(_ path: String) -> String { path + "/key" }
    private static func markPath(_ path: String) -> String { path + "/mark" }

    /// Makes a new device, in a group of its own when `founding`.
    static func create(
        at path: String, founding: Bool, kind: String = "laptop"
    ) throws -> BenchHome {
        BenchFiles.remove(path)
        try require(unsafe bench_make_directory(path) == 0, "cannot make \(path)")
        var entropy = Entropy(seed: SystemEntropy.seed())
        let now = BenchClock.moment
        let keys = DeviceKeys(createdMilliseconds: now.wallMilliseconds, entropy: &entropy)
        try BenchFiles.write(
            try KeyFile.encode(keys, passphrase: nil, entropy: &entropy), to: keyPath(path))
        try BenchFiles.write([], to: databasePath(path))
        let home = try open(at: path, keys: keys, entropy: entropy, witness: .missing)
        if founding {
            home.perform(
                try home.replica?.createGroup(name: "Bench", kind: kind, at: now) ?? [])
        } else {
            home.replica?.setProfile(name: "Bench", kind: kind)
        }
        return home
    }

    /// Opens a home that was closed in good order.
    static func open(at path: String) throws -> BenchHome {
        let keys = try KeyFile.decode(
            try BenchFiles.read(keyPath(path), upTo: KeyFile.byteCount + 1), passphrase: nil)
        let entropy = Entropy(seed: SystemEntropy.seed())
        let bytes = try BenchFiles.read(markPath(path), upTo: 16)
        guard bytes.count == 16, let incarnation = Incarnation(Array(bytes[..<8])) else {
            throw BenchError("\(path) was not closed")
        }
        let sent = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        return try open(
            at: path, keys: keys, entropy: entropy,
            witness: .intact(WitnessMark(incarnation: incarnation, highestSent: sent)))
    }

    private static func open(
        at path: String, keys: consuming DeviceKeys, entropy: consuming Entropy,
        witness: WitnessState
    ) throws -> BenchHome {
        let store = try SQLiteStore(
            path: databasePath(path), databaseKey: keys.databaseKey,
            noncePrefix: entropy.bytes(16))
        let replica = try Replica.open(
            store: store, keys: keys, schema: try BenchStream.schema(), entropy: entropy,
            witness: witness, at: BenchClock.moment)
        return BenchHome(path: path, replica: replica)
    }

    /// Writes everything back and closes the store, so that the files can be copied.
    func close() throws {
        try settle()
        guard let mark = replica?.witnessMark, let replica = replica.take() else { return }
        try replica.close()
        try write(mark)
    }

    /// Makes everything durable and folds whatever is not folded yet.
    func settle() throws {
        perform(try replica?.flush(at: BenchClock.moment) ?? [])
        try replica?.foldEverything()
    }

    /// The same, and waits until the disk has what was folded, which would otherwise be written out
    /// by the first sync of what is measured next.
    func rest() throws {
        try settle()
        perform(try replica?.flush(at: BenchClock.moment) ?? [])
    }

    func commit(_ writes: consuming [Write], _ durability: Durability = .relaxed) throws {
        guard
            let (_, effects) = try replica?.commit(
                writes, durability: durability, at: BenchClock.moment)
        else { throw BenchError("\(path) is closed") }
        perform(effects)
    }

    func handle(_ input: Input) {
        call(input)
        if showsAtOnce { show() }
    }

    /// Calls the replica as long as it has more to show.
    func show() {
        while replica?.isShowingDue == true { call(.deadlineReached) }
    }

    private func call(_ input: Input) {
        let now = BenchClock.moment
        let effects = meter?.count { replica?.handle(input, at: now) }
        perform((meter == nil ? replica?.handle(input, at: now) : effects ?? nil) ?? [])
    }

    /// Notes what the witness has to know, as for a home that is copied while it is open.
    func leave() throws {
        guard let mark = replica?.witnessMark else { throw BenchError("\(path) is closed") }
        try write(mark)
    }

    private func write(_ mark: WitnessMark) throws {
        var bytes = mark.incarnation.array
        BigEndian.append(mark.highestSent, to: &bytes)
        try BenchFiles.write(bytes, to: Self.markPath(path))
    }

    func views() throws -> [RecordView] {
        try replica?.reader.records(BenchStream.collection) ?? []
    }

    func view(_ record: Int) throws -> RecordView? {
        try replica?.reader.record(BenchStream.collection, try BenchStream.record(record))
    }

    func digest() throws -> Bytes32 {
        guard let digest = try replica?.reader.digest() else {
            throw BenchError("\(path) is closed")
        }
        return digest
    }

    /// The digest as a tree of pages.
    func root() throws -> Bytes32 {
        guard let root = try replica?.reader.root() else {
            throw BenchError("\(path) is closed")
        }
        return root
    }

    /// The number of records, as an application asks for it.
    func count(_ condition: Condition? = nil) throws -> Int {
        try replica?.reader.count(matching: Query("med", where: condition)) ?? 0
    }

    /// Reads all records, a page at a time, and returns how many there are.
    func scan() throws -> Int {
        var reading = CollectionReading(BenchStream.collection)
        var count = 0
        while !reading.isDone { count += try replica?.reader.records(&reading).count ?? 0 }
        return count
    }

    func pairingCode() throws -> PairingCode {
        let offer = try replica?.offerPairing(addresses: [], at: BenchClock.moment)
        guard let code = offer?.code else { throw BenchError("no code to pair with") }
        return code
    }

    var isMember: Bool { replica?.isMember ?? false }

    var device: DeviceID? { replica?.device }

    /// Removes a device from the group.
    func remove(_ device: DeviceID) throws {
        perform(
            try replica?.remove(device, reason: .lost, with: [], at: BenchClock.moment) ?? [])
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let link, let bytes): outgoing.append((link, bytes))
            case .close: hasClosed = true
            case .witness, .lane, .mail: continue
            case .notify(let event): note(event)
            }
        }
    }

    private func note(_ event: Event) {
        switch event {
        case .pairingRequest(let link, _, _, _): request = link
        case .sessionOpened: sessions += 1
        case .peerInStep: isInStep = true
        case .memberRemoved(let device, _): removed.insert(device)
        case .batchApplied(_, _, _, _, false): receivedChanges += 1
        default: break
        }
    }
}
