import LinnetCRDT
import LinnetMedication
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct MergeRulesTests {
    private let here = ScopeID(repeating: 1)
    private let payloads: [[UInt8]] = [
        [0xf6], [0xf5], [5], [0x18, 200], [0x18, 5], [0x3b], [0x62, 0x61, 0x62], [0x62, 0x61],
        [0x80], [0x82, 2, 0], [], [0xfb, 0x40, 4, 0, 0, 0, 0, 0, 0],
    ]

    /// One operation of every shape that matters, with every payload.
    private func operations(on record: String) throws -> Operations {
        let collections = Schema.demonstration.collections.prefix(4).map(\.id) + [77]
        var all = Operations()
        let id = try #require(RecordID(record))
        for (collection, field, kind) in collections.flatMap({ collection in
            (0..<10).flatMap { field in
                (0...16).map { kind in (collection, UInt32(field), UInt8(kind)) }
            }
        }) {
            for generation: UInt32 in [1, 2, 3] {
                for payload in payloads {
                    all.append(
                        Operation(
                            collection: collection, record: id, generation: generation,
                            field: field, kind: kind, stampDelta: 0, payload: payload))
                }
            }
        }
        return all
    }

    @Test(arguments: ["record", "2026-11-21/1"])
    func `what is admitted at sight is admitted by a closer look`(record: String) throws {
        let operations = try operations(on: record)
        var rules = MergeRules(operations.shapes.count)
        var atSight = 0
        for (operation, entry) in zip(operations, operations.entries) {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            rules.enter(key, in: here, schema: .demonstration) { _ in here }
            guard rules.admitsAtSight(operations, entry) else { continue }
            atSight += 1
            #expect(rules.admission(of: operation) == .admitted)
            #expect(operation.malformation == nil && operation.hasGoodPayload)
        }
        #expect(atSight > 20)
    }

    @Test func `nothing is admitted at sight in another scope`() throws {
        let operations = try operations(on: "record")
        var rules = MergeRules(operations.shapes.count)
        for (operation, entry) in zip(operations, operations.entries) {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            rules.enter(key, in: here, schema: .demonstration) { _ in ScopeID(repeating: 2) }
            let isAtSight = rules.admitsAtSight(operations, entry)
            #expect(!isAtSight)
            #expect(rules.admission(of: operation) != .admitted)
        }
    }
}
