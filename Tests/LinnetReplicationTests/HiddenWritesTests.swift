import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

/// What a receipt says of writes that do not show.
@Suite struct HiddenWritesTests {
    private let fleet = Fleet()
    private let devices: [Device]

    init() throws {
        devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
    }

    private static func key(_ record: String) throws -> RecordKey {
        RecordKey(collection: Device.medication, record: try #require(RecordID(record)))
    }

    private func set(_ text: String, on device: Device) throws -> CommitReceipt {
        try device.set("x", 1, .text(text), at: fleet.now)
    }

    private func meet() {
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
    }

    /// Writes one field so often in the last millisecond there is that its stamp is the largest.
    private func climb(_ device: Device) throws {
        let write = FieldWrite(1, .text("top"))
        let changes = [Change](repeating: .set(write), count: 65_600)
        var late = fleet.now
        late.wallMilliseconds = .max
        try device.commit([Write(try Self.key("x"), changes)], at: late)
    }

    @Test func `at the largest stamp one of two devices does not show, and its receipt says so`()
        throws
    {
        try climb(devices[0])
        meet()
        // The greater chain wins there, so exactly one of the two cannot pass the other.
        let second = try set("second", on: devices[1])
        meet()
        let first = try set("first", on: devices[0])
        let hidden = [first, second].map { $0.hidden?.count }
        #expect(hidden.sorted { $0 ?? 0 < $1 ?? 0 } == [0, 1])
        let loser = first.hidden?.count == 1 ? first : second
        #expect(loser.operations == 1)
        #expect(
            loser.hidden?.named
                == [HiddenOperation(key: try Self.key("x"), field: 1, reason: .ceiling)])
        // The way out that the reason names.
        let device = first.hidden?.count == 1 ? devices[0] : devices[1]
        try device.delete("x", at: fleet.now)
        let anew = try set("anew", on: device)
        #expect(anew.hidden?.count == 0)
        let view = try device.replica?.reader.record(Device.medication, try Self.key("x").record)
        #expect(view?.fields.first?.values == [.text("anew")])
        meet()
        try expectConverged(devices)
    }

    @Test func `a repeated intent returns what became of the first try`() throws {
        let receipt = try devices[0].set("x", 1, .text("a"), at: fleet.now, intent: [1])
        #expect(receipt.hidden?.count == 0)
        let again = try devices[0].set("x", 1, .text("b"), at: fleet.now, intent: [1])
        #expect(again.repeated && again.hidden == receipt.hidden)
    }

    @Test func `a record of the largest generation says that it cannot be deleted`() throws {
        let id = try #require(RecordID("x"))
        var state = RecordState(collection: 1_000, record: id)
        let operation = Operation(
            collection: 1_000, record: id, generation: .max, field: 1,
            kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
            payload: try Value.text("a").encoded())
        let position = Position(chain: AuthorID(repeating: 1), seq: 1, index: 0)
        #expect(state.apply(operation, stamp: .ceiling, at: position) == .won)
        #expect(state.deleteGeneration == nil)
        #expect(state.obstacle(toIdle: .delete) == .lastGeneration)
        #expect(state.obstacle(toIdle: .restore) == nil)
        let absent = RecordState(collection: 1_000, record: id)
        #expect(absent.obstacle(toIdle: .delete) == nil)
        #expect(absent.obstacle(toIdle: .restore) == nil)
    }

    @Test func `a stamp that cannot be passed in a record that cannot be deleted has no way out`()
        throws
    {
        let id = try #require(RecordID("x"))
        for (generation, policy, reason) in [
            (UInt32.max, DeletePolicy.deleteWins, HiddenReason.ceilingForGood),
            (1, .neverDelete, .ceilingForGood), (1, .deleteWins, .ceiling),
        ] {
            var state = RecordState(collection: 1_000, record: id)
            let operation = Operation(
                collection: 1_000, record: id, generation: generation, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text("a").encoded())
            let high = Position(chain: AuthorID(repeating: 9), seq: 1, index: 0)
            let low = Position(chain: AuthorID(repeating: 1), seq: 1, index: 0)
            #expect(state.apply(operation, stamp: .ceiling, at: high, policy: policy) == .won)
            let outcome = state.apply(operation, stamp: .ceiling, at: low, policy: policy)
            let placed = PlacedOperation(
                operation: operation, stamp: .ceiling, position: low, outcome: outcome)
            #expect(state.obstacle(to: placed, policy: policy) == reason)
        }
    }
}
