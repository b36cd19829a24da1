import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// Packs whose names do not fit into a head are named by lists apart.
@Suite struct MailShelfTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    private func group(_ names: [String]) throws -> [Device] {
        let devices = try fleet.group(apart: names)
        for device in devices {
            device.replica?.runMailboxes(
                false, packingFrom: 512, mergingFrom: 100, shelvingFrom: 400)
        }
        return devices
    }

    private func write(_ device: Device, _ numbers: Range<Int>) throws {
        for number in numbers {
            try device.set("r\(number)", 1, .text(Noise.text(2_000, number)), at: fleet.now)
            fleet.advance(1_000)
            try fleet.post(device, shelf)
        }
    }

    private func state(_ device: Device) throws -> PostState {
        try #require(device.replica?.posts.posts.values.first?.state)
    }

    /// The objects that a device says lie there.
    private func named(_ device: Device) throws -> [String] {
        let state = try state(device)
        return (state.packs.map(\.reference.name.text) + state.shelves.map(\.reference.name.text))
            .sorted()
    }

    private func reads(_ device: Device, _ numbers: Range<Int>) throws -> Bool {
        try numbers.allSatisfy {
            try device.value("r\($0)", 1) == .text(Noise.text(2_000, $0))
        }
    }

    @Test func `a shelf has one encoding, and names packs alone`() throws {
        let range = MailRange(
            key: ChainKey(scope: .zero, chain: .zero), first: 1, last: 2, prefix: .zero)
        let pack = PackReference(
            hash: Bytes16(repeating: 3), key: .zero, generation: 1, ranges: [range])
        let made = MailShelf(device: DeviceID(repeating: 1), packs: [pack, pack])
        #expect(try MailShelf.decode(made.encoded) == made)
        var nested = made
        nested.packs[1].ranges = []
        for wrong in [nested, MailShelf(device: .zero, packs: [])] {
            #expect(throws: MailFault.malformed) { try MailShelf.decode(wrong.encoded) }
        }
        #expect(throws: MailFault.malformed) { try MailShelf.decode(MailPack.encode([[1]])) }
        #expect(throws: MailFault.malformed) { try MailPack.decode(made.encoded) }
        #expect(throws: MailFault.malformed) { try MailShelf.decode(made.encoded + [0]) }
    }

    @Test func `the names of packs that stay in a head leave room for all else in it`() {
        let range = MailRange(
            key: ChainKey(scope: .zero, chain: .zero), first: 1, last: 1 << 40, prefix: .zero)
        let pack = PackReference(hash: .zero, key: .zero, generation: 1, ranges: [range])
        let most = Limits.mailShelfBytes / pack.encodedBytes
        var head = MailHead(
            group: .zero, device: .zero, incarnation: .zero, number: 1, previous: .zero)
        head.packs = [PackReference](repeating: pack, count: most)
        #expect(head.encoded.count > Limits.mailShelfBytes / 2)
        #expect(head.encoded.count < Limits.mailHeadBytes / 3)
    }

    @Test func `many packs go on shelves, which others read, also after a new start`() throws {
        let devices = try group(["a", "b"])
        try write(devices[0], 0..<12)
        let state = try state(devices[0])
        #expect(state.packs.count == 12)
        #expect(!state.shelves.isEmpty)
        #expect(state.shelves.flatMap(\.packs).count > 8)
        #expect(try named(devices[0]) == shelf.names(.pack))
        try fleet.post(devices[1], shelf)
        #expect(try reads(devices[1], 0..<12))
        try fleet.reopen(devices[0])
        shelf.asked = []
        try fleet.post(devices[0], shelf)
        #expect(!shelf.asked.contains { if case .put = $0 { true } else { false } })
        #expect(try self.state(devices[0]).shelves == state.shelves)
    }

    @Test func `a shelf that the store loses or damages is made anew`() throws {
        for isLost in [true, false] {
            let devices = try group(["a\(isLost)", "b\(isLost)"])
            let first = isLost ? 0 : 20
            try write(devices[0], first..<(first + 8))
            let name = try #require(try state(devices[0]).shelves.first).reference.name.text
            shelf.objects[name] = isLost ? nil : [1, 2, 3]
            for _ in 0..<4 { try fleet.post(devices[0], shelf) }
            let shelves = try state(devices[0]).shelves
            #expect(shelves.allSatisfy { shelf.objects[$0.reference.name.text]?.count ?? 0 > 3 })
            try fleet.post(devices[1], shelf)
            #expect(try reads(devices[1], first..<(first + 8)))
        }
    }

    @Test func `what gives way on a shelf leaves no shelf behind`() throws {
        let devices = try group(["a", "b"])
        try write(devices[0], 0..<8)
        devices[0].replica?.runMailboxes(
            false, packingFrom: 512, mergingFrom: 2, shelvingFrom: 400)
        try write(devices[0], 8..<10)
        for _ in 0..<3 { try fleet.post(devices[0], shelf) }
        #expect(try state(devices[0]).packs.count < 3)
        #expect(try named(devices[0]) == shelf.names(.pack))
        try fleet.post(devices[1], shelf)
        #expect(try reads(devices[1], 0..<10))
    }
}
