import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

/// The store of a home.
typealias HomeStore = SQLiteStore

/// A home that this process holds, with the replica in it, opened on the calling thread.
struct OpenedHome: ~Copyable {
    /// The way in which a home is taken.
    enum Intent {
        /// Makes a new device in it, and a group when `founding`. Its key file asks for the
        /// passphrase, if there is one, from its first byte on.
        case create(
            name: String, kind: DeviceKind, founding: Bool, passphrase: Passphrase? = nil)
        /// Uses the device that is in it, with its passphrase when its key file asks for one.
        case open(Passphrase?)

        /// True when a device is made.
        var creates: Bool { if case .create = self { true } else { false } }
    }

    let home: Home
    let lock: HomeLock
    let store: HomeStore
    var replica: Replica
    var witness: Witness
    let effects: [Effect]
    let schema: HomeSchema
    /// The reason why nothing can be written; nil in a home that takes writes.
    let unwritable: HomeError?

    /// Opens or makes the home at a path.
    static func take(
        at path: String, schema: SchemaChoice, intent: Intent, now: Moment
    ) throws(LinnetError) -> OpenedHome {
        guard case .create = intent else {
            let home = try Self.home { () throws(HomeError) in try Home.open(at: path) }
            return try take(home, schema: schema, intent: intent, now: now)
        }
        let home = try Self.home { () throws(HomeError) in try Home.create(at: path) }
        if home.hasDevice { throw .home(.keyFileExists(path: home.path(of: .key))) }
        // This comes before everything that a failure would remove again.
        try Self.home { () throws(HomeError) in try home.requireDatabase() }
        do throws(LinnetError) {
            return try take(home, schema: schema, intent: intent, now: now)
        } catch {
            // Nothing stays behind of a device that never came to be, unless another process has
            // the home.
            if case .home(.locked) = error { throw error }
            try? home.removeFiles()
            throw error
        }
    }

    private static func take(
        _ home: Home, schema: SchemaChoice, intent: Intent, now: Moment
    ) throws(LinnetError) -> OpenedHome {
        do throws(LinnetError) {
            let lock = try Self.home { () throws(HomeError) in try HomeLock(home) }
            return try take(home, lock, schema: schema, intent: intent, now: now)
        } catch {
            // A disk that takes no writes can be read all the same.
            guard case .open = intent, let problem = DiskProblem.behind(error, in: home) else {
                throw error
            }
            let lock = try Self.home { () throws(HomeError) in try HomeLock(reading: home) }
            return try take(
                home, lock, schema: schema, intent: intent, now: now, unwritable: problem)
        }
    }

    /// Opens or makes the home whose lock the caller holds.
    ///
    /// - Parameters:
    ///   - unwritable: the reason why nothing can be written, where it is known: the opening then
    ///     writes only in memory.
    ///   - held: the keys, where they are at hand; else the key file has them.
    ///   - isRecovering: true for the caller that recovers a group into the home.
    static func take(
        _ home: Home, _ lock: HomeLock, schema: SchemaChoice, intent: Intent, now: Moment,
        unwritable: HomeError? = nil, keys held: consuming DeviceKeys? = nil,
        isRecovering: Bool = false
    ) throws(LinnetError) -> OpenedHome {
        if !isRecovering { try Self.home { () throws(HomeError) in try home.requireFinished() } }
        if !intent.creates {
            try Self.home { () throws(HomeError) in try home.requireDatabase() }
        }
        if !intent.creates {
            try HomeIntegrity(home).requireUnblocked(
                clock: ClockJudgement.evidence(now: now.wallMilliseconds))
        }
        var entropy = Entropy(seed: SystemEntropy.seed())
        let isWritable = unwritable == nil
        let keys: DeviceKeys
        if let held {
            keys = held
        } else {
            keys = try Self.keys(
                of: home, intent, entropy: &entropy, now: now, healing: isWritable)
        }
        if intent.creates { try makeDatabaseFile(in: home) }
        let store = try Self.store(
            of: home, keys: keys, intent, noncePrefix: entropy.bytes(16), isWritable: isWritable)
        var schema = try Self.schema(of: store, schema)
        var witness = Witness(home)
        // A witness that an earlier device left in the directory says nothing about a new one.
        let state = intent.creates ? .missing : try Self.state(of: witness)
        var replica = try Self.replica(
            store: store, keys: keys, schema: schema.file.schema, entropy: entropy,
            witness: state, now: now, in: home)
        // Who opens a home sees all of it.
        var effects: [Effect] = []
        while replica.isShowingDue, !replica.hasFailed {
            effects += replica.goOnShowing(at: now)
        }
        effects += try Self.settleIn(&replica, intent, schema, now: now)
        if isWritable {
            effects += try Self.meetGroup(&replica, &schema, now: now)
            let mark = replica.witnessMark
            try Self.home { () throws(HomeError) in
                try witness.remember(mark)
            }
        }
        return OpenedHome(
            home: home, lock: lock, store: store, replica: replica, witness: witness,
            effects: effects, schema: schema, unwritable: unwritable)
    }

