import Foundation
import LinnetCRDT
import LinnetMedication
import LinnetMembership
import LinnetReplication
import LinnetWire
import Testing

/// Schemas that a group carries, as texts that mean nothing to the replica.
@Suite struct GroupSchemaTests {
    private let fleet = Fleet()

    private func published(_ device: Device) throws -> [String] {
        try (device.replica?.reader.publishedSchemas() ?? []).map {
            String(decoding: $0, as: UTF8.self)
        }
        .sorted()
    }

    private func publish(_ text: String, on device: Device) throws {
        device.perform(
            try device.replica?.publish(schema: Array(text.utf8), at: fleet.now) ?? [])
    }

    @Test func `a text reaches every device, also one larger than a value`() throws {
        let devices = try fleet.group(["phone", "watch"])
        let large = String(repeating: "schema ", count: 30_000)
        try publish("one", on: devices[0])
        try publish(large, on: devices[0])
        fleet.connect(devices[1], devices[0])
        #expect(try published(devices[1]) == ["one", large].sorted())
        try expectConverged(devices)
    }

    @Test func `the same text of two devices is one, and is written once`() throws {
        let devices = try fleet.group(["phone", "watch"])
        for device in devices { try publish("one", on: device) }
        let before = devices[0].vector
        try publish("one", on: devices[0])
        #expect(devices[0].vector == before)
        fleet.connect(devices[1], devices[0])
        for device in devices { #expect(try published(device) == ["one"]) }
        #expect(
            !devices[0].events.contains {
                if case .warning(.idCollision) = $0 { true } else { false }
            })
    }

    @Test func `a member that writes falsely under the name of a text does not hide it`() throws {
        let devices = try fleet.group(["phone", "liar", "watch"])
        let (phone, liar, watch) = (devices[0], devices[1], devices[2])
        let large = String(repeating: "schema ", count: 10_000)
        try publish("one", on: phone)
        try publish(large, on: phone)
        fleet.disconnectAll()
        let names = try #require(try phone.replica?.reader.records(2)).map(\.id)
        #expect(names.count == 4)
        // With a clock that is behind the liar's contents are those that were written first.
        var late = fleet.now
        late.wallMilliseconds -= 60_000
        for (name, size) in zip(names, [2, 32_768, 32_768, 2]) {
            let lie = FieldValues(1, [.bytes([UInt8](repeating: 0x20, count: size))])
            try liar.commit(
                [Write(RecordKey(collection: 2, record: name), [.insert([lie])])], at: late)
        }
        fleet.connect(watch, liar)
        #expect(try published(watch).isEmpty)
        // A device that declares a text publishes it beside the one of that name.
        try publish("one", on: watch)
        #expect(try published(watch) == ["one"])
        fleet.connect(watch, phone)
        fleet.connect(liar, phone)
        for device in devices { #expect(try published(device) == ["one", large].sorted()) }
        try expectConverged(devices)
    }

    @Test func `a text that is too large is refused and a digest knows nothing of texts`() throws {
        let phone = try fleet.group(["phone"])[0]
        let digest = try phone.digest()
        #expect(throws: ReplicaError.schemaTooLarge) {
            try phone.replica?.publish(
                schema: [UInt8](
                    repeating: 1, count: Limits.schemaPieces * Limits.schemaPieceBytes + 1),
                at: fleet.now)
        }
        try publish("one", on: phone)
        #expect(try phone.digest() == digest)
    }

    @Test func `a device without a schema keeps what comes and shows it with the schema`() throws {
        let phone = try fleet.device("phone", seed: 1)
        try phone.found(at: fleet.now)
        fleet.schema = .unknown
        let watch = try fleet.device("watch", seed: 2)
        try fleet.pair(member: phone, newcomer: watch)
        try phone.set("a", 1, .text("A"), at: fleet.now)
        try phone.commit(
            [
                Write(
                    RecordKey(collection: Device.medication, record: try #require(RecordID("a"))),
                    [.add(field: 10, .text("morning"))])
            ], at: fleet.now)
        fleet.connect(watch, phone)
        #expect(throws: ReplicaError.unknownCollection(1_000)) { try watch.value("a", 1) }
        watch.events = []
        watch.perform(
            try watch.replica?.adopt(
                .demonstration, keeping: Array("text".utf8), at: fleet.now) ?? [])
        #expect(try watch.value("a", 1) == .text("A"))
        #expect(try watch.value("a", 10) == .list([.text("morning")]))
        try expectConverged([phone, watch])
        #expect(
            watch.events.contains {
                if case .recordsChanged = $0 { true } else { false }
            })
        try phone.set("a", 1, .text("B"), at: fleet.now)
        fleet.run()
        #expect(try watch.value("a", 1) == .text("B"))
        let mark = try #require(watch.mark)
        try watch.close()
        try watch.open(at: fleet.now, witness: .intact(mark), schema: .demonstration)
        #expect(try watch.value("a", 10) == .list([.text("morning")]))
    }

    @Test func `a newcomer is shown the schema before it is admitted, and may refuse`() throws {
        let phone = try fleet.device("phone", seed: 1)
        try phone.found(at: fleet.now)
        phone.replica?.pairingSchema = PairSchema(text: Array("text".utf8))
        for (seed, accepts) in [(2, false), (3, true)] as [(UInt8, Bool)] {
            let watch = try fleet.device("watch", seed: seed)
            watch.replica?.pairingSchema = .empty
            let before = phone.replica?.log.vectorEntries().count
            try fleet.pair(member: phone, newcomer: watch)
            var shown: (LinkID, [UInt8])?
            for case .schemaShown(let link, let text) in watch.events { shown = (link, text) }
            let (link, text) = try #require(shown)
            #expect(String(decoding: text, as: UTF8.self) == "text" && !watch.isMember)
            #expect(!phone.events.contains { if case .paired = $0 { true } else { false } })
            watch.perform(
                watch.replica?.handle(.schemaJudged(link, accept: accepts), at: fleet.now) ?? [])
            fleet.run()
            #expect(watch.isMember == accepts)
            if !accepts {
                #expect(phone.replica?.log.vectorEntries().count == before)
                for device in [phone, watch] {
                    #expect(
                        device.events.contains {
                            if case .pairingFailed(_, .schemaContradiction, _) = $0 {
                                true
                            } else {
                                false
                            }
                        }, "\(story(device))")
                }
            }
        }
        #expect(try phone.replica?.reading.status().members.count == 2)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `a device of an earlier version pairs without it`(member: Bool, newcomer: Bool) throws {
        let phone = try fleet.device("phone", seed: 1)
        try phone.found(at: fleet.now)
        let watch = try fleet.device("watch", seed: 2)
        if member { phone.replica?.pairingSchema = .empty }
        if newcomer { watch.replica?.pairingSchema = .empty }
        try fleet.pair(member: phone, newcomer: watch)
        #expect(watch.isMember)
        #expect(!watch.events.contains { if case .schemaShown = $0 { true } else { false } })
    }
}
