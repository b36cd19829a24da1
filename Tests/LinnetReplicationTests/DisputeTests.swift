import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

/// Two devices that hold the same and show something else.
@Suite struct DisputeTests {
    private let fleet = Fleet()

    private func warned(_ device: Device) -> [Bool] {
        device.events.compactMap {
            if case .warning(.showsOtherwise(_, let checked)) = $0 { checked } else { nil }
        }
    }

    private func settled(_ device: Device) -> Int {
        device.events.count { if case .differenceEnded = $0 { true } else { false } }
    }

    private func exchange(_ device: Device) throws {
        device.perform(try device.replica?.exchangeStatements(at: fleet.now) ?? [])
        fleet.run()
    }

    /// Every deadline of the next seconds.
    private func rest(_ devices: [Device]) throws {
        let end = fleet.now.uptimeMilliseconds + 4_000
        var rounds = 0
        while let due = devices.compactMap(\.nextDeadline).min(), due <= end {
            fleet.advance(max(0, due - fleet.now.uptimeMilliseconds))
            fleet.meetDeadlines(devices)
            rounds += 1
            try #require(rounds < 2_000)
        }
    }

    private func reopen(_ device: Device, schema: Schema = .demonstration) throws {
        let mark = try #require(device.mark)
        try device.open(at: fleet.now, witness: .intact(mark), schema: schema)
    }

    private func write(_ device: Device, _ text: String) throws {
        let id = try #require(RecordID("x"))
        for collection: UInt32 in [2_000, 2_001] {
            try device.commit(
                [
                    .set(
                        collection: collection, record: id, fields: [FieldWrite(1, .text(text))])
                ], at: fleet.now)
        }
    }

    private func expectAgreement(_ devices: [Device]) throws {
        for device in devices {
            let pairs = try #require(try device.replica?.reading.statementPairs())
            #expect(pairs.count == 1 && pairs.allSatisfy(\.agrees))
        }
    }

    @Test(arguments: [0, 1])
    func `a row that went back unnoticed is found by certificates and mended`(_ asker: Int) throws {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[1], devices[0])
        for number in 0..<5 {
            try devices[0].set("record-\(number)", 1, .text("first"), at: fleet.now)
        }
        fleet.run()
        fleet.disconnectAll()
        try devices[1].close()
        let row = "WHERE id = CAST('record-2' AS BLOB)"
        let sealed = try devices[1].text("SELECT hex(sealed) FROM records \(row)")
        try reopen(devices[1])
        try devices[0].set("record-2", 1, .text("second"), at: fleet.now)
        fleet.connect(devices[1], devices[0])
        fleet.disconnectAll()
        try devices[1].close()
        try devices[1].run("UPDATE records SET sealed = x'\(sealed)' \(row)")
        try devices[1].run("DELETE FROM marks")
        try reopen(devices[1])
        #expect(try devices[1].value("record-2", 1) == .text("first"))
        devices.forEach { $0.events = [] }

        fleet.connect(devices[1], devices[0])
        try exchange(devices[asker])
        #expect(devices.map(warned) == [[false], [false]])
        try rest(devices)
        #expect(devices.map(warned) == [[false], [false]])
        #expect(devices.map(settled) == [1, 1])
        try expectAgreement(devices)
        #expect(try devices[1].value("record-2", 1) == .text("second"))
        let rebuilt = devices.map { device in
            device.events.count { if case .warning(.rowRebuilt) = $0 { true } else { false } }
        }
        #expect(rebuilt == [0, 1])
    }

    @Test func `devices that still differ after a look at every row say so once`() throws {
        let things = [2_000, 2_001].map { id in
            Collection(
                id: id, name: "things\(id)", scope: "things",
                fields: [Field(id: 1, name: "text", type: .text)])
        }
        fleet.schema = try Schema(version: 7, collections: things)
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[1], devices[0])
        try write(devices[0], "first")
        fleet.run()
        fleet.disconnectAll()
        // A version of the application that calls itself the same and lacks a collection.
        try devices[1].close()
        try reopen(devices[1], schema: Schema(version: 7, collections: Array(things.prefix(1))))
        fleet.connect(devices[1], devices[0])
        devices.forEach { $0.events = [] }
        try exchange(devices[0])
        try rest(devices)
        #expect(devices.map(warned) == [[false, true], [false, true]])
        fleet.advance(2_000)
        try exchange(devices[1])
        try rest(devices)
        #expect(devices.map(warned) == [[false, true], [false, true]])
        #expect(devices.map(settled) == [0, 0])
        // What one writes makes another vector, of which nothing was said.
        try write(devices[0], "second")
        fleet.run()
        fleet.advance(2_000)
        try exchange(devices[0])
        try rest(devices)
        #expect(devices.map(warned) == [[false, true, false, true], [false, true, false, true]])
    }
}
