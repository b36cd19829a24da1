import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The machine that writes on this device: one life of it, its clock, its numbers, and the batches
/// that it named as seen.
struct Author {
    /// The device's name in the protocol.
    let device: DeviceID
    /// This life of the device.
    private(set) var incarnation: Incarnation
    /// The author of all that is written now.
    private(set) var id: AuthorID
    var clock: HybridLogicalClock
    /// The time before which a wall clock is not believed, in Unix milliseconds.
    var believedFrom = Limits.wallClockFloorMilliseconds
    /// The number of batches that this life has authored.
    private(set) var count: UInt64
    /// The clock and the count that the store is known to keep; nil when that is not known.
    private var saved: Marks?
    /// The batches that each chain has named as seen; after opening, everything is named again
    /// once.
    private var named: OrderedTable<ChainKey, OrderedTable<ChainKey, UInt64>> = OrderedTable()
    private var nonces: BatchNonces
    /// The names that a person gives this device.
    var profile = Profile()
    /// The transaction that the application has open.
    var open: OpenCommit?
    /// True while batches of an ended life are said again.
    var isSayingAgain = false
    /// The lives that say batches of other groups again, by the authors of those. After an opening
    /// new ones begin, since the store may be a copy.
    private var bringing: OrderedTable<AuthorID, Life> = OrderedTable()

    init(
        device: DeviceID, incarnation: Incarnation, clock: Timestamp, count: UInt64,
        nonces: BatchNonces
    ) {
        self.device = device
        self.incarnation = incarnation
        id = AuthorName.author(device: device, incarnation: incarnation)
        self.clock = HybridLogicalClock(last: clock)
        self.count = count
        self.nonces = nonces
    }

    /// The mark that the shell keeps outside the database.
    var witnessMark: WitnessMark { WitnessMark(incarnation: incarnation, highestSent: count) }

    /// The life that writes what is written now.
    private var life: Life { Life(incarnation: incarnation, id: id) }

    /// Returns the life that says batches of an author of another group again; nil where none did
    /// yet.
    func life(for foreign: AuthorID) -> Life? { bringing[foreign] }

    /// Returns that life, and begins it where there is none.
    mutating func beginLife(for foreign: AuthorID, _ entropy: inout Entropy) -> Life {
        if let life = bringing[foreign] { return life }
        let life = Life(Incarnation(entropy.bytes(8)) ?? .zero, of: device)
        bringing[foreign] = life
        return life
    }

    /// Returns true when a life that writes now is this author.
    func writes(_ author: AuthorID) -> Bool {
        author == id || bringing.values.contains { $0.id == author }
    }

    /// Returns the chain of all that is written to a scope now.
    func chain(in scope: ScopeID) -> ChainKey { ChainKey(scope: scope, chain: id) }

    /// Returns true when this life of the device wrote a chain.
    func wrote(_ row: ChainRow) -> Bool {
        row.device == device && row.incarnation == incarnation
    }

    /// True for a batch of this device that no life of it writes here now.
    func isOfOtherLife(_ header: BatchHeader) -> Bool {
        header.device == device
            && !writes(AuthorName.author(device: device, incarnation: header.incarnation))
    }

    /// Starts a new life of this device. All that it wrote so far stays, as another author's. The
    /// reason is told; nil where the person is told in another way.
    mutating func rotate(
        _ reason: String?, _ entropy: inout Entropy, _ turn: inout Turn
    ) throws(StorageError) {
        reload(Incarnation(entropy.bytes(8)) ?? .zero, count: 0)
        try turn.writing()
        try turn.store.setValue(.incarnation, incarnation.array)
        try turn.store.setValue(.replica, count.bytes)
        if let reason { turn.outbox.warn(.incarnationRotated(reason)) }
        turn.outbox.witness = witnessMark
    }

    /// Goes on as a life after `count` batches, as if nothing had been named as seen: a new one, or
    /// the one of before a transaction that was taken back.
    mutating func reload(_ life: Incarnation, count: UInt64) {
        incarnation = life
        id = AuthorName.author(device: device, incarnation: life)
        self.count = count
        saved = nil
        named.removeAll()
    }

    /// Forgets that a chain was named as seen, which is not held any more.
    mutating func forget(_ key: ChainKey) {
        for own in named.keys { named[own]?[key] = nil }
    }

    /// Writes the clock and the count to the store as far as they changed; the commit follows.
    mutating func save(to store: any Store) throws(StorageError) {
        let marks = Marks(clock: clock.last, count: count)
        if saved?.clock != marks.clock {
            try store.setValue(.clock, UInt64(marks.clock.rawValue).bytes)
        }
        if saved?.count != marks.count { try store.setValue(.replica, marks.count.bytes) }
        saved = marks
    }

    /// Returns a commit that begins now.
    mutating func beginCommit(
        _ durability: Durability, at now: Moment
    ) -> OpenCommit {
        let before = clock
        return OpenCommit(
            builder: CommitBuilder(base: tick(at: now)), durability: durability,
            clockBefore: before)
    }

