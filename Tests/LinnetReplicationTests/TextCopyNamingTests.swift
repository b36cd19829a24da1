import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// Texts that every device copies for itself.
@Suite struct TextCopyNamingTests {
    private static func schema() throws -> Schema {
        try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "thing", scope: "things",
                    fields: [Field(id: 1, name: "body", kind: .text)])
            ])
    }

    private func group() throws -> (Fleet, Device, Device) {
        let fleet = Fleet()
        fleet.schema = try Self.schema()
        let devices = try fleet.group(["phone", "watch"])
        fleet.disconnectAll()
        return (fleet, devices[0], devices[1])
    }

    private func write(_ changes: [Change], on device: Device, _ fleet: Fleet) throws {
        let key = RecordKey(collection: 2_000, record: try #require(RecordID("x")))
        try device.commit([Write(key, changes)], at: fleet.now)
        fleet.advance(10)
    }

    private func text(_ device: Device) throws -> Value? {
        let record = try #require(RecordID("x"))
        return try device.replica?.reader.record(2_000, record)?.fields.first?.values.first
    }

    @Test(arguments: ["e\u{301}", String(repeating: "drink 水 ", count: 4_000)])
    func `what two devices copy at once is there once, whole, and can be edited`(
        original: String
    ) throws {
        let (fleet, phone, watch) = try group()
        let pieces = TextCopy.pieces(of: original)
        #expect(pieces.count == 1 + (original.unicodeScalars.count - 1) / 8_192)
        #expect(!pieces.contains { !$0.isNamedByItsText })
        for device in [phone, watch] {
            try write([.copy(field: 1, pieces)], on: device, fleet)
        }
        try write([.edit(field: 1, at: 0, deleting: 0, inserting: "1 ")], on: phone, fleet)
        let end = original.count
        try write([.edit(field: 1, at: end, deleting: 0, inserting: " 2")], on: watch, fleet)
        fleet.connect(phone, watch)
        fleet.disconnectAll()
        #expect(try text(phone) == .text("1 " + original + " 2"))
        try expectConverged([phone, watch])
    }

    @Test func `only a text in which nothing stands takes a copy, and each copy once`() throws {
        let (fleet, phone, _) = try group()
        let copy = Change.copy(field: 1, TextCopy.pieces(of: "old"))
        try write([.rewrite(field: 1, "new")], on: phone, fleet)
        try write([copy], on: phone, fleet)
        #expect(try text(phone) == .text("new"))
        try write([.rewrite(field: 1, ""), copy], on: phone, fleet)
        #expect(try text(phone) == .text("old"))
        try write([.rewrite(field: 1, ""), copy], on: phone, fleet)
        #expect(try text(phone) ?? .text("") == .text(""))
    }

    @Test func `an insertion under another's name is set aside`() throws {
        let piece = try #require(TextCopy.pieces(of: "water").first)
        let forged = TextCopy(
            name: piece.name, insertion: TextInsertion(parent: nil, side: .right, string: "milk"))
        let here = ScopeID(repeating: 1)
        let schema = try Self.schema()
        for (copy, expected) in [
            (piece, Admission.admitted), (forged, .quarantined(.badPayload)),
        ] {
            let operation = Operation(
                collection: 2_000, record: try #require(RecordID("x")), generation: 1, field: 1,
                kind: OperationKind.textCopy.rawValue, stampDelta: 0, payload: try copy.encoded())
            var rules = MergeRules(0)
            let key = RecordKey(collection: operation.collection, record: operation.record)
            rules.enter(key, in: here, schema: schema) { _ in here }
            #expect(rules.admission(of: operation) == expected)
        }
    }
}
