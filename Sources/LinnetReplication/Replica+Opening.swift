package import LinnetCRDT
package import LinnetCrypto
package import LinnetMembership
package import LinnetStorage
package import LinnetWire

extension Replica {
    /// Opens a replica over its store. It shows what it showed before, but for what a power failure
    /// took of that, and for what others wrote and did not show yet: both may be left to the calls
    /// that follow, as ``isShowingDue`` tells.
    ///
    /// - Parameters:
    ///   - witness: the finding of the shell outside the database; any doubt starts a new
    ///     incarnation before the first write.
    ///   - entropy: seeded by the shell, or by a simulation.
    package static func open(
        store: any Store, keys: consuming DeviceKeys, schema: Schema,
        entropy: consuming Entropy, witness: WitnessState, at now: Moment
    ) throws(ReplicaError) -> Replica {
        let opened = try Opened(from: store, entropy: &entropy)
        let files = try storage { () throws(StorageError) in try FileDesk(in: store) }
        var replica = Replica(
            opened, store: store, keys: keys, schema: schema, entropy: entropy, files)
        do throws(StorageError) {
            try replica.start(witness, isNew: opened.isNew, at: now)
        } catch {
            throw .storage(error)
        }
        return replica
    }

    /// Shows more of what others wrote and the opening left.
    package mutating func goOnShowing(at now: Moment) -> [Effect] {
        guard failure == nil else { return [] }
        do throws(StorageError) {
            return try settle(at: now)
        } catch {
            return [.notify(.storeFailed(fail(error)))]
        }
    }

