import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Whatever the order in which objects come, and whatever stops a look, nothing is lost.
@Suite struct MailRecoveringTests {
    private let fleet = Fleet()
    private let shelf = Shelf()

    /// Writes more batches than may wait in one chain, in two packs that follow each other.
    private func fillTwoPacks(_ device: Device) throws {
        for part in 0..<2 {
            for index in 0..<Limits.pendingBatchesPerChain + 100 {
                try device.set("r\(part)-\(index)", 1, .text("R"), at: fleet.now)
            }
            try fleet.post(device, shelf)
        }
        #expect(shelf.names(.pack).count == 2)
    }

    private func last(_ device: Device) throws -> Value? {
        try device.value("r1-\(Limits.pendingBatchesPerChain + 99)", 1)
    }

    @Test func `the packs of a long chain are read in order`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fillTwoPacks(devices[0])
        shelf.asked = []
        try fleet.post(devices[1], shelf)
        #expect(try last(devices[1]) == .text("R"))
        let gets = shelf.asked.filter { request in
            if case .get(let name) = request { name.kind == .pack } else { false }
        }
        #expect(gets.count == 2)
    }

    @Test func `a pack that came before the one that it follows is read again`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fillTwoPacks(devices[0])
        let first = devices[0].replica?.posts.posts.values.first?.state.packs.first
        let name = try #require(first?.reference.name)
        shelf.lie = { $0 == .get(name) ? .bytes(nil) : nil }
        try fleet.post(devices[1], shelf)
        #expect(try last(devices[1]) == nil)
        shelf.lie = nil
        try fleet.post(devices[1], shelf)
        #expect(try last(devices[1]) == .text("R"))
        // Nobody is blamed for the order in which a store gives.
        let blamed = devices[1].events.contains { event in
            if case .warning(.flooded) = event { true } else { false }
        }
        #expect(!blamed)
    }

    @Test func `a home that was restored takes back what its lost life left in its head`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        for device in devices { try fleet.post(device, shelf) }
        let copy = try fleet.clone(devices[0], blind: true)
        try devices[0].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        devices[0].crash()
        try fleet.post(copy, shelf)
        #expect(try copy.value("milk", 1) == .text("Milk"))
    }

    @Test func `a scope that is taken up again is read anew`() throws {
        let text = Field(id: 1, name: "text", type: .text)
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(id: 2_001, name: "visit", scope: .optional("visits"), fields: [text])
            ])
        let devices = try fleet.group(apart: ["a", "b"])
        let id = try #require(RecordID("v1"))
        try devices[0].commit(
            [.set(collection: 2_001, record: id, fields: [FieldWrite(1, .text("Home"))])],
            at: fleet.now)
        devices[1].perform(
            try devices[1].replica?.unsubscribe(from: ["visits"], force: true, at: fleet.now) ?? [])
        for device in devices { try fleet.post(device, shelf) }
        let before = try devices[1].replica?.reader.record(2_001, id)
        #expect(before == nil)
        devices[1].perform(
            try devices[1].replica?.subscribe(to: ["visits"], at: fleet.now) ?? [])
        try fleet.post(devices[1], shelf)
        let after = try devices[1].replica?.reader.record(2_001, id)
        #expect(after != nil)
    }

    @Test func `a dry run beside a look leaves what that one needs durable`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        let added = try devices[0].replica?.addMailbox("other", at: fleet.now)
        let (other, effects) = try #require(added)
        devices[0].perform(effects)
        devices[0].perform(
            try devices[0].replica?.beginMailRound(other, dry: true, at: fleet.now) ?? [])
        devices[0].mails = []
        // Bridge and head are put; the program ends before the head is read back.
        var puts = 0
        _ = try fleet.post(
            devices[0], shelf,
            until: { request in
                if case .put(let object) = request, object.name.kind == .head { puts += 1 }
                return puts == 1
            })
        let number = devices[0].replica?.posts.posts.values.map(\.state.number).max() ?? 0
        #expect(number > 0)
        let mark = try #require(devices[0].mark)
        devices[0].crash()
        devices[0].mails = []
        try devices[0].open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
        let kept = devices[0].replica?.posts.posts.values.map(\.state.number).max()
        #expect(kept == number)
    }

    @Test func `a dry run gives no number, begins no life and is no look`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try fleet.post(devices[0], shelf)
        let copy = try fleet.clone(devices[0], blind: true)
        try devices[0].set("milk", 1, .text("Milk"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let (life, kept) = (copy.replica?.incarnation, copy.replica?.posts.encoded)
        fleet.advance(1_000)
        let round = try #require(try fleet.post(copy, shelf, dry: true).last)
        #expect(round.put == MailAmount() && round.planned.contains { $0.hasPrefix("put h/") })
        #expect(copy.replica?.incarnation == life)
        #expect(copy.replica?.posts.encoded == kept)
        let view = copy.replica?.mailboxes.first
        #expect(view?.lastRound == nil)
    }

    @Test func `what is listed and not given is told`() throws {
        let devices = try fleet.group(apart: ["a", "b"])
        try devices[0].set("tea", 1, .text("Tea"), at: fleet.now)
        try fleet.post(devices[0], shelf)
        let text = try #require(shelf.names(.head).first)
        let name = try #require(MailName(text: text))
        shelf.lie = { $0 == .get(name) ? .bytes(nil) : nil }
        #expect(try fleet.facts(devices[1], shelf).contains(.late(1)))
        shelf.lie = nil
        #expect(try !fleet.facts(devices[1], shelf).contains(.late(1)))
        #expect(try devices[1].value("tea", 1) == .text("Tea"))
    }
}
