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
        if let plaintext = try? body.encodePlaintext() {
            let again = try? BatchBody.decode(plaintext: plaintext)
            require(again == body, "a body reads back, in rows or in columns")
        }
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
    guard let record = RecordID("m1"), let value = try? Value.text("a").encoded() else {
        return [header.encoded]
    }
    let operations = [(1, 1), (4, 2), (1, 13), (1, 14)].map { (field, kind) in
        Operation(
            collection: 1000, record: record, generation: 1, field: UInt32(field),
            kind: UInt8(kind), stampDelta: 0, payload: value)
    }
    let rows = BatchBody(attributes: attributes, operations: operations)
    let columns = BatchBody(attributes: attributes, operations: manyOperations(record))
    return [header.encoded] + [rows, columns].map { (try? $0.encodePlaintext()) ?? [] }
}

/// Enough operations, and of enough types, that they are written in columns.
private func manyOperations(_ record: RecordID) -> [Operation] {
    (0..<48).compactMap { index in
        let values: [Value] = [
            .text("Medication \(1_000 + index * 37)"), .int(Int64(index * 5)), .bool(index < 20),
            .text(["mg", "ml"][index % 2]), .double(Double(index) / 4), .instant(Int64(index)),
            .date(Int64(index)), .bytes([UInt8(index)]), .null,
        ]
        let field = index % values.count
        guard let payload = try? values[field].encoded(),
            let record = index < 20 ? record : RecordID("med-\(100 + index)")
        else { return nil }
        return Operation(
            collection: 1000, record: record, generation: 1, field: UInt32(field + 1), kind: 1,
            stampDelta: UInt64(index / 7), payload: payload)
    }
}
