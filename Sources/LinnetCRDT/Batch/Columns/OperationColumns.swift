import LinnetWire

/// The operations of a batch in columns: their shapes, stamps and records, and the payloads of each
/// shape together.
///
/// First comes the number of operations. If there are any, there follow the number of shapes and
/// columns of their collections, generations, fields and kinds; then a column of each operation's
/// shape, one of the stamp deltas, one of the record identifiers, and for each shape a column of
/// payloads.
enum OperationColumns {
    /// The bytes of the body's limit that an operation takes beside its strings.
    private static let operationBytes = 16

    /// The number of bytes that the columns of these operations expand to, for the limit that
    /// readers keep.
    static func expandedBytes(_ operations: Operations) -> Int {
        operations.entries.reduce(0) {
            $0 + operationBytes + operations.records[$1.record].utf8.count + $1.payload.count
        }
    }

    static func write(_ operations: Operations, to writer: inout ColumnWriter) {
        let entries = operations.entries
        let shapes = operations.shapes
        writer.varint(entries.count)
        guard !entries.isEmpty else { return }
        var records = ByteStrings(count: entries.count, bytes: entries.count * 16)
        var payloads = [[Range<Int>]](repeating: [], count: shapes.count)
        for entry in entries {
            records.append(operations.records[entry.record].utf8[...])
            payloads[entry.shape].append(entry.payload)
        }
        writer.varint(shapes.count)
        IntegerColumn.write(shapes.map { UInt64($0.collection) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.generation) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.field) }, to: &writer)
        IntegerColumn.write(shapes.map { UInt64($0.kind) }, to: &writer)
        IntegerColumn.write(entries.map { UInt64($0.shape) }, to: &writer)
        IntegerColumn.write(entries.map(\.stampDelta), to: &writer)
        StringColumn.write(records, to: &writer)
        for ranges in payloads {
            PayloadColumn.write(ByteStrings(operations.bytes, ranges), to: &writer)
        }
    }

    static func read(from reader: inout ColumnReader) throws(CRDTError) -> Operations {
        let count = try wire { () throws(WireError) in
            try reader.varint(max: Limits.batchBodyBytes)
        }
        guard count <= Limits.operationsPerBatch else { throw .batchTooLarge }
        guard count > 0 else { return Operations() }
        do throws(WireError) {
            try reader.spend(operationBytes, times: count)
            return try readOperations(count, from: &reader)
        } catch {
            throw .wire(error)
        }
    }

    private static func readOperations(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> Operations {
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
        var payloads: [ByteStrings] = []
        var starts: [Int] = []
        var bytes: [UInt8] = []
        for (shape, count) in counts.enumerated() {
            guard count > 0, kinds[shape] <= UInt32(UInt8.max) else { throw .nonCanonical }
            let column = try PayloadColumn.read(count, from: &reader)
            starts.append(bytes.count)
            bytes.append(contentsOf: column.bytes)
            payloads.append(column)
            counts[shape] = 0
        }
        var names: [RecordID] = []
        var entries: [Operations.Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let shape = Int(numbers[index])
            if index == 0 || !records.areEqual(index - 1, index) {
                guard let record = RecordID(utf8: records[index]) else { throw .badText }
                names.append(record)
            }
            let range = payloads[shape].range(counts[shape])
            counts[shape] += 1
            entries.append(
                Operations.Entry(
                    shape: shape, record: names.count - 1, stampDelta: deltas[index],
                    payload: starts[shape] + range.lowerBound..<starts[shape] + range.upperBound))
        }
        return Operations(
            shapes: (0..<shapes).map { shape in
                Operations.Shape(
                    collection: collections[shape], generation: generations[shape],
                    field: fields[shape], kind: UInt8(truncatingIfNeeded: kinds[shape]))
            },
            records: names, entries: entries, bytes: bytes)
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
