import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Doors: what a device leaves for whoever has the recovery phrase and the place alone.
@Suite struct DoorTests {
    private let fleet = Fleet()
    private let shelf = Shelf()
    private let desk = DoorDesk()

    @Test func `the words and a mailbox bring back a group whose devices are gone`() throws {
        let devices = try desk.group(fleet, shelf)
        let before = shelf.objects
        #expect(shelf.names(.door).count == 1)
        let (device, mailbox) = try desk.comeBack(fleet, shelf)
        #expect(try device.value("tea", 1) == .text("Tea"))
        #expect(try device.value("milk", 1) == .text("Milk"))
        #expect(shelf.objects == before, "reading leaves nothing")
        let heard = device.replica?.mailboxes.first { $0.id == mailbox }?.heard ?? []
        #expect(heard.count == 2)

        try desk.remove(devices, by: device, fleet)
        try device.set("tea", 1, .text("Later"), at: fleet.now)
        try fleet.post(device, shelf)
        #expect(shelf.names(.door).count == 1)
        #expect(Set(shelf.names(.door)).isDisjoint(with: before.keys))
        for old in devices {
            try fleet.post(old, shelf)
            let id = try deviceID(of: old)
            #expect(old.replica?.group?.log.state.member(id) == nil)
            #expect(try old.value("tea", 1) == .text("Tea"))
        }
        // The door of the new epoch is as good as the one before.
        let (again, _) = try desk.comeBack(fleet, shelf, seed: 50)
        #expect(try again.value("tea", 1) == .text("Later"))
    }

    @Test func `all devices make one door for an epoch, and leave it anew when it is lost`() throws
    {
        let devices = try desk.group(fleet, shelf)
        let door = shelf.names(.door)
        for name in door { shelf.objects[name] = nil }
        try fleet.post(devices[1], shelf)
        #expect(shelf.names(.door) == door)
        shelf.asked = []
        for device in devices { try fleet.post(device, shelf) }
        let puts = shelf.asked.filter { if case .put = $0 { true } else { false } }
        #expect(puts.isEmpty)
    }

    @Test func `a new epoch has a new door, and the old one and what it named go`() throws {
        let devices = try desk.group(fleet, shelf)
        let (doors, bridges) = (shelf.names(.door), shelf.names(.bridge))
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[1]), reason: .lost, with: [], at: fleet.now) ?? [])
        try fleet.post(devices[0], shelf)
        #expect(shelf.names(.door).count == 1 && shelf.names(.door) != doors)
        let kept = Set(bridges).intersection(shelf.names(.bridge))
        #expect(kept.count < bridges.count)
        // The one that was removed learns of it all the same.
        try fleet.post(devices[1], shelf)
        let id = try deviceID(of: devices[1])
        #expect(devices[1].replica?.group?.log.state.member(id) == nil)
    }

    @Test func `no door is left for words that a person chose, and those of before go`() throws {
        let devices = try desk.group(fleet, shelf)
        #expect(shelf.names(.door).count == 1)
        let own = try DoorDesk.phrase("a sentence of my own")
        devices[0].perform(
            try devices[0].replica?.replaceRecovery(DoorDesk.phrase(), by: own, at: fleet.now)
                ?? [])
        #expect(try devices[0].replica?.recoveryStanding().opensDoors == false)
        for device in devices { try fleet.post(device, shelf) }
        #expect(shelf.names(.door).isEmpty)
        #expect(throws: DoorFault.none) { try desk.find(shelf) }
    }

    @Test func `words that were made before get a door once a member tested them`() throws {
        let devices = try fleet.group(["a", "b"], keepsRecoveryKey: true)
        for device in devices.dropFirst() { fleet.connect(devices[0], device) }
        fleet.disconnectAll()
        let own = try DoorDesk.phrase("a sentence of my own")
        devices[0].perform(
            try devices[0].replica?.createRecovery(own, at: fleet.now) ?? [])
        let held = devices[0].replica?.group?.log
        let old = try #require(held)
        let keys = try GroupRecovery(old).keys(from: own)
        let next = try GroupRecovery(old).newKeys(
            from: DoorDesk.phrase(), createdMilliseconds: 5)
        var log = old
        let named = try GroupRecovery(log).makeSuccessor(next.certificate, keys: keys)
        _ = try log.insert(named)
        devices[0].perform(try devices[0].replica?.publish([named], at: fleet.now) ?? [])
        try fleet.post(devices[0], shelf)
        #expect(shelf.names(.door).isEmpty)
        // The epoch has a box for the key only after the next rotation.
        devices[0].perform(
            try devices[0].replica?.testRecovery(DoorDesk.phrase(), at: fleet.now) ?? [])
        #expect(try devices[0].replica?.recoveryStanding().opensDoors == true)
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[1]), reason: .lost, with: [], at: fleet.now) ?? [])
        try fleet.post(devices[0], shelf)
        #expect(shelf.names(.door).count == 1)
        let count = devices[0].replica?.group?.log.records.count
        devices[0].perform(
            try devices[0].replica?.testRecovery(DoorDesk.phrase(), at: fleet.now) ?? [])
        #expect(devices[0].replica?.group?.log.records.count == count, "one warrant is enough")
        _ = try desk.find(shelf)
    }

    @Test func `an old door leads over the bridges to what came later`() throws {
        let devices = try desk.group(fleet, shelf)
        let old = shelf.objects
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[1]), reason: .lost, with: [], at: fleet.now) ?? [])
        try devices[0].set("tea", 1, .text("Later"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        // The store goes back to the door of before, and shows the rest as it is.
        for name in shelf.names(.door) { shelf.objects[name] = nil }
        for (name, bytes) in old where name.hasPrefix("d/") || name.hasPrefix("m/") {
            shelf.objects[name] = bytes
        }
        let (device, _) = try desk.comeBack(fleet, shelf)
        #expect(try device.value("tea", 1) == .text("Later"))
        #expect(device.replica?.group?.log.state.members.count == 2)
    }

    @Test func `what was left under the keys of an earlier epoch is read, too`() throws {
        let devices = try desk.group(fleet, shelf, ["a", "b", "c"])
        try devices[1].set("milk", 1, .text("Fresh"), at: fleet.now)
        let before = shelf.objects
        try fleet.post(devices[1], shelf)
        let left = shelf.objects.filter { before[$0.key] == nil }
        #expect(left.count == 1)
        // Nobody reads it before the epoch changes, and it comes to light afterwards.
        for name in left.keys { shelf.objects[name] = nil }
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[2]), reason: .lost, with: [], at: fleet.now) ?? [])
        try fleet.post(devices[0], shelf)
        shelf.objects.merge(left) { $1 }
        let (device, _) = try desk.comeBack(fleet, shelf)
        #expect(try device.value("milk", 1) == .text("Fresh"))
    }
}
