import LinnetCRDT
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Packs give way to larger ones, whoever made them, and nothing is lost by it.
@Suite struct MailCleaningTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    private func group(_ names: [String], mergingFrom smallPacks: Int = 2) throws -> [Device] {
        let devices = try fleet.group(apart: names)
        for device in devices {
            device.replica?.runMailboxes(false, packingFrom: 512, mergingFrom: smallPacks)
        }
        return devices
    }

    private func write(_ device: Device, _ number: Int) throws {
        try device.set("r\(number)", 1, .text(Noise.text(2_000, number)), at: fleet.now)
        fleet.advance(1_000)
    }

    private func state(_ device: Device) throws -> PostState {
        try #require(device.replica?.posts.posts.values.first?.state)
    }

    private func named(_ device: Device) throws -> [String] {
        try state(device).packs.map(\.reference.name.text).sorted()
    }

    /// The names that some device of these says lie there.
    private func named(_ devices: [Device]) throws -> [String] {
        Set(try devices.flatMap { try named($0) }).sorted()
    }

    private func held(_ hash: UInt8, _ spans: [ClosedRange<UInt64>]) -> HeldPack {
        var contents = PackContents()
        for span in spans { contents.add(ChainKey(scope: .zero, chain: .zero), span) }
        return HeldPack(
            reference: PackReference(
                hash: Bytes16(repeating: hash), key: .zero, generation: 1, ranges: []),
            contents: contents)
    }

    @Test func `of two packs one gives way at most, and a ring of packs never does`() {
        let packs = [
            held(1, [1...4]), held(2, [1...4]), held(3, [1...9]), held(4, [5...9]),
            held(5, [1...2, 3...4]), held(6, [1...4, 6...9]),
        ]
        for one in packs {
            #expect(!one.isLarger(than: one))
            for other in packs {
                #expect(!(one.isLarger(than: other) && other.isLarger(than: one)))
                for third in packs where one.isLarger(than: other) && other.isLarger(than: third) {
                    #expect(one.isLarger(than: third))
                }
            }
        }
        #expect(packs[2].isLarger(than: packs[5]))
        #expect(packs[0].isLarger(than: packs[1]) && packs[1].isLarger(than: packs[4]))
        #expect(!packs[5].isLarger(than: packs[3]))
    }

    @Test func `spans are joined where they meet, whatever their order`() {
        var contents = PackContents()
        let chain = ChainKey(scope: .zero, chain: .zero)
        for span in [7...9, 1...2, 3...4, 2...3] as [ClosedRange<UInt64>] {
            contents.add(chain, span)
        }
        #expect(contents.spans[chain] == [1...4, 7...9])
        #expect(contents.count == 7)
    }

    @Test func `small packs of several devices become larger ones, which all of them name`() throws
    {
        let devices = try group(["a", "b", "c"], mergingFrom: 3)
        for number in 0..<12 {
            try write(devices[number % 3], number)
            try fleet.post(devices[number % 3], shelf)
        }
        for _ in 0..<8 { for device in devices { try fleet.post(device, shelf) } }
        #expect(shelf.names(.pack).count < 6)
        #expect(try named(devices) == shelf.names(.pack))
        let larger = try devices.map { Set(try named($0)) }
        #expect(!larger[0].intersection(larger[1]).union(larger[1].intersection(larger[2])).isEmpty)
        let newcomer = try fleet.device("n", seed: 9)
        let offer = try devices[0].offer(at: fleet.now)
        fleet.connect(newcomer, devices[0], .dialledToPair(.code(try #require(offer.code))))
        try fleet.accept(on: devices[0])
        fleet.disconnectAll()
        try fleet.post(devices[0], shelf)
        try fleet.post(newcomer, shelf)
        for number in 0..<12 {
            #expect(
                try newcomer.value("r\(number)", 1) == .text(Noise.text(2_000, number)))
        }
    }

    @Test func `a device that comes back after months names the larger pack and loses nothing`()
        throws
    {
        let devices = try group(["a", "b", "c"])
        try write(devices[2], 0)
        try fleet.post(devices[2], shelf)
        for number in 1..<24 {
            try write(devices[number % 2], number)
            try fleet.post(devices[number % 2], shelf)
        }
        let before = try named(devices[2])
        fleet.advance(90 * 86_400_000)
        // While it was away nothing that it names was deleted.
        #expect(before.allSatisfy(shelf.names(.pack).contains))
        for _ in 0..<4 { for device in devices { try fleet.post(device, shelf) } }
        #expect(try named(devices[2]) != before)
        #expect(try named(devices) == shelf.names(.pack))
        for number in 0..<24 {
            for device in devices {
                #expect(try device.value("r\(number)", 1) == .text(Noise.text(2_000, number)))
            }
        }
    }

    @Test func `a larger pack that does not hold what a head claims is not named`() throws {
        let devices = try group(["a", "b"], mergingFrom: 16)
        try write(devices[0], 0)
        try fleet.post(devices[0], shelf)
        let small = try named(devices[0])
        try fleet.post(devices[1], shelf)
        devices[1].replica?.runMailboxes(false, packingFrom: 512, mergingFrom: 1)
        try write(devices[1], 1)
        for _ in 0..<6 where shelf.names(.pack).count < 3 { try fleet.post(devices[1], shelf) }
        let larger = try #require(
            try named(devices[1]).first { shelf.objects[$0]?.count ?? 0 > 3_000 })
        shelf.lie = { request in
            guard case .get(let name) = request, name.text == larger else { return nil }
            return .bytes(Array(shelf.objects[larger]?.dropLast() ?? []))
        }
        for _ in 0..<3 { try fleet.post(devices[0], shelf) }
        #expect(try named(devices[0]).contains(small[0]))
        #expect(shelf.names(.pack).contains(small[0]))
        shelf.lie = nil
        for _ in 0..<3 { for device in devices { try fleet.post(device, shelf) } }
        #expect(try !named(devices[0]).contains(small[0]))
        #expect(!shelf.names(.pack).contains(small[0]))
    }

    @Test func `a pack that was put when the program ended is named later, or gives way`() throws {
        for isMoreWritten in [false, true] {
            let (fleet, shelf) = (Fleet(), Shelf())
            let devices = try fleet.group(apart: ["a", "b"])
            devices[0].replica?.runMailboxes(false, packingFrom: 512)
            try devices[0].set("r", 1, .text(Noise.text(2_000, 0)), at: fleet.now)
            try fleet.post(devices[0], shelf) { request in
                if case .get(let name) = request { name.kind == .pack } else { false }
            }
            #expect(shelf.names(.pack).count == 1)
            try fleet.reopen(devices[0])
            devices[0].mails = []
            devices[0].replica?.runMailboxes(false, packingFrom: 512)
            if isMoreWritten {
                try devices[0].set("q", 1, .text(Noise.text(2_000, 1)), at: fleet.now)
            }
            for _ in 0..<2 { try fleet.post(devices[0], shelf) }
            let own = devices[0].replica?.posts.posts.values.first?.state
            #expect(own?.packs.map(\.reference.name.text).sorted() == shelf.names(.pack))
            #expect(own?.tried.isEmpty == true)
            try fleet.post(devices[1], shelf)
            #expect(try devices[1].value("r", 1) == .text(Noise.text(2_000, 0)))
        }
    }

    @Test func `a pack that the store brings back is deleted again, and one of strangers stays`()
        throws
    {
        let devices = try group(["a", "b"])
        let stranger = MailName(.pack, Bytes16(repeating: 7)).text
        shelf.objects[stranger] = [1, 2, 3]
        var seen: [String: [UInt8]] = [:]
        for number in 0..<6 {
            try write(devices[0], number)
            try fleet.post(devices[0], shelf)
            seen.merge(shelf.objects.filter { $0.key.hasPrefix("p/") }) { old, _ in old }
        }
        let old = seen.keys.filter { shelf.objects[$0] == nil }
        #expect(old.count > 2)
        for name in old { shelf.objects[name] = seen[name] }
        try fleet.reopen(devices[0])
        try fleet.post(devices[0], shelf)
        #expect(old.allSatisfy { shelf.objects[$0] == nil })
        #expect(shelf.objects[stranger] == [1, 2, 3])
        #expect(try Set(named(devices[0]) + [stranger]) == Set(shelf.names(.pack)))
    }

    @Test func `packs of a device that is out become larger ones, and go`() throws {
        let devices = try group(["a", "b"], mergingFrom: 16)
        for number in 0..<5 {
            try write(devices[1], number)
            try fleet.post(devices[1], shelf)
        }
        let old = try named(devices[1])
        try fleet.post(devices[0], shelf)
        devices[0].perform(
            try devices[0].replica?.remove(
                try deviceID(of: devices[1]), reason: .lost, with: [], at: fleet.now) ?? [])
        devices[0].replica?.runMailboxes(false, packingFrom: 512, mergingFrom: 1)
        for _ in 0..<4 { try fleet.post(devices[0], shelf) }
        #expect(old.allSatisfy { !shelf.names(.pack).contains($0) })
        #expect(try named(devices[0]) == shelf.names(.pack))
        for number in 0..<5 {
            #expect(try devices[0].value("r\(number)", 1) == .text(Noise.text(2_000, number)))
        }
    }
}
