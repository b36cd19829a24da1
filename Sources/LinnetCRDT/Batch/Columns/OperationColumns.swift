import LinnetWire

/// The operations of a batch in columns: what they are, when, which records, and the payloads of
/// each shape together.
///
/// Written: how many operations; if any, how many shapes and columns of their collections,
/// generations, fields and kinds; then a column of each operation's shape, one of the stamp deltas,
/// one of the record identifiers, and for each shape a column of payloads.
enum OperationColumns {
    /// What an operation takes of the body's limit beside its strings.
    private static let operationBytes = 16

    private struct Shape: Equatable {
        let collection: UInt32
        let generation: UInt32
        let field: UInt32
        let kind: UInt8

        init(_ operation: Operation) {
            collection = operation.collection
            generation = operation.generation
            field = operation.field
            kind = operation.kind
        }
    }

    /// What the columns of these operations expand to, for the limit that readers keep.
    static func expandedBytes(_ operations: [Operation]) -> Int {
        operations.reduce(0) {
            $0 + operationBytes + $1.record.utf8.count + $1.payload.count
        }
    }

    static func write(_ operations: [Operation], to writer: inout ColumnWriter) {
        writer.varint(operations.count)
        var shapes: [Shape] = []
        var numbers: [UInt64] = []
        var payloads: [[[UInt8]]] = []
        var records = ByteStrings(count: operations.count, bytes: operations.count * 16)
        numbers.reserveCapacity(operations.count)
        var last = 0
        for operation in operations {
            records.append(operation.record.utf8[...])
            let shape = Shape(operation)
            // Rows follow one another field by field: the next shape is a good guess.
            last = last + 1 < shapes.count ? last + 1 : 0
            if shapes.isEmpty || shapes[last] != shape {
                last = shapes.firstIndex(of: shape) ?? shapes.count
            }
            if last == shapes.count {
                shapes.append(shape)
                payloads.append([])
            }
            numbers.append(UInt64(last))
            payloads[last].append(operation.payload)
        }
        guard !operations.isEmpty else { return }
        writer.varint(shapes.count)
        IntegerColumn.write(shapes.map { UInt64($0.collection) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.generation) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.field) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.kind) }, to: &writer)
        IntegerColumn.write(numbers, to: &writer)
        IntegerColumn.write(operations.map(\.stampDelta), to: &writer)
        StringColumn.write(records, to: &writer)
        for column in payloads { PayloadColumn.write(column, to: &writer) }
    }

    static func read(from reader: inout ColumnReader) throws(CRDTError) -> [Operation] {
        let count = try wire { () throws(WireError) in
            try reader.varint(max: Limits.batchBodyBytes)
        }
        guard count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        guard count > 0 else { return [] }
        do throws(WireError) {
            try reader.spend(operationBytes, times: count)
            return try readOperations(count, from: &reader)
        } catch {
            throw .wire(error)
        }
    }

    private static func readOperations(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> [Operation] {
        let shapes = try reader.varint(max: count)
        let collections = try numbers32(shapes, from: &reader)
        let generations = try numbers32(shapes, from: &reader)
        let fields = try numbers32(shapes, from: &reader)
        let kinds = try numbers32(shapes, from: &reader)
        let numbers = try IntegerColumn.read(count, from: &reader)
        let deltas = try IntegerColumn.read(count, from: &reader)
        let records = try StringColumn.read(count, from: &reader)
        var counts = [Int](repeating: 0, count: shapes)
        for number in numbers {
            guard number < UInt64(shapes) else { throw .tooLarge }
            counts[Int(number)] += 1
        }
        var payloads: [[[UInt8]]] = []
        for (shape, count) in counts.enumerated() {
            guard count > 0, kinds[shape] <= UInt32(UInt8.max) else { throw .nonCanonical }
            payloads.append(try PayloadColumn.read(count, from: &reader))
            counts[shape] = 0
        }
        var operations: [Operation] = []
        operations.reserveCapacity(count)
        var record: RecordID?
        for index in 0..<count {
            let shape = Int(numbers[index])
            if index == 0 || !records.areEqual(index - 1, index) {
                record = RecordID(utf8: records[index])
            }
            guard let record else { throw .badText }
            operations.append(
                Operation(
                    collection: collections[shape], record: record,
                    generation: generations[shape], field: fields[shape],
                    kind: UInt8(truncatingIfNeeded: kinds[shape]), stampDelta: deltas[index],
                    payload: payloads[shape][counts[shape]]))
            counts[shape] += 1
        }
        return operations
    }

    private static func numbers32(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> [UInt32] {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(count)
        for value in try IntegerColumn.read(count, from: &reader) {
            guard let number = UInt32(exactly: value) else { throw .tooLarge }
            numbers.append(number)
        }
        return numbers
    }
}
