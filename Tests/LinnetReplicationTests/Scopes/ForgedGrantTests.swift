import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// What lies in a share or in the header of a batch hides nothing that honest devices wrote.
@Suite struct ForgedGrantTests {
    private let fleet = Fleet()

    private func meet(_ devices: [Device]) throws {
        for _ in 0..<2 {
            for device in devices.dropFirst() {
                fleet.connect(devices[0], device, .dialledMember(try deviceID(of: device)))
            }
            fleet.disconnectAll()
            fleet.advance(10)
        }
    }

    private func keys(of device: Device) -> DeviceKeys {
        var entropy = Device.entropy(device.seed)
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    private func root(_ name: String, on device: Device) throws -> ScopeID {
        try #require(device.replica?.group?.naming?.scope(name))
    }

    /// The records that bind a device to `meds`, with a share that has the right network key and
    /// another key in place of each root's.
    private func forgedBinding(of target: Device, by author: Device) throws -> [MemberRecord] {
        let group = try #require(author.group)
        let grant = try ScopeGrant.of([root("devices", on: author), root("meds", on: author)])
        let keys = keys(of: author)
        let id = try deviceID(of: target)
        var log = group.log
        var entropy = Device.entropy(90)
        var records = try RoleChange(log).records(
            giving: .reader, within: grant, to: id, heads: [], ring: group.ring, keys: keys,
            entropy: &entropy)
        for record in records { _ = try log.insert(record) }
        let epoch = try #require(records.last)
        let held = try #require(KeyRing(log: log, keys: keys).keys(of: epoch.id)?.networkKey)
        let naming = try #require(group.naming)
        guard case .some(let roots) = grant else { return [] }
        var content = held.bytes.copy()
        for root in roots {
            let key =
                switch root {
                case ScopeGrant.scopeNames: naming.scopes.bytes.copy()
                case ScopeGrant.schemaNames: naming.schemas.bytes.copy()
                default: entropy.secret(32)
                }
            content = SecretBytes(
                joining: content, SecretBytes(joining: SecretBytes(copying: root.array), key))
        }
        let certificate = try #require(log.state.member(id)?.certificate)
        let box = try SealedBox.seal(
            content, to: certificate.sealKey.array, ephemeral: entropy.secret(32))
        records.append(
            try log.sign(
                .share(SharePayload(epoch: epoch.id, device: id, box: box)), naming: epoch.id,
                keys: keys))
        return records
    }

    @Test func `wrong keys of scopes beside the right network key hide nothing after a meeting`()
        throws
    {
        let devices = try fleet.group(["phone", "caregiver"])
        fleet.disconnectAll()
        try meet(devices)
        let records = try forgedBinding(of: devices[1], by: devices[0])
        devices[0].perform(try devices[0].replica?.publish(records, at: fleet.now) ?? [])
        try devices[0].set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        try meet(devices)
        let epoch = try #require(records.dropLast().last?.id)
        let meds = try root("meds", on: devices[0])
        let given = try #require(devices[1].replica?.group?.ring.keys(of: epoch)?.scopeKey(meds))
        let right = try #require(devices[0].replica?.group?.ring.keys(of: epoch)?.scopeKey(meds))
        let isRight = given.bytes.equals(right.bytes)
        #expect(!isRight)
        #expect(devices[0].replica?.group?.log.state.currentEpoch?.id == epoch)
        #expect(try devices[1].value("aspirin", 1) == .text("Aspirin"))
        let name = WantedKey(epoch: epoch, scope: meds, author: nil)
        #expect(devices[1].replica?.group?.handed[name]?.bytes.equals(right.bytes) == true)
        // It is kept, and no peer is needed a second time.
        try fleet.reopen(devices[1])
        #expect(try devices[1].value("aspirin", 1) == .text("Aspirin"))
        #expect(devices[1].replica?.batchesHidden == 0)
    }

    /// A batch of the caregiver's in `meds`, of another life, under a root that it names.
    private func batch(
        naming root: ScopeID, life: UInt8, of device: Device
    ) throws -> SealedBatch {
        let group = try #require(device.group)
        let keys = keys(of: device)
        let meds = try self.root("meds", on: device)
        let row = try #require(
            device.replica?.chainRows.first { $0.scope == meds && $0.device == keys.device })
        let stored = try #require(try device.replica?.store.batch(chain: row.index, seq: 1))
        let plaintext = try #require(try group.plaintext(of: stored, in: row))
        let key = try #require(group.ring.keys(of: stored.epoch)?.scopeKey(root))
        let incarnation = Incarnation(repeating: life)
        let author = AuthorName.author(device: keys.device, incarnation: incarnation)
        return SealedBatch.seal(
            plaintext,
            header: BatchHeader(
                group: group.log.group, device: keys.device, incarnation: incarnation, scope: meds,
                seq: 1, prev: .zero, epoch: stored.epoch,
                nonce: [UInt8](repeating: life, count: BatchHeader.nonceBytes), root: root),
            author: author,
            key: BatchName.key(ofRoot: key.bytes, author: author, scope: meds),
            signer: keys.signing)
    }

    @Test func `a batch that lies about its root is void for all, and others go on`() throws {
        let devices = try fleet.group(["phone", "laptop", "caregiver"])
        fleet.disconnectAll()
        try meet(devices)
        let caregiver = try deviceID(of: devices[2])
        devices[0].perform(
            try devices[0].replica?.setRole(
                .member, scopes: .only(["meds"]), of: caregiver, at: fleet.now) ?? [])
        try meet(devices)
        try devices[2].set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        // Those keys open it, and who trusts the header would read it.
        let lie = try batch(naming: root("devices", on: devices[2]), life: 7, of: devices[2])
        let truth = try batch(naming: root("meds", on: devices[2]), life: 8, of: devices[2])
        let reserved = try batch(naming: ScopeGrant.scopeNames, life: 9, of: devices[2])
        let member = try RawMember(devices[2], at: devices[0], in: fleet)
        try member.greet(features: HelloMessage.scopedBatches)
        for batch in [lie, reserved, truth] { try member.say(.batch, batch.message) }
        #expect(member.end == nil)
        member.leave()
        try meet(Array(devices.prefix(2)))
        for device in devices.prefix(2) {
            let void = device.events.compactMap {
                if case .warning(.quarantined(let batch, nil)) = $0 { batch } else { nil }
            }
            #expect(Set(void) == [lie.id, reserved.id])
            #expect(try device.value("aspirin", 1) == .text("Aspirin"))
            let held = device.replica?.chainRows.filter { $0.device == caregiver && $0.stored == 1 }
            #expect((held?.count ?? 0) >= 3)
        }
    }
}

extension Device {
    fileprivate var group: GroupState? { replica?.group }
}
