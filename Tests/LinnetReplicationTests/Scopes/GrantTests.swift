import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that are bound to scopes: a caregiver reads the doses and medicines, and no notes.
@Suite struct GrantTests {
    private let fleet = Fleet()
    private static let (meds, notes, doses): (UInt32, UInt32, UInt32) = (2_000, 2_001, 2_002)

    /// A phone, a laptop and the caregiver's device.
    private func group() throws -> [Device] {
        let text = Field(id: 1, name: "text", type: .text)
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(
                    id: Self.meds, name: "med", scope: .optional("meds"), fields: [text]),
                Collection(
                    id: Self.notes, name: "note", scope: .optional("notes"), fields: [text]),
                .log(
                    id: Self.doses, name: "dose", scope: .divided("log", by: .month),
                    fields: [text]),
                Collection(
                    id: 2_003, name: "part", scope: .divided("parts", by: .segment),
                    fields: [text]),
            ])
        let devices = try fleet.group(["phone", "laptop", "caregiver"])
        fleet.disconnectAll()
        meet(devices)
        return devices
    }

    private func meet(_ devices: [Device]) {
        for _ in 0..<2 {
            for device in devices.dropFirst() { connect(devices[0], device) }
            fleet.disconnectAll()
            fleet.advance(10)
        }
    }

    /// Dials with the key of the pair, since one side may lack the newest epoch.
    private func connect(_ left: Device, _ right: Device) {
        guard let peer = right.replica?.device else { return }
        fleet.connect(left, right, .dialledMember(peer))
    }

    private func bind(
        _ target: Device, _ role: Role, to scopes: ScopeChoice, by author: Device
    ) throws {
        let effects = try author.replica?.setRole(
            role, scopes: scopes, of: try deviceID(of: target), at: fleet.now)
        author.perform(effects ?? [])
        fleet.run()
    }

    /// The ciphertexts of a scope on a device.
    private func sealed(_ name: String, on device: Device) throws -> [SealedBatch] {
        guard let group = device.group, let store = device.replica?.store else {
            throw Device.Closed()
        }
        let scope = group.scope(named: name)
        var found: [SealedBatch] = []
        for row in device.replica?.chainRows ?? [] where row.scope == scope {
            for stored in try store.batches(chain: row.index, from: 1, maxBytes: .max) {
                found.append(SealedBatch(stored, in: row, of: group.log.group))
            }
        }
        return found
    }

    /// The number of batches that all keys of a device open, whatever the keys are meant for.
    private func opened(_ batches: [SealedBatch], by device: Device) throws -> Int {
        let group = try #require(device.group)
        var keys: [SharedSecret] = group.handed.all
        for epoch in group.ring.epochs {
            keys += [epoch.networkKey, epoch.dataKey].compactMap(\.self)
            keys += epoch.scopeKeys.values
            for batch in batches {
                if let root = batch.header.root, let key = epoch.scopeKey(root) { keys.append(key) }
            }
        }
        return batches.filter { batch in
            let (author, scope) = (batch.author, batch.header.scope)
            return keys.contains { key in
                let derived = [
                    key, SharedSecret(BatchName.key(key.bytes, author: author, scope: scope)),
                    SharedSecret(BatchName.key(ofRoot: key.bytes, author: author, scope: scope)),
                ]
                return derived.contains { (try? batch.open(key: $0.bytes)) != nil }
            }
        }.count
    }

    @Test(arguments: [Role.reader, .member])
    func `a caregiver reads its scopes, and its keys open nothing of the others`(role: Role) throws
    {
        let devices = try group()
        try devices[0].write(Self.meds, "before", at: fleet.now)
        try devices[1].dose("2026-10-01/1", at: fleet.now)
        try bind(devices[2], role, to: .only(["log", "meds"]), by: devices[0])
        meet(devices)
        try devices[0].write(Self.notes, "secret", at: fleet.now)
        try devices[1].write(Self.notes, "another", at: fleet.now)
        try devices[1].write(Self.meds, "aspirin", at: fleet.now)
        try devices[0].dose("2026-11-01/1", at: fleet.now)
        meet(devices)
        #expect(try devices[2].ids(Self.meds) == ["aspirin", "before"])
        #expect(try devices[2].ids(Self.doses) == ["2026-10-01/1", "2026-11-01/1"])
        #expect(try devices[2].ids(Self.notes).isEmpty)
        #expect(try devices[1].ids(Self.notes) == ["another", "secret"])
        let secret = try sealed("notes", on: devices[0])
        #expect(secret.count == 2 && secret.allSatisfy { $0.header.root != nil })
        #expect(try sealed("notes", on: devices[2]).isEmpty)
        #expect(try opened(secret, by: devices[2]) == 0)
        #expect(try opened(secret, by: devices[1]) == 2)
        let own = try sealed("meds", on: devices[0]).filter { $0.header.root != nil }
        #expect(try !own.isEmpty && opened(own, by: devices[2]) == own.count)
        for device in devices { try fleet.reopen(device) }
        #expect(try devices[2].ids(Self.meds) == ["aspirin", "before"])
        #expect(devices[2].replica?.batchesHidden == 0)
    }

    @Test func `nothing of other scopes crosses the link to a bound device`() throws {
        let devices = try group()
        try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        meet(devices)
        try devices[0].write(Self.notes, "secret", at: fleet.now)
        let batch = try #require(try sealed("notes", on: devices[0]).first)
        for _ in 0..<2 { connect(devices[0], devices[2]) }
        #expect(devices[2].replica?.chainRows.allSatisfy { $0.scope != batch.header.scope } == true)
        let state = try #require(devices[2].replica?.sessions.open.first?.state)
        #expect(state.peer.keys.allSatisfy { $0.scope != batch.header.scope })
        let other = try #require(devices[0].replica?.sessions.open.first?.state)
        let need = NeedMessage(ranges: [
            NeededRange(scope: batch.header.scope, chain: batch.author, first: 1, last: 1)
        ])
        let chains = try #require(devices[0].chains)
        try other.receiveNeed(need.encode(), chains)
        #expect(other.sending.queue.isEmpty)
        fleet.disconnectAll()
    }

    @Test func `a bound member writes in its scopes alone`() throws {
        let devices = try group()
        try bind(devices[2], .member, to: .only(["meds"]), by: devices[0])
        meet(devices)
        #expect(throws: ReplicaError.scopeNotGranted("notes")) {
            try devices[2].write(Self.notes, "mine", at: fleet.now)
        }
        #expect(throws: ReplicaError.scopeNotGranted("log")) {
            try devices[2].dose("2026-11-01/1", at: fleet.now)
        }
        try devices[2].write(Self.meds, "mine", at: fleet.now)
        meet(devices)
        #expect(try devices[1].ids(Self.meds) == ["mine"])
        #expect(throws: ReplicaError.membership(.notEntitled)) {
            try bind(devices[1], .member, to: .all, by: devices[2])
        }
    }

    @Test func `after narrowing nothing new opens, and what was written before counts`() throws {
        let devices = try group()
        try bind(devices[2], .member, to: .only(["meds", "notes"]), by: devices[0])
        meet(devices)
        try devices[2].write(Self.notes, "before", at: fleet.now)
        meet(devices)
        try bind(devices[2], .member, to: .only(["meds"]), by: devices[0])
        // The caregiver has not heard of it.
        try devices[2].write(Self.notes, "late", at: fleet.now)
        meet(devices)
        try devices[0].write(Self.notes, "after", at: fleet.now)
        try devices[0].write(Self.meds, "shared", at: fleet.now)
        meet(devices)
        let phone = try deviceID(of: devices[0])
        let fresh = try sealed("notes", on: devices[0]).filter { $0.header.device == phone }
        #expect(try fresh.count == 1 && opened(fresh, by: devices[2]) == 0)
        #expect(try opened(fresh, by: devices[1]) == 1)
        for device in devices.prefix(2) {
            #expect(try device.ids(Self.notes) == ["after", "before"])
        }
        #expect(try devices[2].ids(Self.meds) == ["shared"])
        #expect(throws: ReplicaError.scopeNotGranted("notes")) {
            try devices[2].write(Self.notes, "mine", at: fleet.now)
        }
    }

    @Test func `a batch that a bound member signs in another scope counts nowhere`() throws {
        let devices = try group()
        try bind(devices[2], .member, to: .only(["meds", "notes"]), by: devices[0])
        meet(devices)
        let clone = try fleet.clone(devices[2], blind: true)
        try bind(devices[2], .member, to: .only(["meds"]), by: devices[0])
        // The copy never hears of it, and writes with the keys that it had.
        try clone.write(Self.notes, "forged", at: fleet.now)
        connect(devices[1], clone)
        fleet.disconnectAll()
        #expect(try devices[1].ids(Self.notes) == ["forged"])
        meet(devices)
        for device in devices.prefix(2) { #expect(try device.ids(Self.notes).isEmpty) }
        try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        meet(devices)
        for device in devices.prefix(2) { #expect(try device.ids(Self.notes).isEmpty) }
    }

    @Test func `widening gives what was written before, in either format`() throws {
        let devices = try group()
        try devices[0].write(Self.notes, "first", at: fleet.now)
        try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        meet(devices)
        try devices[1].write(Self.notes, "second", at: fleet.now)
        meet(devices)
        #expect(try devices[2].ids(Self.notes).isEmpty)
        try bind(devices[2], .reader, to: .only(["meds", "notes"]), by: devices[0])
        meet(devices)
        #expect(try devices[2].ids(Self.notes) == ["first", "second"])
        try bind(devices[2], .member, to: .all, by: devices[0])
        meet(devices)
        try devices[2].write(Self.notes, "third", at: fleet.now)
        meet(devices)
        #expect(try devices[0].ids(Self.notes) == ["first", "second", "third"])
        #expect(try devices[0].digest() == devices[2].digest())
    }

    /// Admits a nurse's device, a reader of `meds` alone.
    private func admit(by member: Device) throws -> Device {
        let nurse = try fleet.device("nurse", seed: 9)
        for device in [member, nurse] { device.replica?.pairingSchema = .empty }
        let code = try #require(try member.offer(at: fleet.now).code)
        fleet.connect(nurse, member, .dialledToPair(.code(code)))
        try fleet.accept(on: member, role: .reader, scopes: .only(["meds"]))
        try fleet.acceptSchema(on: nurse)
        fleet.disconnectAll()
        #expect(nurse.replica?.isMember == true)
        return nurse
    }

    @Test func `a bound device is in step once the keys that it asked for have come`() throws {
        let devices = try group()
        try devices[0].write(Self.meds, "aspirin", at: fleet.now)
        let nurse = try admit(by: devices[0])
        nurse.events = []
        var shown: [Result<[String], any Error>] = []
        fleet.arrived = {
            let isInStep = nurse.events.contains {
                if case .peerInStep = $0 { true } else { false }
            }
            if isInStep { shown.append(Result { try nurse.ids(Self.meds) }) }
        }
        meet([devices[0], nurse])
        #expect(try shown.first?.get() == ["aspirin"])
    }

    @Test func `a device is admitted bound to scopes, and gets their history alone`() throws {
        let devices = try group()
        try devices[0].write(Self.notes, "secret", at: fleet.now)
        try devices[0].write(Self.meds, "aspirin", at: fleet.now)
        meet(devices)
        let nurse = try admit(by: devices[0])
        meet([devices[0], nurse])
        #expect(try nurse.ids(Self.meds) == ["aspirin"])
        #expect(try opened(sealed("notes", on: devices[0]), by: nurse) == 0)
        #expect(nurse.replica?.group?.ring.epochs.allSatisfy { $0.dataKey == nil } == true)
        let named = try nurse.replica?.reading.status().members.first { $0.isSelf }
        #expect(named?.scopes == ["devices", "meds"])
    }

    @Test func `removals and rotations hand a bound device its keys and no others`() throws {
        let devices = try group()
        try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        meet(devices)
        let laptop = try deviceID(of: devices[1])
        devices[0].perform(
            try devices[0].replica?.remove(laptop, reason: .lost, with: [], at: fleet.now) ?? [])
        try devices[0].write(Self.meds, "after", at: fleet.now)
        try devices[0].write(Self.notes, "secret", at: fleet.now)
        meet([devices[0], devices[2]])
        #expect(try devices[2].ids(Self.meds) == ["after"])
        #expect(try opened(sealed("notes", on: devices[0]), by: devices[2]) == 0)
        let group = try #require(devices[2].group)
        #expect(group.ring.current(in: group.log)?.scopeKeys.isEmpty == false)
    }

    @Test func `what cannot be granted is refused with its reason`() throws {
        let devices = try group()
        #expect(throws: ReplicaError.unknownScope("songs")) {
            try bind(devices[2], .reader, to: .only(["songs"]), by: devices[0])
        }
        #expect(throws: ReplicaError.scopeOfParts("parts")) {
            try bind(devices[2], .reader, to: .only(["parts"]), by: devices[0])
        }
        #expect(throws: ReplicaError.roleNotBound(.admin)) {
            try bind(devices[2], .admin, to: .only(["meds"]), by: devices[0])
        }
        let laptop = try deviceID(of: devices[1])
        devices[0].replica?.scopes.note(laptop, readsScoped: false)
        #expect(throws: ReplicaError.membership(.scopesNotUnderstood([laptop]))) {
            try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        }
        let roots = (0..<63).map { Bytes16(repeating: UInt8($0 + 1)) }
        #expect(throws: MembershipError.tooManyScopes) { try ScopeGrant.of(roots) }
    }

    @Test func `an older version is told, and gets nothing that it could not read`() throws {
        let devices = try group()
        try bind(devices[2], .reader, to: .only(["meds"]), by: devices[0])
        meet(devices)
        connect(devices[0], devices[1])
        let session = try #require(devices[0].replica?.sessions.open.first)
        let hello = HelloMessage(
            incarnation: .zero, wallMilliseconds: fleet.now.wallMilliseconds, schemaVersion: 1,
            features: HelloMessage.certificates)
        #expect(throws: SessionFault.self) {
            try devices[0].replica?.noteVersion(hello, of: session.state)
        }
        devices[0].perform(devices[0].replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        let laptop = try deviceID(of: devices[1])
        #expect(devices[0].events.contains(.warning(.scopesNotUnderstood(laptop))))
        fleet.disconnectAll()
    }

    @Test func `a root stands for all scopes that are divided by time under it`() throws {
        let devices = try group()
        let group = try #require(devices[0].group)
        let naming = try #require(group.naming)
        let roots = ScopeRoots(fleet.schema, naming)
        let month = naming.scope("log/2026-11")
        #expect(roots.root(of: month) == naming.scope("log"))
        #expect(roots.root(of: naming.scope("parts/a")) == nil)
        let filter = roots.filter(of: [naming.scope("log"), ScopeGrant.scopeNames])
        #expect(filter.holds(month) && !filter.holds(naming.scope("notes")))
        #expect(roots.adapted(to: fleet.schema, naming) === roots)
        let rights = ScopeRights(group.log, on: try deviceID(of: devices[0]), roots)
        #expect(!rights.isScoped && rights.own == .everything)
    }

    @Test func `handed keys are read again as they were kept, and are bounded`() throws {
        var keys = HandedKeys()
        let key = SharedSecret(SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        var name = WantedKey(epoch: .zero, scope: .zero, author: nil)
        var isKept = keys.keep(key, as: name)
        #expect(isKept)
        name = WantedKey(epoch: .zero, scope: .zero, author: Bytes16(repeating: 1))
        isKept = keys.keep(key, as: name)
        #expect(isKept)
        let again = try HandedKeys(decoding: keys.encoded)
        #expect(again[name]?.bytes.equals(key.bytes) == true && again.all.count == 2)
        for number in 0..<HandedKeys.most {
            var bytes: [UInt8] = [UInt8](repeating: 1, count: 12)
            BigEndian.append(UInt32(number), to: &bytes)
            let scope = try #require(Bytes16(bytes))
            _ = keys.keep(key, as: WantedKey(epoch: .zero, scope: scope, author: nil))
        }
        #expect(keys.all.count == HandedKeys.most)
        let wanted = KeyGetMessage(wanted: [name])
        #expect(try KeyGetMessage.decode(wanted.encode()) == wanted)
        let many = [WantedKey](repeating: name, count: KeyGetMessage.keysMaximum + 1)
        #expect(throws: WireError.self) {
            try KeyGetMessage.decode(KeyGetMessage(wanted: many).encode())
        }
    }
}

extension Device {
    fileprivate var group: GroupState? { replica?.group }
    fileprivate var chains: ChainBook? { replica?.chains }

    fileprivate func write(_ collection: UInt32, _ id: String, at now: Moment) throws {
        let key = RecordKey(collection: collection, record: try #require(RecordID(id)))
        try commit([Write(key, [.set(FieldWrite(1, .text(id)))])], at: now)
    }

    fileprivate func dose(_ id: String, at now: Moment) throws {
        let key = RecordKey(collection: 2_002, record: try #require(RecordID(id)))
        try commit([Write(key, [.insert([FieldValues(1, [.text(id)])])])], at: now)
    }

    /// The records of a collection, ascending.
    fileprivate func ids(_ collection: UInt32) throws -> [String] {
        try replica?.reader.records(collection).map(\.id.description).sorted() ?? []
    }
}