    private static func store(
        of home: Home, keys: borrowing DeviceKeys, _ intent: Intent, noncePrefix: [UInt8],
        isWritable: Bool
    ) throws(LinnetError) -> SQLiteStore {
        guard isWritable || ReadingFiles.register() else {
            throw .unexpected("SQLite has no file system")
        }
        let path = home.path(of: .database)
        do {
            return try SQLiteStore(
                path: path, databaseKey: keys.databaseKey, noncePrefix: noncePrefix,
                mustExist: !intent.creates, vfs: isWritable ? nil : ReadingFiles.name)
        } catch .missing {
            throw .home(.databaseMissing(path: path))
        } catch {
            throw DiskProblem.told(error, in: home)
        }
    }

    private static func replica(
        store: any Store, keys: consuming DeviceKeys, schema: Schema,
        entropy: consuming Entropy, witness: WitnessState, now: Moment, in home: Home
    ) throws(LinnetError) -> Replica {
        do {
            return try Replica.open(
                store: store, keys: keys, schema: schema, entropy: entropy, witness: witness,
                at: now)
        } catch {
            if case .storage(let failure) = error { throw DiskProblem.told(failure, in: home) }
            throw LinnetError(error)
        }
    }

    /// Gives a new device its name, and a group when it founds one.
    private static func settleIn(
        _ replica: inout Replica, _ intent: Intent, _ schema: HomeSchema, now: Moment
    ) throws(LinnetError) -> [Effect] {
        guard case .create(let name, let kind, let founding, _) = intent else { return [] }
        guard founding else {
            replica.setProfile(name: name, kind: kind.rawValue)
            return []
        }
        do {
            return try replica.createGroup(
                name: name, kind: kind.rawValue,
                publishing: schema.unpublished(among: []).map { Array($0.text.utf8) },
                keepsRecoveryKey: true, at: now)
        } catch {
            throw LinnetError(error)
        }
    }

    /// Uses the schemas that the group has published, and publishes the one that the home was
    /// opened with.
    private static func meetGroup(
        _ replica: inout Replica, _ schema: inout HomeSchema, now: Moment
    ) throws(LinnetError) -> [Effect] {
        guard replica.isMember else { return [] }
        do throws(ReplicaError) {
            let published = SchemaFile.understood(try replica.reader.publishedSchemas()).files
            var effects: [Effect] = []
            if schema.isFixed, let own = schema.unpublished(among: published) {
                effects += try replica.publish(schema: Array(own.text.utf8), at: now)
            }
            if let next = schema.next(with: published) {
                schema.file = next
                effects += try replica.adopt(
                    next.schema, keeping: Array(next.text.utf8), at: now)
            }
            return effects
        } catch {
            throw LinnetError(error)
        }
    }

    /// Makes the file of the database, which SQLite would make readable for others.
    private static func makeDatabaseFile(in home: Home) throws(LinnetError) {
        let name = Home.File.database.rawValue
        if home.directory.contains(name) { return }
        _ = try Self.home { () throws(HomeError) in
            try OpenFile.creating(at: home.path(of: .database)).synchronize()
        }
    }

    private static func keys(
        of home: Home, _ intent: Intent, entropy: inout Entropy, now: Moment, healing: Bool
    ) throws(LinnetError) -> DeviceKeys {
        let files = KeyFileStore(home)
        do {
            switch intent {
            case .create(_, _, _, let passphrase):
                let keys = DeviceKeys(
                    createdMilliseconds: max(0, now.wallMilliseconds), entropy: &entropy)
                try files.create(
                    try KeyFile.encode(keys, passphrase: passphrase?.secret, entropy: &entropy))
                return keys
            case .open(let passphrase):
                let loaded = try KeyFileStore.intact(in: home)
                let keys = try KeyFile.decode(loaded.bytes, passphrase: passphrase?.secret)
                if healing { try files.heal(loaded) }
                return keys
            }
        } catch let error as LinnetError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch let error as MembershipError {
            throw LinnetError(error)
        } catch {
            throw .unexpected("\(error)")
        }
    }

    private static func state(of witness: borrowing Witness) throws(LinnetError) -> WitnessState {
        do {
            return try witness.compare()
        } catch {
            throw .home(error)
        }
    }

    private static func home<Result>(
        _ body: () throws(HomeError) -> Result
    ) throws(LinnetError) -> Result {
        do {
            return try body()
        } catch {
            throw .home(error)
        }
    }
}
