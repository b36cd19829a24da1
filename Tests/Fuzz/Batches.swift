import LinnetCRDT
import LinnetWire

/// What is in a batch: its header, its opened body, and the record rows that bodies end in.
func fuzz(_ input: [UInt8]) {
    if let header = try? BatchHeader.decode(input) {
        require(header.encoded == input, "a header has one form")
    }
    if let body = try? BatchBody.decode(plaintext: input) {
        require(body.operations.count <= Limits.operationsPerBatch, "operations are bounded")
        apply(body)
    }
    if let record = RecordID("a"),
        let state = try? RecordState.decode(input, collection: 1000, record: record)
    {
        require(state.encoded == input, "a record row has one form")
    }
}

private func apply(_ body: BatchBody) {
    guard let first = body.operations.first else { return }
    var state = RecordState(collection: first.collection, record: first.record)
    for (index, operation) in body.operations.enumerated()
    where operation.collection == first.collection && operation.record == first.record {
        let position = Position(chain: .zero, seq: 1, index: UInt32(index))
        _ = state.apply(operation, stamp: body.stamp(of: operation), at: position)
    }
    let read = try? RecordState.decode(
        state.encoded, collection: state.collection, record: state.record)
    require(read == state, "a record row reads back")
}

func seeds() -> [[UInt8]] {
    let header = BatchHeader(
        group: .zero, device: .zero, incarnation: .zero, scope: .zero, seq: 1, prev: .zero,
        epoch: .zero, nonce: Array(repeating: 9, count: BatchHeader.nonceBytes))
    let attributes = BatchAttributes(
        commit: .zero, part: 1, parts: 1, intent: [1], schemaVersion: 1,
        baseStamp: Timestamp(wallMilliseconds: 1_795_255_200_000), authors: [.zero],
        dependencies: [], unknown: [])
    guard let record = RecordID("metformin-500"), let value = try? Value.text("a").encoded() else {
        return [header.encoded]
    }
    let operations = [(1, 1), (4, 2), (1, 13), (1, 14)].map { (field, kind) in
        Operation(
            collection: 1000, record: record, generation: 1, field: UInt32(field),
            kind: UInt8(kind), stampDelta: 0, payload: value)
    }
    let body = BatchBody(attributes: attributes, operations: operations)
    return [header.encoded, (try? body.encodePlaintext()) ?? []]
}
