import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Members, former members and stores that claim, repeat and withhold as it suits them.
@Suite struct HostileMailTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    private func keys(of device: Device) -> DeviceKeys {
        var entropy = Device.entropy(device.seed)
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    private func state(_ device: Device) throws -> PostState {
        let state = device.replica?.posts.posts.values.first?.state
        return try #require(state)
    }

    /// A head as a device could sign it, under the oldest keys that it has.
    private func forged(
        _ device: Device, number: UInt64, _ change: (inout MailHead) -> Void
    ) throws -> MailObject {
        let name = try deviceID(of: device)
        let found = device.replica?.groupID
        let group = try #require(found)
        var head = MailHead(
            group: group, device: name, incarnation: Incarnation(repeating: 7), number: number,
            previous: .zero)
        change(&head)
        let content = head.signed(by: keys(of: device).signing)
        let sealed = device.replica?.mailKeys.last?.seal(content, .head)
        return try #require(sealed)
    }

    @Test func `what a device that is out claims to have seen alarms nobody`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        for device in devices { try fleet.post(device, shelf) }
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[2]), reason: .lost, with: [], at: fleet.now) ?? [])
        let victim = try deviceID(of: devices[1])
        let lie = try forged(devices[2], number: 99) { head in
            head.seen = [
                SeenHead(
                    device: victim, incarnation: Incarnation(repeating: 1), number: 1_000,
                    hash: Bytes16(repeating: 9))
            ]
        }
        shelf.objects[lie.name.text] = lie.bytes
        for _ in 1...4 {
            #expect(try !fleet.facts(devices[0], shelf).contains(.withheld(victim)))
        }
    }

    @Test func `many lives of a device that is out do not displace the heads of members`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[2]), reason: .lost, with: [], at: fleet.now) ?? [])
        for index in 0..<Limits.mailHeads + 10 {
            let lie = try forged(devices[2], number: 1) { head in
                let number = [UInt8(index / 256), UInt8(index % 256)]
                head.incarnation = Incarnation([1, 0, 0, 0, 0, 0] + number) ?? .zero
            }
            shelf.objects[lie.name.text] = lie.bytes
        }
        try fleet.post(devices[0], shelf)
        for index in 0..<40 {
            try devices[1].set("r\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
        }
        for device in [devices[1], devices[0]] { try fleet.post(device, shelf) }
        let other = try deviceID(of: devices[1])
        let known = devices[0].replica?.posts.posts.values.first?.known.heads
        #expect(known?.values.contains { $0.head.device == other } == true)
        #expect(try devices[0].value("r39", 1) == devices[1].value("r39", 1))
    }

    @Test func `copies that gave one number to two heads begin new lives`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fleet.post(devices[0], shelf)
        let copy = try fleet.clone(devices[0], blind: true)
        let before = Set(shelf.names(.head))
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        // The store does not show the copy what the other one left.
        let hidden = Set(shelf.names(.head)).subtracting(before)
        shelf.lie = { request in
            guard request == .list(.head) else { return nil }
            return .names(self.shelf.names(.head).filter { !hidden.contains($0) })
        }
        let old = copy.replica?.incarnation
        try copy.set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(copy, shelf)
        #expect(try state(copy).number == state(devices[0]).number)
        shelf.lie = nil
        try fleet.post(copy, shelf)
        #expect(copy.replica?.incarnation != old)
        for device in [copy, devices[1], devices[0], copy] { try fleet.post(device, shelf) }
        #expect(try devices[1].value("milk", 1) == .text("Milk"))
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
    }

    @Test func `a store that shows now this and now that keeps no device busy`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for round in 0..<2 {
            for index in 0..<20 {
                try devices[0].set(
                    "r\(round)-\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
            }
            try fleet.post(devices[0], shelf)
        }
        var packs = shelf.names(.pack)
        #expect(packs.count == 2)
        shelf.lie = { request in
            guard request == .list(.pack) else { return nil }
            packs.reverse()
            return .names([packs[0]])
        }
        #expect(try fleet.post(devices[0], shelf).count < 5)
        for _ in 1...3 {
            #expect(try fleet.post(devices[0], shelf).count < 5)
        }
    }

    @Test func `a head that would be too large is told`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fleet.post(devices[0], shelf)
        try fleet.reopen(devices[0])
        let found = devices[0].replica?.posts.posts.first?.key
        let id = try #require(found)
        for index in 0..<20_000 {
            let bytes = (0..<16).map { UInt8(truncatingIfNeeded: index >> ($0 % 3 * 8)) }
            let hash = try #require(Bytes16(bytes))
            let pack = PackReference(hash: hash, key: .zero, generation: 1, ranges: [])
            devices[0].replica?.posts[id]?.state.packs.append(.init(reference: pack, bytes: 1))
        }
        devices[0].replica?.posts[id]?.state.areNamed = false
        // With shelves there would be room.
        devices[0].replica?.runMailboxes(false, shelvingFrom: .max)
        let round = try #require(try fleet.post(devices[0], shelf).first)
        #expect(round.facts.contains(.headTooLarge))
        #expect(!round.facts.contains(.lacking))
    }

    @Test func `packs that are never right cost little`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        let names = (0..<300).map { Bytes16(repeating: UInt8($0 % 256)) }
        let chain = ChainKey(scope: .zero, chain: .zero)
        let lie = try forged(devices[1], number: 1) { head in
            head.packs = OrderedSet(names).elements.map {
                PackReference(
                    hash: $0, key: .zero, generation: 1,
                    ranges: [MailRange(key: chain, first: 1, last: 1, prefix: .zero)])
            }
        }
        shelf.objects[lie.name.text] = lie.bytes
        for name in names { shelf.objects[MailName(.pack, name).text] = [1, 2, 3] }
        try fleet.post(devices[0], shelf)
        // What is not there, or was damaged before, is asked for in small numbers.
        shelf.asked = []
        try fleet.post(devices[0], shelf)
        let gets = shelf.asked.filter { if case .get = $0 { true } else { false } }.count
        #expect(0 < gets && gets <= 2 * MailListing.guesses)
        shelf.objects = shelf.objects.filter { !$0.key.hasPrefix("p/") }
        shelf.asked = []
        try fleet.post(devices[0], shelf)
        let guesses = shelf.asked.filter { if case .get = $0 { true } else { false } }.count
        #expect(guesses <= 2 * MailListing.guesses)
    }
}
