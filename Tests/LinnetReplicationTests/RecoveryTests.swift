import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The words that stand above all devices.
@Suite struct RecoveryTests {
    private let fleet = Fleet()
    private static let words = "volumes Fabulous citric finicky fructose empathic shifty"

    private func phrase(_ text: String = words) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
    }

    /// Three devices that hold the same, of a group with words.
    private func sample() throws -> [Device] {
        let devices = try fleet.group(["a", "b", "c"], keepsRecoveryKey: true)
        try devices[2].set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        meet(devices)
        try create(on: devices[0])
        meet(devices)
        return devices
    }

    private func create(on device: Device) throws {
        let effects = try device.replica?.createRecovery(phrase(), at: fleet.now)
        device.perform(effects ?? [])
        fleet.run()
    }

    private func meet(_ devices: [Device]) {
        for _ in 0..<2 {
            for one in devices.indices {
                for other in devices.indices where one < other {
                    fleet.connect(devices[one], devices[other])
                }
            }
        }
        fleet.disconnectAll()
        fleet.advance(30_000)
        for device in devices {
            device.perform(device.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        }
    }

    /// Lets a device that others do not know yet dial them, as often as they need to find a key
    /// that both have.
    private func reach(from device: Device, _ others: [Device]) throws {
        for other in others {
            for _ in 0..<3 {
                fleet.connect(device, other, .dialledMember(try deviceID(of: other)))
                fleet.disconnectAll()
            }
        }
        meet([device] + others)
    }

    private func use(_ lost: [DeviceID], on device: Device) throws {
        let phrase = try phrase()
        let effects = try device.replica?.removeByRecovery(lost, phrase: phrase, at: fleet.now)
        device.perform(effects ?? [])
        fleet.run()
    }

    private func members(_ device: Device) -> [DeviceID] {
        device.replica?.group?.log.state.members.map(\.device) ?? []
    }

    /// A new device that takes over what a home of the group has.
    private func recovered(from source: Device, seed: UInt8 = 40) throws -> (Device, AdoptedCopy) {
        try source.close()
        let copy = try SQLiteStore(keylessCopyAt: source.path)
        let device = try fleet.device("new", seed: seed)
        let result = try #require(
            try device.replica?.adopt(copy, phrase: phrase(), at: fleet.now))
        device.perform(result.effects)
        return (device, result.adopted)
    }

    @Test func `a copy of a compacted home gives all that it showed`() throws {
        let devices = try sample()
        for number in 1...8 {
            try devices[0].set("aspirin", 1, .text("Aspirin \(number)"), at: fleet.now)
        }
        meet(devices)
        #expect(try devices[0].compact(fleet).batches > 8)
        try devices[0].set("ibuprofen", 1, .text("Ibuprofen"), at: fleet.now)
        let (device, adopted) = try recovered(from: devices[0])
        #expect(adopted.refused == 0)
        #expect(try device.value("aspirin", 1) == .text("Aspirin 8"))
        #expect(try device.value("ibuprofen", 1) == .text("Ibuprofen"))
        #expect(try device.count() == 2)
    }

    @Test func `the founder makes the words once, and every later epoch is sealed to them`() throws
    {
        let devices = try fleet.group(["a", "b"], keepsRecoveryKey: true)
        meet(devices)
        let standing = { (device: Device) in try device.replica?.recoveryStanding().key }
        #expect(try standing(devices[0]) == .founding(isHere: true))
        #expect(try standing(devices[1]) == .founding(isHere: false))
        #expect(throws: ReplicaError.membership(.noRecoveryKey)) {
            try create(on: devices[1])
        }
        try create(on: devices[0])
        meet(devices)
        for device in devices {
            #expect(
                try standing(device)
                    == .phrase(createdMilliseconds: fleet.now.wallMilliseconds - 60_000)
                    || standing(device)
                        == .phrase(
                            createdMilliseconds: fleet.now.wallMilliseconds - 30_000)
            )
            let log = try #require(device.replica?.group?.log)
            let keys = try GroupRecovery(log).keys(from: phrase())
            #expect(KeyRing(log: log, keys: keys).current(in: log) != nil)
            // Both votes stand for the words, so that nothing else signed with the first key can
            // take their place.
            let record = try #require(GroupRecovery(log).record)
            #expect(log.state.verdict.restrictions[record.id]?.yes.count == 2)
        }
        #expect(throws: ReplicaError.membership(.noRecoveryKey)) {
            try create(on: devices[0])
        }
    }

    @Test func `a group that was founded without a key has no words`() throws {
        let devices = try fleet.group(["a"])
        #expect(try devices[0].replica?.recoveryStanding().key == .absent)
        #expect(throws: ReplicaError.membership(.noRecoveryKey)) { try create(on: devices[0]) }
    }

    @Test func `a new device with the words and one home takes the place of all that are lost`()
        throws
    {
        let devices = try sample()
        let lost = try devices.map { try deviceID(of: $0) }
        let (new, adopted) = try recovered(from: devices[1])
        #expect(adopted.refused == 0 && adopted.batches > 0)
        #expect(try new.value("aspirin", 1) == .text("Aspirin"))
        #expect(members(new).count == 4)
        try use(lost, on: new)
        #expect(try members(new) == [deviceID(of: new)])
        try new.set("later", 1, .text("Later"), at: fleet.now)
        // A lost one opens nothing of what was written since.
        fleet.connect(devices[0], new)
        fleet.disconnectAll()
        #expect(try devices[0].value("later", 1) == nil)
        #expect(throws: ReplicaError.removedByRecovery) {
            try devices[0].set("never", 1, .text("Never"), at: fleet.now)
        }
        #expect(devices[0].replica?.reading.ownRemoval() != nil)
    }

    @Test func `devices that are not lost go on with the one that came by the words`() throws {
        let devices = try sample()
        let lost = try deviceID(of: devices[2])
        let (new, _) = try recovered(from: devices[2])
        try use([lost], on: new)
        try new.set("later", 1, .text("Later"), at: fleet.now)
        try reach(from: new, [devices[0], devices[1]])
        for device in devices.prefix(2) {
            #expect(try device.value("later", 1) == .text("Later"))
            #expect(members(device).count == 3)
        }
        try expectConverged([new, devices[0], devices[1]])
    }

    @Test func `a device that a thief took out comes back by the words`() throws {
        let devices = try sample()
        // The thief's device is the older one, and is believed.
        let effects = try devices[0].replica?.remove(
            try deviceID(of: devices[2]), reason: .lost, with: [], at: fleet.now)
        devices[0].perform(effects ?? [])
        meet(devices)
        let own = try deviceID(of: devices[2])
        #expect(!members(devices[2]).contains(own))
        let others = try devices.map { try deviceID(of: $0) }
        #expect(throws: ReplicaError.self) { try use([others[1]], on: devices[2]) }
        try use([others[0]], on: devices[2])
        #expect(members(devices[2]).contains(own))
        try reach(from: devices[2], [devices[1]])
        #expect(members(devices[1]) == members(devices[2]))
        #expect(!members(devices[1]).contains(others[0]))
        try devices[2].set("again", 1, .text("Again"), at: fleet.now)
        meet([devices[1], devices[2]])
        #expect(try devices[1].value("again", 1) == .text("Again"))
    }

    @Test func `other words open nothing, and replaced ones sign nothing more`() throws {
        let devices = try sample()
        #expect(throws: ReplicaError.membership(.wrongRecoveryPhrase)) {
            try devices[0].replica?.testRecovery(
                phrase("volumes fabulous citric finicky fructose empathic shift"), at: fleet.now)
        }
        #expect(try devices[0].replica?.recoveryStanding().testedMilliseconds == nil)
        let effects = try devices[0].replica?.testRecovery(
            phrase("VOLUMES-fabulous  citric\tfinicky fructose empathic shifty\n"), at: fleet.now)
        devices[0].perform(effects ?? [])
        let tested = try #require(try devices[0].replica?.recoveryStanding())
        #expect(tested.testedMilliseconds == fleet.now.wallMilliseconds)
        #expect(!tested.isTestDue(at: fleet.now.wallMilliseconds + RecoveryStanding.testEvery))
        #expect(tested.isTestDue(at: fleet.now.wallMilliseconds + RecoveryStanding.testEvery + 1))
        let replaced = try devices[0].replica?.replaceRecovery(
            phrase(), by: phrase("another phrase of seven words it is"), at: fleet.now)
        devices[0].perform(replaced ?? [])
        meet(devices)
        let other = try deviceID(of: devices[1])
        for device in devices {
            #expect(throws: ReplicaError.membership(.wrongRecoveryPhrase)) {
                try use([other], on: device)
            }
        }
    }

    @Test func `forks of a home are taken over with both their branches`() throws {
        let devices = try sample()
        let twin = try fleet.clone(devices[1], blind: true)
        try devices[1].set("left", 1, .text("Left"), at: fleet.now)
        try twin.set("right", 1, .text("Right"), at: fleet.now)
        meet([devices[0], devices[1]])
        meet([devices[0], twin])
        let (new, adopted) = try recovered(from: devices[0])
        #expect(adopted.refused == 0)
        #expect(try new.value("left", 1) == .text("Left"))
        #expect(try new.value("right", 1) == .text("Right"))
    }

    @Test func `a phrase of fewer than twelve characters is refused, and one of too many bytes`()
        throws
    {
        #expect(throws: MembershipError.recoveryPhraseTooShort) { try phrase("  short    one ") }
        #expect(throws: MembershipError.recoveryPhraseTooLong) {
            try phrase(String(repeating: "x", count: RecoveryPhrase.limitBytes + 1))
        }
        #expect(RecoveryWords.all.count == 7_776)
        #expect(OrderedSet(RecoveryWords.all.map(String.init)).count == 7_776)
    }
}
