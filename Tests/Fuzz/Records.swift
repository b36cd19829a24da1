import LinnetCRDT
import LinnetWire

/// The ops of one record, with payloads of every kind from anybody: they never trap, and whatever
/// they say, the order in which chains arrive beside each other decides nothing.
func fuzz(_ input: [UInt8]) {
    guard let record = RecordID("r") else { return }
    let ops = FuzzedOp.list(in: input, of: record)
    for policy in [.deleteWins, .updateWins, .neverDelete] as [DeletePolicy] {
        let state = fold(ops, of: record, policy)
        let byChain = ([0, 1, 2, 3] as [UInt8]).flatMap { chain -> [FuzzedOp] in
            ops.filter { $0.chain == chain }
        }
        require(fold(byChain, of: record, policy) == state, "the order of chains does not matter")
        let read = try? RecordState.decode(state.encoded, collection: 2_000, record: record)
        require(read == state, "a record reads back")
        show(state)
        var again = state
        for op in ops { op.apply(to: &again, policy) }
        require(again == state, "what was applied changes nothing")
    }
    if var state = try? RecordState.decode(input, collection: 2_000, record: record) {
        require(state.encoded == input, "a record has one form")
        show(state)
        for op in ops { op.apply(to: &state, .updateWins) }
    }
}

private func fold(
    _ ops: [FuzzedOp], of record: RecordID, _ policy: DeletePolicy
) -> RecordState {
    var state = RecordState(collection: 2_000, record: record)
    for op in ops { op.apply(to: &state, policy) }
    return state
}

/// Everything that a reader asks for.
private func show(_ state: RecordState) {
    for (_, content) in state.visibleContents + state.deletedContents {
        require(!content.visibleBytes.isEmpty, "a content has bytes")
        for field in fields { _ = content.values(of: field) }
        _ = (content.writes, content.isConflicting)
    }
}

private let fields = [
    Field(id: 1, name: "a", type: .text), Field(id: 2, name: "b", group: [.init("m", .int)]),
    Field(id: 3, name: "c", kind: .mv, type: .text),
    Field(id: 4, name: "d", kind: .tally, type: .int),
    Field(id: 5, name: "e", kind: .set, type: .text), Field(id: 6, name: "f", kind: .text),
]

/// Five bytes and a payload: kind, generation, chain and stamp, and the payload's length.
private struct FuzzedOp {
    let operation: Operation
    let chain: UInt8
    let stamp: Timestamp
    let position: Position

    func apply(to state: inout RecordState, _ policy: DeletePolicy) {
        // A schema has logs among what is never deleted.
        if operation.kind == OperationKind.logInsert.rawValue, policy != .neverDelete { return }
        _ = state.apply(operation, stamp: stamp, at: position, policy: policy)
    }

    static func list(in input: [UInt8], of record: RecordID) -> [FuzzedOp] {
        var ops: [FuzzedOp] = []
        var rest = input[...]
        while rest.count >= 5, ops.count < 64 {
            let head = Array(rest.prefix(5))
            rest = rest.dropFirst(5)
            let payload = Array(rest.prefix(Int(head[3]) << 8 | Int(head[4])))
            rest = rest.dropFirst(payload.count)
            // The schema keeps kinds of fields apart before a merge.
            let field: UInt32 = [13, 14].contains(head[0]) ? 0 : fieldOf[Int(head[0] & 15)]
            let chain = head[2] & 3
            let place = Position(
                chain: Bytes16(repeating: chain), seq: 1 + UInt64(ops.count), index: 0)
            ops.append(
                FuzzedOp(
                    operation: Operation(
                        collection: 2_000, record: record, generation: UInt32(head[1] & 7),
                        field: field, kind: head[0] & 15, stampDelta: 0, payload: payload),
                    chain: chain, stamp: Timestamp(wallMilliseconds: Int64(head[2] >> 2)),
                    position: place))
        }
        return ops
    }

    private static let fieldOf: [UInt32] = [9, 1, 2, 3, 4, 4, 5, 5, 0, 6, 6, 9, 7, 0, 0, 9]

    static func bytes(
        _ kind: OperationKind, generation: UInt8, _ chain: UInt8, _ payload: [UInt8]
    ) -> [UInt8] {
        let length = [UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        return [kind.rawValue, generation, chain] + length + payload
    }
}

func seeds() -> [[UInt8]] {
    let other = Position(chain: Bytes16(repeating: 1), seq: 2, index: 0)
    var context = CausalContext()
    context.insert(other)
    let written = ObservedValue(value: [0x61, 0x78], observed: [other]).payload
    let one = Decimal64(mantissa: 1, exponent: 0) ?? .zero
    let entry = TallyEntryPayload(key: "k", amount: one, observed: [other]).payload
    let base = TallyBasePayload(amount: one, context: context).payload
    let parent = TextID(position: other, offset: 0)
    let insertions = [nil, parent].compactMap {
        try? TextInsertion(parent: $0, side: .right, string: "text").encoded()
    }
    let range = TextRange(start: parent, count: 2)
    let deletion = (try? TextDeletion(range.map { [$0] } ?? []).encoded()) ?? []
    let copied = TextInsertion(parent: nil, side: .right, string: "copied")
    let copy = (try? TextCopy(name: Bytes16(repeating: 2), insertion: copied).encoded()) ?? []
    let log = LogCell.encode([LogCell(field: 1, payload: [0x61, 0x78])])
    let list: [(OperationKind, [UInt8])] =
        [
            (.lwwSet, [0x61, 0x78]), (.groupSet, [0x81, 0x01]), (.mvSet, written),
            (.tallyEntry, entry), (.tallyBase, base), (.setAdd, written), (.setRemove, written),
            (.textDelete, deletion), (.orderMove, [0x61, 0x56]), (.recordDelete, context.payload),
            (.recordRestore, [0x80]), (.logInsert, log), (.textCopy, copy),
        ] + insertions.map { (.textInsert, $0) }
    let single = list.map { kind, payload -> [UInt8] in
        let generation: UInt8 = kind == .recordDelete ? 2 : kind == .recordRestore ? 3 : 1
        return FuzzedOp.bytes(kind, generation: generation, 5, payload)
    }
    let lives = [1, 3].flatMap { (generation: UInt8) in
        list.flatMap { kind, payload in
            FuzzedOp.bytes(kind, generation: generation, generation, payload)
        }
    }
    return single + [single.flatMap { $0 }, lives + single.flatMap { $0 }]
}
