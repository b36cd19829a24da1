import LinnetCRDT
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// Doors that are damaged, too costly, of others, or planted.
@Suite struct HostileDoorTests {
    private let fleet = Fleet()
    private let shelf = Shelf()
    private let desk = DoorDesk()

    /// Changes the only door, under a name that looks like one.
    private func change(_ body: (inout [UInt8]) -> Void) throws {
        let name = try #require(shelf.names(.door).first)
        var bytes = try #require(shelf.objects[name])
        body(&bytes)
        shelf.objects[name] = bytes
    }

    private func fault() throws -> DoorFault? {
        let phrase = try DoorDesk.phrase()
        do throws(DoorFault) {
            _ = try DoorSearch.find(phrase) { shelf.answer($0) }
            return nil
        } catch {
            return error
        }
    }

    @Test func `an empty place, a silent one and other words are told apart`() throws {
        #expect(try fault() == DoorFault.none)
        _ = try desk.group(fleet, shelf)
        #expect(throws: DoorFault.closed(doors: 1, damaged: 0, later: 0, tooCostly: 0)) {
            try desk.find(shelf, DoorDesk.other)
        }
        shelf.lie = { if case .get = $0 { .failed("503") } else { nil } }
        #expect(try fault() == .store("503"))
        shelf.lie = { if case .get = $0 { .bytes(nil) } else { nil } }
        #expect(try fault() == .closed(doors: 1, damaged: 1, later: 0, tooCostly: 0))
        shelf.lie = { _ in .done }
        #expect(try fault() == .store("the store answered something else than it was asked"))
    }

    @Test func `a door that is changed anywhere opens for nobody`() throws {
        _ = try desk.group(fleet, shelf)
        let good = shelf.objects
        for place in [0, 1, 16, 23, 60, 300, 511] {
            shelf.objects = good
            try change { $0[place] ^= 0x40 }
            #expect(try fault() != nil, "\(place)")
        }
        for count in [0, 1, 22, 511] {
            shelf.objects = good
            try change { $0 = Array($0.prefix(count)) }
            #expect(try fault() == .closed(doors: 1, damaged: 1, later: 0, tooCostly: 0))
        }
        shelf.objects = good
        try change { $0 += [0] }
        #expect(try fault() == .closed(doors: 1, damaged: 1, later: 0, tooCostly: 0))
        // The right bytes under another name are not what was left.
        shelf.objects = good
        let name = try #require(shelf.names(.door).first)
        shelf.objects[MailName(.door, Bytes16(repeating: 1)).text] = good[name]
        shelf.objects[name] = nil
        #expect(try fault() == .closed(doors: 1, damaged: 1, later: 0, tooCostly: 0))
        shelf.objects = good
        #expect(try fault() == nil)
    }

    @Test func `costs are bounded before anything is hashed, and a later version is told`() throws {
        _ = try desk.group(fleet, shelf)
        let good = shelf.objects
        for (place, value) in [(17, 0xff), (18, 0x05), (21, 11), (21, 0), (22, 17), (22, 0)] {
            shelf.objects = good
            try change { $0[place] = UInt8(value) }
            #expect(
                try fault() == .closed(doors: 1, damaged: 0, later: 0, tooCostly: 1),
                "\(place) \(value)")
        }
        shelf.objects = good
        try change { $0[0] = 2 }
        #expect(try fault() == .closed(doors: 1, damaged: 0, later: 1, tooCostly: 0))
        var lock = DoorLock(GroupRecovery(try log()))
        #expect(try DoorLock(of: lock.encoded + [UInt8](repeating: 0, count: 489)) == lock)
        #expect(Limits.mailDoorMemoryKiB == 262_144)
        lock = DoorLock(
            salt: lock.salt,
            cost: .init(memoryKiB: Limits.mailDoorMemoryKiB, passes: 10, lanes: 16))
        #expect(try DoorLock(of: lock.encoded + [UInt8](repeating: 0, count: 489)) == lock)
    }

    private func log() throws -> MembershipLog {
        var entropy = Device.entropy(9)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        return try MembershipLog.founded(by: keys, entropy: &entropy)
    }

    @Test func `at most so many doors are got, and so many salts hashed`() throws {
        _ = try desk.group(fleet, shelf)
        let first = try #require(shelf.names(.door).first)
        let door = try #require(shelf.objects[first])
        // Doors of others, cheap ones, so that the test is quick.
        for index in 0..<Limits.mailDoors + 20 {
            var planted = door
            (planted[1], planted[2]) = (UInt8(index % 256), UInt8(index / 256))
            planted.replaceSubrange(17...22, with: [0, 0, 0, 8, 1, 1])
            let number = [0, UInt8(index / 256), UInt8(index % 256)]
            let hash = Bytes16(number + [UInt8](repeating: 0, count: 13)) ?? .zero
            shelf.objects[MailName(.door, hash).text] = planted
        }
        shelf.asked = []
        let tried = try fault()
        guard case .closed(let doors, 0, 0, 0)? = tried else {
            Issue.record("\(String(describing: tried))")
            return
        }
        #expect(doors == Limits.mailDoors + 21)
        let gets = shelf.asked.filter { if case .get = $0 { true } else { false } }
        #expect(gets.count == Limits.mailDoors)
        // One behind eight other salts is not tried; one among them is.
        for name in shelf.names(.door).dropFirst(Limits.mailDoorSalts - 1)
        where shelf.objects[name] != door { shelf.objects[name] = nil }
        #expect(try fault() == nil)
    }

    @Test func `records that are missing or damaged are told, and nothing is made of them`() throws
    {
        _ = try desk.group(fleet, shelf)
        let good = shelf.objects
        for name in shelf.names(.bridge) { shelf.objects[name] = nil }
        #expect(try fault() == .incomplete)
        shelf.objects = good
        for name in shelf.names(.bridge) { shelf.objects[name]?[100] ^= 1 }
        #expect(try fault() == .incomplete)
    }

    @Test func `a former member cannot lay out a group of his own behind a door`() throws {
        let devices = try desk.group(fleet, shelf)
        let good = shelf.objects
        let held = devices[0].replica?.group?.log
        let real = try #require(held)
        let recovery = try #require(real.state.recovery)
        guard case .genesis(let genesis) = real.records[0].payload else {
            Issue.record("no genesis")
            return
        }
        var entropy = Device.entropy(77)
        let thief = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let payload = MemberPayload.genesis(
            GenesisPayload(
                creator: thief.certificate, recovery: recovery, hasPolicy: false,
                random: genesis.random))
        var log = try MembershipLog(
            genesis: try MemberRecord(
                signing: payload.encoded, kind: MemberKind.genesis.rawValue, group: .zero,
                lamport: 1, parents: [], keys: thief))
        let epoch = try log.makeEpoch(
            ring: KeyRing(log: log, keys: thief), keys: thief, entropy: &entropy)
        _ = try log.insert(epoch)
        let current = KeyRing(log: log, keys: thief).current(in: log)
        let epochKeys = try #require(current)
        // The words do yield the key that this group names: nothing else tells it apart.
        _ = try GroupRecovery(log).keys(from: DoorDesk.phrase())
        let laidOut = Self.door(epochKeys, log, group: log.group, recovery)
        let planted = try #require(laidOut)
        for object in planted { shelf.objects[object.name.text] = object.bytes }
        #expect(try desk.find(shelf).group == real.group)
        for name in shelf.names(.door) where good[name] != nil { shelf.objects[name] = nil }
        #expect(try fault() == .planted)
        // Nor with the name of the true group in it.
        shelf.objects = [:]
        let other = Self.door(epochKeys, log, group: real.group, recovery)
        let named = try #require(other)
        for object in named { shelf.objects[object.name.text] = object.bytes }
        #expect(try fault() != nil)
    }

    /// A door and what is behind it, by whoever holds an epoch.
    private static func door(
        _ epoch: EpochKeys, _ log: MembershipLog, group: GroupID, _ recovery: Certificate
    ) -> [MailObject]? {
        guard let network = epoch.networkKey else { return nil }
        let keys = MailKeys(epoch.id, network, of: group)
        guard
            let part = keys.seal(
                MailBridge.encode(log.records.map(\.encoded), of: group), .bridge)
        else { return nil }
        let door = MailDoor(
            group: group, epoch: epoch.id, networkKey: network, parts: [part.name.hash])
        return keys.sealDoor(door, to: DoorLock(GroupRecovery(log)), of: recovery).map {
            [part, $0]
        }
    }

    @Test func `a door that opens says that it is damaged or of a later version`() throws {
        _ = try desk.group(fleet, shelf)
        let name = try #require(shelf.names(.door).first)
        let lock = try DoorLock(of: #require(shelf.objects[name]))
        let keys = try DeviceKeys(
            recovering: DoorDesk.phrase(), salt: lock.salt, cost: lock.cost,
            createdMilliseconds: 0)
        let contents: [(bytes: [UInt8], isLater: Bool)] = [
            ([0x82, 2, 0], true), ([0x81, 1], false), ([0xff], false), ([], false),
        ]
        for (content, isLater) in contents {
            var plaintext = [0, 0, 0, UInt8(content.count)] + content
            plaintext += [UInt8](repeating: 0, count: 441 - plaintext.count)
            let box = try SealedBox.seal(
                SecretBytes(copying: plaintext), to: keys.certificate.sealKey.array,
                ephemeral: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
            shelf.objects[name] = lock.encoded + box
            let expected = DoorFault.closed(
                doors: 1, damaged: isLater ? 0 : 1, later: isLater ? 1 : 0, tooCostly: 0)
            #expect(try fault() == expected, "\(content)")
        }
    }

    @Test func `doors of two groups that both pass are not chosen from`() throws {
        _ = try desk.group(fleet, shelf)
        let other = Fleet()
        let device = try other.device("x", seed: 90)
        try device.found(keepsRecoveryKey: true, at: other.now)
        device.perform(
            try device.replica?.createRecovery(DoorDesk.phrase(), at: other.now) ?? [])
        try other.post(device, shelf)
        #expect(shelf.names(.door).count == 2)
        #expect(try fault() == .severalGroups)
    }

    @Test func `a door has at most so many parts, and is made of nothing too long`() throws {
        let key = SharedSecret(SecretBytes(zeroed: 32))
        func door(_ count: Int) -> MailDoor {
            MailDoor(
                group: .zero, epoch: .zero, networkKey: key,
                parts: [Bytes16](repeating: .zero, count: count))
        }
        #expect(door(Limits.mailDoorParts).padded?.count == 441)
        #expect(door(Limits.mailDoorParts + 1).padded == nil)
        var entropy = Device.entropy(5)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let lock = DoorLock(GroupRecovery(try log()))
        for count in [0, 1, Limits.mailDoorParts] {
            let made = door(count)
            let certificate = keys.certificate
            let first = made.keys.sealDoor(made, to: lock, of: certificate)
            let sealed = try #require(first)
            #expect(sealed == made.keys.sealDoor(made, to: lock, of: certificate))
            #expect(sealed.bytes.count <= Limits.mailDoorBytes)
            let entered = try MailDoor.open(sealed.bytes, with: keys)
            let opened = try #require(entered)
            #expect(opened.parts.count == count)
            #expect(opened.networkKey.bytes.exposed() == key.bytes.exposed())
        }
    }
}
