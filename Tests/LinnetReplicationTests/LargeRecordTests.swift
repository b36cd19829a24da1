import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Records that grow larger than a device can hold.
@Suite struct LargeRecordTests {
    private func isTold(_ device: Device, _ fleet: Fleet) throws -> Bool {
        try device.replica?.warningFacts(at: fleet.now).contains {
            $0.warning == .recordSetAside(device.key)
        } ?? false
    }

    /// Makes a device set records aside at a thousandth of the usual size.
    private func limit(_ device: Device) {
        device.replica?.foldPolicy.largestRow = 63 << 10
        device.replica?.foldPolicy.growthMeasured = 256
    }

    private func elements(of device: Device, _ places: Range<Int>) -> [Change] {
        places.map { place in
            .add(field: 2, .text(String(repeating: "x", count: 62) + "\(device.name) \(place)"))
        }
    }

    @Test func `a device refuses to write more into a record than it holds`() throws {
        let fleet = try Fleet.ofThings()
        let device = try fleet.group(["a", "b"])[0]
        limit(device)
        try device.change(elements(of: device, 0..<560), fleet)
        let before = try device.digest()
        #expect(throws: ReplicaError.recordTooLarge(device.key)) {
            try device.change(elements(of: device, 560..<1_120), fleet)
        }
        #expect(try device.digest() == before)
        #expect(try !isTold(device, fleet))
        #expect(try device.view(2_000)?.fields.isEmpty == false)
        try device.change(elements(of: device, 560..<570), fleet)
        #expect(try device.digest() != before)
    }

    @Test func `one that grows too large is set aside alone, and a new life of it is whole`() throws
    {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b"])
        let (writer, reader) = (devices[0], devices[1])
        for device in devices {
            limit(device)
            // The part of each of the two is held alone.
            try device.change(elements(of: device, 0..<560), fleet)
        }
        fleet.connect(writer, reader)
        fleet.run()
        for device in devices {
            #expect(try isTold(device, fleet))
            #expect(try device.view(2_000)?.fields.isEmpty == true)
            let other = try #require(RecordID("other"))
            try device.commit(
                [
                    Write(
                        RecordKey(collection: 2_000, record: other),
                        [.count(field: 1, key: device.name, amount: .int(1))])
                ],
                at: fleet.now)
        }
        fleet.run()
        try expectConverged(devices)
        fleet.disconnectAll()
        for device in devices {
            try fleet.reopen(device)
            limit(device)
        }
        #expect(try reader.view(2_000)?.fields.isEmpty == true)
        fleet.connect(writer, reader)
        try writer.commit([.delete(collection: 2_000, record: writer.id)], at: fleet.now)
        fleet.advance(10)
        try writer.change([.add(field: 2, .text("small"))], fleet)
        fleet.run()
        try expectConverged(devices)
        #expect(try reader.view(2_000)?.fields.first?.values == [.list([.text("small")])])
        reader.perform([])
        guard try reader.replica?.acknowledgeNotices() != nil else { throw Device.Closed() }
        #expect(try !isTold(reader, fleet))
    }

    @Test func `a text that takes much more memory than its row is set aside too`() throws {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b"])
        for device in devices {
            device.replica?.foldPolicy.largestRecord = 63 << 10
            device.replica?.foldPolicy.growthMeasured = 256
        }
        // Each letter stands before the one that was written last, so that no two are one run.
        let letter = Change.edit(field: 3, at: 0, deleting: 0, inserting: "x")
        for device in devices {
            try device.change(Array(repeating: letter, count: 600), fleet)
            #expect(try !isTold(device, fleet))
        }
        fleet.connect(devices[0], devices[1])
        fleet.run()
        for device in devices {
            #expect(try isTold(device, fleet))
            #expect(try device.view(2_000)?.fields.isEmpty == true)
        }
        try expectConverged(devices)
    }

    private func text(_ insertions: some Sequence<TextInsertion>) throws -> RecordState {
        var state = RecordState(collection: 2_000, record: try #require(RecordID("r")))
        for (place, insertion) in insertions.enumerated() {
            let operation = Operation(
                collection: 2_000, record: state.record, generation: 1, field: 3,
                kind: OperationKind.textInsert.rawValue, stampDelta: 0,
                payload: try insertion.encoded())
            let outcome = state.apply(
                operation, stamp: Timestamp(rawValue: 1 << 20) ?? .zero,
                at: Position(chain: .zero, seq: UInt64(place) + 1, index: 0))
            #expect(outcome == .won)
        }
        return state
    }

    @Test func `twenty thousand edits of a text take less than a fifth of the room`() throws {
        var dice: UInt64 = 1
        // Each edit divides the run of an earlier one, which takes the most memory that it can.
        var edited = try text(
            (0..<20_000).lazy.map { number in
                dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let earlier = number == 0 ? 0 : (dice >> 33) % UInt64(number) + 1
                let parent = TextID(
                    position: Position(chain: .zero, seq: earlier, index: 0), offset: 1)
                return TextInsertion(
                    parent: number == 0 ? nil : parent, side: .right, string: "abc")
            })
        var fifth = FoldPolicy.standard
        fifth.largestRow /= 5
        fifth.largestRecord /= 5
        #expect(!fifth.setAside(&edited))
        #expect(RecordRow.encode(edited).count < fifth.largestRow / 2)
    }

    @Test func `a text of five megabytes is held, and one of seven is not`() throws {
        let piece = TextInsertion(
            parent: nil, side: .right, string: String(repeating: "x", count: 50_000))
        var long = try text(Array(repeating: piece, count: 5 * 20))
        #expect(!FoldPolicy.standard.setAside(&long))
        var tooLong = try text(Array(repeating: piece, count: 7 * 20))
        #expect(FoldPolicy.standard.setAside(&tooLong))
        #expect(tooLong.isSetAside)
    }

    @Test func `a record of more than eight mebibytes is set aside`() throws {
        var state = RecordState(collection: 2_000, record: try #require(RecordID("r")))
        func fill(_ fields: Range<UInt32>) throws {
            let payload = try Value.text(String(repeating: "x", count: 60_000)).encoded()
            for field in fields {
                let operation = Operation(
                    collection: 2_000, record: state.record, generation: 1, field: field,
                    kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: payload)
                _ = state.apply(
                    operation, stamp: Timestamp(rawValue: 1 << 20) ?? .zero,
                    at: Position(chain: .zero, seq: UInt64(field), index: 0))
            }
        }
        try fill(1..<130)
        #expect(!FoldPolicy.standard.setAside(&state))
        try fill(130..<150)
        #expect(FoldPolicy.standard.setAside(&state))
    }
}