    /// Returns the time of what is written now. A clock that a wrong wall clock took ahead comes
    /// back first, once the wall clock was set back to a time that can be.
    mutating func tick(at now: Moment) -> Timestamp {
        if now.wallMilliseconds >= believedFrom {
            clock.heal(wallMilliseconds: now.wallMilliseconds)
        }
        return clock.tick(wallMilliseconds: now.wallMilliseconds)
    }

    /// Names the batches that this author has seen since its previous batch of the chain: it has
    /// not seen those that were passed over.
    mutating func addDependencies(
        to attributes: inout BatchAttributes, scope: ScopeID, _ chains: ChainIndex,
        _ counted: CountedChains?, _ store: any Store
    ) throws(StorageError) {
        let own = chain(in: scope)
        let known = named[own] ?? OrderedTable()
        var seen = known
        var heads: [(key: ChainKey, head: Head)] = []
        for (key, row) in chains.rows where key != own && row.applied >= row.first {
            let end = counted?.shown(of: row) ?? row.applied
            guard let head = try Self.lastSeen(of: row, to: end, after: known[key] ?? 0, store)
            else { continue }
            heads.append((key, head))
            seen[key] = head.seq
        }
        named[own] = seen
        let authors = OrderedSet(heads.map(\.key.chain))
        attributes.authors = authors.elements
        var scopes: OrderedTable<ScopeID, [BatchAttributes.Dependency]> = OrderedTable()
        for (key, head) in heads {
            scopes[key.scope, default: []].append(
                BatchAttributes.Dependency(
                    author: authors.lowerBound(of: key.chain), seq: head.seq,
                    prefix: head.id.prefix8))
        }
        attributes.dependencies = scopes.map {
            BatchAttributes.ScopeDependencies(
                scope: $0.key, heads: $0.value.sorted { $0.author < $1.author })
        }
    }

    /// The number of batches at the end of a chain among which one is looked for that can be named.
    private static let lostAtMost: UInt64 = 64

    /// Returns the last batch of a chain up to `end` and after `known`; nil when there is none. A
    /// disk that lost the last ones leaves those before them, and what it lost comes again from
    /// peers.
    private static func lastSeen(
        of row: ChainRow, to end: UInt64, after known: UInt64, _ store: any Store
    ) throws(StorageError) -> Head? {
        let first = max(row.first, known + 1)
        var seq = end
        while seq >= first, end - seq < lostAtMost {
            if let id = try store.rememberedID(of: row, at: seq) { return Head(seq: seq, id: id) }
            seq -= 1
        }
        return nil
    }

    /// Encrypts and signs a batch that follows `previous`, with the newest keys of the group, as a
    /// batch of this life or of the one that is named.
    mutating func seal(
        _ body: BatchBody, scope: ScopeID, seq: UInt64, after previous: BatchID,
        for group: GroupState, _ signer: borrowing SigningKey, as life: Life? = nil
    ) throws(ReplicaError) -> SealedBatch {
        let life = life ?? self.life
        guard let epoch = group.ring.writing else { throw .noEpochKey }
        let root = group.rights.isScoped ? group.root(of: scope) : nil
        guard
            let key = group.batchKeys.key(of: epoch, author: life.id, scope: scope, root: root)
        else { throw .noEpochKey }
        let plaintext: [UInt8]
        do {
            plaintext = try body.encodePlaintext()
        } catch {
            throw .commitTooLarge
        }
        let header = BatchHeader(
            group: group.log.group, device: device, incarnation: life.incarnation, scope: scope,
            seq: seq, prev: previous, epoch: epoch.id, nonce: nonces.next(),
            root: root)
        return SealedBatch.seal(
            plaintext, header: header, author: life.id, key: key.bytes, signer: signer)
    }

    /// Counts one more stored batch of this life.
    mutating func wroteBatch() { count += 1 }
}

/// A life of a device, and the author that it is.
struct Life {
    let incarnation: Incarnation
    let id: AuthorID

    fileprivate init(incarnation: Incarnation, id: AuthorID) {
        (self.incarnation, self.id) = (incarnation, id)
    }

    fileprivate init(_ incarnation: Incarnation, of device: DeviceID) {
        self.incarnation = incarnation
        id = AuthorName.author(device: device, incarnation: incarnation)
    }
}

/// The marks that the store keeps of this device beside its batches.
private struct Marks {
    let clock: Timestamp
    let count: UInt64
}

/// The names that a person gives this device, before and after they are a record that others see.
struct Profile: Equatable {
    var name = ""
    var kind = ""
    /// True when this device still has to write its own row among the devices.
    var isDue = false
    /// The text of the schema that it publishes with that row.
    var schema: [UInt8]?
}

extension Store {
    /// Returns the id of a stored batch; that of the last one is known without a look into the
    /// store.
    func headID(of row: ChainRow, at seq: UInt64) throws(StorageError) -> BatchID? {
        seq == row.stored ? row.head : try batchID(chain: row.index, seq: seq)
    }
}
