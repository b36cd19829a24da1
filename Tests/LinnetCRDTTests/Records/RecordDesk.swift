import LinnetCRDT
import LinnetWire
import Testing

/// An op with its stamp, its place, and the ops that its author had received.
struct AuthoredOp {
    var operation: LinnetCRDT.Operation
    var stamp: Timestamp
    let position: Position
    let past: Set<Int>
}

/// Some devices that change one record, each with a clock of its own.
struct RecordDesk {
    let collection: LinnetCRDT.Collection
    private(set) var ops: [AuthoredOp] = []
    private(set) var states: [RecordState]
    private var seen: [Set<Int>]
    private var seqs: [UInt64]
    private var time: Int64 = 1_000

    init(_ collection: LinnetCRDT.Collection = RecordDesk.records(), devices: Int = 3) throws {
        self.collection = collection
        let record = try #require(RecordID("r"))
        let empty = RecordState(collection: collection.id, record: record)
        states = [RecordState](repeating: empty, count: devices)
        seen = [Set<Int>](repeating: [], count: devices)
        seqs = [UInt64](repeating: 0, count: devices)
    }

    /// The collection of these tests: a field of every kind.
    static func records(_ policy: DeletePolicy = .deleteWins) -> LinnetCRDT.Collection {
        Collection(
            id: 2_000, name: "record", scope: "records", deletePolicy: policy,
            fields: [
                Field(id: 1, name: "title", type: .text),
                Field(
                    id: 2, name: "dose",
                    group: [Field.Member("amount", .decimal), Field.Member("unit", .text)]),
                Field(id: 3, name: "note", kind: .mv, type: .text),
                Field(id: 4, name: "stock", kind: .tally, type: .int),
                Field(id: 5, name: "tags", kind: .set, type: .text),
                Field(id: 6, name: "story", kind: .text),
                Field(id: 7, name: "place", kind: .order),
                Field(id: 8, name: "weight", kind: .tally, type: .decimal),
                Field(id: 9, name: "peak", kind: .max, type: .int),
                Field(id: 10, name: "first", kind: .min, type: .date),
                Field(id: 11, name: "picture", kind: .file),
            ])
    }

    /// A log with a single value and a group.
    static let log = Collection.log(
        id: 2_001, name: "doses", scope: .always("doses"),
        fields: [
            Field(id: 1, name: "what", type: .text),
            Field(id: 2, name: "dose", group: [Field.Member("n", .int), Field.Member("u", .text)]),
        ])

    static func chain(_ device: Int) -> AuthorID { Bytes16(repeating: UInt8(10 + device)) }

    /// Makes changes on a device, each seen by the next, a step later on every clock.
    @discardableResult
    mutating func write(
        _ device: Int, _ changes: Change..., clock: Int64? = nil
    ) throws -> [LinnetCRDT.Operation] {
        time += 1
        let base = Timestamp(wallMilliseconds: clock ?? time)
        let editor = RecordEditor(collection: collection, base: base)
        var index: UInt32 = 0
        var written: [LinnetCRDT.Operation] = []
        seqs[device] += 1
        for change in changes {
            for operation in try editor.operations(for: change, of: states[device]) {
                let op = AuthoredOp(
                    operation: operation,
                    stamp: base.advanced(by: operation.stampDelta) ?? .ceiling,
                    position: Position(
                        chain: RecordDesk.chain(device), seq: seqs[device], index: index),
                    past: seen[device])
                index += 1
                ops.append(op)
                written.append(operation)
                deliver(ops.count - 1, to: device)
            }
        }
        return written
    }

    /// One device gives another what it has.
    mutating func send(_ from: Int, to other: Int) {
        for op in seen[from].subtracting(seen[other]).sorted() { deliver(op, to: other) }
    }

    /// All devices give each other what they have.
    mutating func meet() {
        for device in seen.indices.dropFirst() { send(device, to: 0) }
        for device in seen.indices.dropFirst() { send(0, to: device) }
    }

    private mutating func deliver(_ op: Int, to device: Int) {
        seen[device].insert(op)
        let op = ops[op]
        _ = states[device].apply(
            op.operation, stamp: op.stamp, at: op.position, policy: collection.deletePolicy)
    }

    /// The state in which all devices end, checked in many orders.
    func outcome() throws -> RecordState {
        let history = RecordHistory(collection: collection, ops: ops)
        for seed in 0..<12 { #expect(try history.brokenLaws(seed: seed) == []) }
        return try history.fold(ops)
    }

    /// What a reader of a field sees, when all devices have everything.
    func shown(_ field: UInt32) throws -> [Value]? {
        let declared = try #require(collection.field(id: field))
        return try outcome().content(of: field)?.values(of: declared)
    }
}
