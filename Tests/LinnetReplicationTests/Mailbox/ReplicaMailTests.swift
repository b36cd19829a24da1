import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that never meet after their pairing, and reach one store at different times.
@Suite struct ReplicaMailTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    private func remove(_ target: Device, by author: Device) throws {
        author.perform(
            try author.replica?.remove(
                try deviceID(of: target), reason: .lost, with: [], at: fleet.now) ?? [])
    }

    private func members(_ device: Device) -> Int? {
        device.replica?.group?.log.state.members.count
    }

    @Test func `a change goes from device to device with one put and one get`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        shelf.asked = []
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        let left = try #require(try fleet.post(devices[0], shelf).last)
        #expect(left.put.objects == 1)
        let taken = try fleet.post(devices[1], shelf)
        #expect(taken.map(\.got.objects) == [1, 0])
        #expect(taken.map(\.put.objects) == [0, 0])
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
    }

    @Test func `a quiet mailbox is listed and looked over, and nothing is put or new`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for _ in 1...2 { for device in devices { try fleet.post(device, shelf) } }
        shelf.asked = []
        let rounds = try devices.flatMap { try fleet.post($0, shelf) }
        // Two heads and a bridge.
        #expect(rounds.map(\.checked.objects) == [3, 3])
        #expect(rounds.map(\.requests) == [7, 7])
        #expect(rounds.allSatisfy { $0.got.objects == 0 && $0.facts.isEmpty })
        #expect(!shelf.asked.contains { if case .put = $0 { true } else { false } })
        #expect(shelf.names(.head).count == 2)
    }

    @Test func `what a third device wrote is left by whoever holds it`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try devices[1].set("tea", 1, .text("Tea"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[2], shelf)
        #expect(try devices[2].value("tea", 1) == .text("Tea"))
    }

    @Test func `changes ride in the head up to a size, and in a pack beyond it`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("r0", 1, .text(Noise.text(12_000, 1)), at: fleet.now)
        try fleet.post(devices[0], shelf)
        #expect(shelf.names(.pack).isEmpty)
        var bytes = 0
        while bytes < Limits.mailInlineBytes {
            try devices[0].set("r\(bytes)", 1, .text(Noise.text(12_000, bytes)), at: fleet.now)
            bytes += 12_000
        }
        try fleet.post(devices[0], shelf)
        #expect(shelf.names(.pack).count == 1)
        #expect(shelf.names(.head).allSatisfy { shelf.objects[$0]?.count == 4_096 })
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("r0", 1) == devices[0].value("r0", 1))
    }

    @Test func `many changes go in packs, and small packs become larger ones`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for round in 0..<20 {
            for index in 0..<10 {
                try devices[0].set(
                    "r\(round)-\(index)", 1, .text(Noise.text(12_000, round * 10 + index)),
                    at: fleet.now)
            }
            fleet.advance(1_000)
            try fleet.post(devices[0], shelf)
        }
        #expect(!shelf.names(.pack).isEmpty)
        #expect(shelf.names(.pack).count < 20)
        #expect(shelf.objects.values.allSatisfy { $0.count <= Limits.mailObjectBytes })
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("r19-9", 1) == devices[0].value("r19-9", 1))
        #expect(try devices[1].value("r0-0", 1) == devices[0].value("r0-0", 1))
        // Nothing that was replaced is named or lies there.
        let own = devices[0].replica?.posts.posts.values.first?.state
        #expect(own?.packs.map(\.reference.name.text).sorted() == shelf.names(.pack))
    }

    @Test func `a removal and the keys after it travel by the mailbox alone`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        for device in devices { try fleet.post(device, shelf) }
        try remove(devices[2], by: devices[0])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf)
        #expect(members(devices[1]) == 2)
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
        try devices[1].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[1], shelf)
        try fleet.post(devices[0], shelf)
        #expect(try devices[0].value("milk", 1) == .text("Milk"))
        // It learns of its removal, leaves nothing, and reads nothing that came later.
        shelf.asked = []
        try fleet.post(devices[2], shelf)
        #expect(members(devices[2]) == 2)
        #expect(try devices[2].value("tea", 1) == nil)
        let puts = shelf.asked.filter { if case .put = $0 { true } else { false } }
        #expect(puts.isEmpty)
    }

    @Test func `what a device wrote before it heard of its removal is handed over and judged`()
        throws
    {
        let devices = try fleet.group(apart: ["a", "b", "c"])
        for device in devices { try fleet.post(device, shelf) }
        try remove(devices[2], by: devices[0])
        try devices[2].set("late", 1, .text("Late"), at: fleet.now)
        try fleet.post(devices[2], shelf)
        try fleet.post(devices[0], shelf)
        #expect(try devices[0].value("late", 1) == nil)
        let late = try devices[0].replica?.reading.lateWrites() ?? []
        #expect(!late.isEmpty)
    }

    @Test func `a device that slept through many epochs follows them by the mailbox`() throws {
        let devices = try fleet.group(apart: ["a", "b", "c", "d", "e"])
        for device in devices { try fleet.post(device, shelf) }
        for gone in [4, 3, 2] {
            try remove(devices[gone], by: devices[0])
            try devices[0].set("tea", 1, .text("Tea \(gone)"), at: fleet.now)
            try fleet.post(devices[0], shelf)
            fleet.advance(60_000)
        }
        try fleet.post(devices[1], shelf)
        #expect(members(devices[1]) == 2)
        #expect(try devices[1].value("tea", 1) == .text("Tea 2"))
    }

    @Test func `a newcomer reads packs of epochs whose network key it never had`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for index in 0..<30 {
            try devices[0].set("r\(index)", 1, .text(Noise.text(4_000, index)), at: fleet.now)
        }
        try fleet.post(devices[0], shelf)
        #expect(!shelf.names(.pack).isEmpty)
        try remove(devices[1], by: devices[0])
        try fleet.post(devices[0], shelf)
        let newcomer = try fleet.device("n", seed: 9)
        let offer = try devices[0].offer(at: fleet.now)
        fleet.connect(newcomer, devices[0], .dialledToPair(.code(try #require(offer.code))))
        try fleet.accept(on: devices[0])
        fleet.disconnectAll()
        try fleet.post(devices[0], shelf)
        try fleet.post(newcomer, shelf)
        #expect(try newcomer.value("r0", 1) == devices[0].value("r0", 1))
        #expect(try newcomer.value("r29", 1) == devices[0].value("r29", 1))
    }

    @Test func `no word, name or identifier is in the store`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("canary-record", 1, .text("canary-text"), at: fleet.now)
        for device in devices { try fleet.post(device, shelf) }
        #expect(try devices[1].value("canary-record", 1) == .text("canary-text"))
        let secrets =
            [Array("canary".utf8), try deviceID(of: devices[0]).array]
            + [devices[0].replica?.groupID?.array ?? []]
        for (name, bytes) in shelf.objects {
            #expect(MailName(text: name) != nil)
            for secret in secrets {
                #expect(!bytes.indices.contains { bytes[$0...].starts(with: secret) })
            }
        }
        // The canary is found where it is.
        let plain = Array("a canary".utf8)
        #expect(plain.indices.contains { plain[$0...].starts(with: secrets[0]) })
    }

    @Test func `a dry run says what would be, and changes nothing`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        let dry = try #require(try fleet.post(devices[0], shelf, dry: true).last)
        #expect(shelf.objects.isEmpty)
        #expect(dry.planned.contains { $0.hasPrefix("put h/") })
        try fleet.post(devices[0], shelf)
        try fleet.post(devices[1], shelf, dry: true)
        #expect(try devices[1].value("tea", 1) == nil)
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
    }

    @Test func `what a device left is known after its program began anew`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        for device in devices { try fleet.post(device, shelf) }
        try fleet.post(devices[0], shelf)
        try fleet.reopen(devices[0])
        shelf.asked = []
        try fleet.post(devices[0], shelf)
        #expect(!shelf.asked.contains { if case .put = $0 { true } else { false } })
    }

    @Test func `a home that was copied begins a new life when the mailbox shows it`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let copy = try fleet.clone(devices[0], blind: true)
        try devices[0].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let before = copy.replica?.incarnation
        try fleet.post(copy, shelf)
        #expect(copy.replica?.incarnation != before)
        try copy.set("rice", 1, .text("Rice"), at: fleet.now)
        try fleet.post(copy, shelf)
        try fleet.post(devices[1], shelf)
        #expect(try devices[1].value("rice", 1) == .text("Rice"))
        #expect(try devices[1].value("milk", 1) == .text("Milk"))
    }
}