    private init(
        _ opened: Opened, store: any Store, keys: consuming DeviceKeys,
        schema: Schema, entropy: consuming Entropy, _ files: FileDesk
    ) {
        chains = ChainBook(
            opened.chains, opened.restatements, device: keys.device,
            isStale: opened.folded != schema.foldMark)
        recordBook = RecordBook(
            seed: entropy.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }, schema: schema)
        author = Author(
            device: keys.device, incarnation: opened.incarnation, clock: opened.clock,
            count: opened.ownBatches, nonces: BatchNonces(entropy: &entropy))
        desk = PairingDesk(counters: opened.counters)
        membership = Membership(
            log: opened.log, opened.handed, schema: schema, keys: keys)
        membership.questions = opened.questions
        scopes = ScopeBook(
            subscription: opened.subscription, known: KnownScopes(kept: opened.known),
            scopedReaders: opened.scopedReaders)
        notices = NoticeBook(kept: opened.notices, opened.chains)
        author.believedFrom = notices.believedFrom
        self.files = files
        turn = Turn(store)
        self.keys = keys
        self.schema = schema
        self.entropy = entropy
    }

    private mutating func start(
        _ witness: WitnessState, isNew: Bool, at now: Moment
    ) throws(StorageError) {
        // The batches that a killed process left in the log must be durable before they count as
        // sendable.
        try store.flush()
        try recordBook.overlay.beginRowFilter(in: store)
        try checkWitness(witness, isNew: isNew)
        membership.count(try chains.counted(by: group, on: device, in: store))
        if chains.isStale {
            try turn.writing()
            try store.setValue(.schema, schema.foldMark)
            try recordBook.indexes.note(in: store)
        } else {
            try recordBook.indexes.adapt(recordBook.rows(log), &turn)
            try replay(isOpening: true)
        }
        posts = try PostBook(from: store)
        try findLost(at: now)
        try fold(at: now)
        try RowCounting(rows: recordBook.rows(log)).countOld(turn)
        turn.shown = 0
        membership.plan(of: keys.device, at: now)
        try scopes.recall(log, on: device)
        try keepNotices(at: now)
        if store.isInTransaction {
            // Folding anew may have moved the clock.
            try author.save(to: store)
            try scopes.save(in: store, of: group)
            try chains.save(to: store)
            try store.commit()
        }
        recordBook.tidy(at: now)
        try restoreProfile()
    }

    /// Restores the names in this device's own row, which it tells in the next pairing.
    private mutating func restoreProfile() throws(StorageError) {
        guard group != nil else { return }
        let key = RecordKey(collection: Self.devices, record: ownRecord)
        guard let row = try reader.existing(key) else { return }
        for field in schema.view(of: row)?.fields ?? [] {
            guard case .text(let text)? = field.values.first else { continue }
            if field.field == Schema.DeviceFields.name { author.profile.name = text }
            if field.field == Schema.DeviceFields.kind { author.profile.kind = text }
        }
        spareMemory()
    }

    private mutating func checkWitness(
        _ witness: WitnessState, isNew: Bool
    ) throws(StorageError) {
        switch witness {
        case .intact(let mark) where mark.incarnation != incarnation:
            try author.rotate("the witness names another incarnation", &entropy, &turn)
            try LaneHost.forget(&turn)
        case .intact(let mark) where mark.highestSent > author.count:
            try author.rotate(
                "the database is older than what this device has sent", &entropy, &turn)
            try LaneHost.forget(&turn)
        case .intact:
            break
        case .missing where isNew:
            break
        case .missing:
            try author.rotate("the witness file is missing", &entropy, &turn)
            try LaneHost.forget(&turn)
        case .mismatch(let how):
            try author.rotate(how, &entropy, &turn)
            try LaneHost.forget(&turn)
        }
    }

    /// Forgets all that a rolled-back transaction left in memory.
    mutating func reload() throws(ReplicaError) {
        let opened = try Opened(from: store, entropy: &entropy)
        chains.reload(opened.chains, opened.restatements)
        author.reload(opened.incarnation, count: opened.ownBatches)
        sessions.peers.reload()
        notices = NoticeBook(kept: opened.notices, opened.chains)
        scopes.known.reload(kept: opened.known)
        posts.reload()
        membership.questions = opened.questions
        turn = Turn(store)
        files.reload()
        recordBook.reset()
        try storage { () throws(StorageError) in try replay() }
    }

    /// Founds a group with this device as its only member.
    ///
    /// - Parameters:
    ///   - name: the name that people give the device.
    ///   - kind: the kind of device.
    ///   - text: the schema's text that the group has from its beginning; nil for none.
    ///   - keepsRecoveryKey: true when this device keeps a recovery key, with which a phrase can be
    ///     made later; a group that was founded without one can never have any.
    ///   - now: the time.
    package mutating func createGroup(
        name: String, kind: String, publishing text: [UInt8]? = nil,
        keepsRecoveryKey: Bool = false, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard group == nil else { throw .alreadyAMember }
        if let failure { throw .storage(failure) }
        setProfile(name: name, kind: kind)
        let log: MembershipLog
        do {
            log = try foundedLog(keepsRecoveryKey: keepsRecoveryKey, at: now)
        } catch {
            throw .membership(error)
        }
        turn.keep(log.records)
        if let failure = turn.failure { throw .storage(fail(failure)) }
        membership.enter(log, schema: schema, keys: keys)
        author.profile.isDue = true
        author.profile.schema = text
        do {
            try scopes.known.become(.everything, in: &turn)
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Sets the names of this device for the next pairing; a member changes them with `rename`.
    package mutating func setProfile(name: String, kind: String) {
        (author.profile.name, author.profile.kind) = (name, kind)
        spareMemory()
    }

    /// Keeps few records at hand on a watch, which has little memory.
    private mutating func spareMemory() {
        if author.profile.kind == "watch" { foldPolicy = .small }
    }

    /// Gives this device another name, or kind, in the sealed collection of devices.
    package mutating func rename(
        _ name: String, kind: String? = nil, at now: Moment
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        var fields = [FieldWrite(Schema.DeviceFields.name, .text(name))]
        if let kind { fields.append(FieldWrite(Schema.DeviceFields.kind, .text(kind))) }
        let outcome = try commit(
            [.set(collection: Self.devices, record: ownRecord, fields: fields)], at: now)
        author.profile.name = name
        if let kind { author.profile.kind = kind }
        spareMemory()
        return outcome
    }

    static var devices: UInt32 { Schema.devices.id }

    /// This device's row among the devices; hexadecimal digits always make a legal identifier.
    var ownRecord: RecordID { Self.recordID(of: device) }

    static func recordID(of device: DeviceID) -> RecordID {
        guard let id = RecordID(device.description) else {
            preconditionFailure("64 hexadecimal digits are a record identifier")
        }
        return id
    }
}

/// The facts that the store has of a replica when it opens.
private struct Opened {
    let isNew: Bool
    let incarnation: Incarnation
    let clock: Timestamp
    let ownBatches: UInt64
    let chains: [ChainRow]
    let counters: PairingCounters
    let log: MembershipLog?
    let folded: [UInt8]?
    let subscription: Subscription
    let known: ScopeFilter?
    let notices: [UInt8]?
    let questions: QuestionBook
    let restatements: Restatements
    let handed: HandedKeys
    let scopedReaders: [DeviceID]

    init(from store: any Store, entropy: inout Entropy) throws(ReplicaError) {
        do {
            let known = try store.value(.incarnation).flatMap { Incarnation($0) }
            isNew = known == nil
            if let known {
                incarnation = known
            } else {
                incarnation = Incarnation(entropy.bytes(8)) ?? .zero
                try store.begin(.full)
                try store.setValue(.incarnation, incarnation.array)
                try store.commit()
            }
            clock =
                try store.value(.clock).flatMap(Self.number)
                .flatMap { Timestamp(rawValue: Int64(clamping: $0)) } ?? .zero
            ownBatches = try store.value(.replica).flatMap(Self.number) ?? 0
            chains = try store.chains()
            folded = try store.value(.schema)
            notices = try store.value(.notices)
            questions = try QuestionBook(kept: store.value(.questions))
            restatements = try Self.restatements(try store.value(.restatements))
            handed = try Self.handed(try store.value(.handedKeys))
            scopedReaders = try Self.devices(try store.value(.scopedReaders))
            let wanted = try store.value(.scopes)
            subscription = try wanted.map(Self.subscription) ?? .all
            let filter = try store.value(.knownScopes)
            self.known = try filter.map(Self.filter)
            let counters = try store.value(.pairingCounters)
            let records = try store.memberRecords().map(\.bytes)
            do {
                self.counters =
                    try counters.map { (bytes) throws(MembershipError) in
                        try PairingCounters(decoding: bytes)
                    } ?? PairingCounters()
                log = records.isEmpty ? nil : try MembershipLog(stored: records)
            } catch {
                throw ReplicaError.membership(error)
            }
        } catch let error as StorageError {
            throw .storage(error)
        } catch let error as ReplicaError {
            throw error
        } catch {
            throw .noEpochKey
        }
    }

    private static func subscription(_ bytes: [UInt8]) throws(StorageError) -> Subscription {
        do {
            return try Subscription(decoding: bytes)
        } catch {
            throw .corrupt(where: "meta: the scopes that are held")
        }
    }

    private static func filter(_ bytes: [UInt8]) throws(StorageError) -> ScopeFilter {
        do {
            var reader = CBORReader(bytes)
            return try ScopeFilter.read(from: &reader)
        } catch {
            throw .corrupt(where: "meta: the scopes that are known")
        }
    }

    private static func handed(_ bytes: [UInt8]?) throws(StorageError) -> HandedKeys {
        do {
            return try bytes.map { (bytes) throws(WireError) in
                try HandedKeys(decoding: bytes)
            } ?? HandedKeys()
        } catch {
            throw .corrupt(where: "meta: the keys that others handed over")
        }
    }

    private static func devices(_ bytes: [UInt8]?) throws(StorageError) -> [DeviceID] {
        guard let bytes else { return [] }
        do {
            var reader = CBORReader(bytes)
            var devices: [DeviceID] = []
            for _ in 0..<(try reader.array()) { devices.append(try reader.bytes32()) }
            return devices
        } catch {
            throw .corrupt(where: "meta: the members that read what is sealed by scope")
        }
    }

    private static func restatements(_ bytes: [UInt8]?) throws(StorageError) -> Restatements {
        do {
            return try bytes.map { (bytes) throws(WireError) in
                try Restatements(decoding: bytes)
            } ?? Restatements()
        } catch {
            throw .corrupt(where: "meta: the batches that are said again")
        }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64? {
        bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
