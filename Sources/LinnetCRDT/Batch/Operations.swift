/// The operations of a batch in order. The parts that many of them share stand once, and their
/// payloads lie in one buffer, so that a batch is a handful of arrays however many operations it
/// has.
package struct Operations: Sendable {
    /// The parts of an operation apart from its record, its time and its payload.
    package struct Shape: Equatable, Sendable {
        /// The number of the collection.
        package let collection: UInt32
        /// The record's generation that the operation belongs to.
        package let generation: UInt32
        /// The number of the field; 0 for operations on the record as a whole.
        package let field: UInt32
        /// The number of the kind, which may be unknown.
        package let kind: UInt8
    }

    /// One operation, with the places of its parts.
    package struct Entry: Sendable {
        private let shapeIndex: UInt32
        private let recordIndex: UInt32
        private let start: UInt32
        private let end: UInt32
        /// The steps from the batch's base stamp to the operation's stamp.
        package let stampDelta: UInt64

        /// Joins the places, each of which is far below 2^32 in any batch.
        init(shape: Int, record: Int, stampDelta: UInt64, payload: Range<Int>) {
            (shapeIndex, recordIndex) = (UInt32(shape), UInt32(record))
            (start, end) = (UInt32(payload.lowerBound), UInt32(payload.upperBound))
            self.stampDelta = stampDelta
        }

        /// The index of its shape.
        package var shape: Int { Int(shapeIndex) }
        /// The index of its record, which operations that follow one another on one record share.
        package var record: Int { Int(recordIndex) }
        /// The range of its payload in the buffer.
        package var payload: Range<Int> { Int(start)..<Int(end) }
    }

    /// The shapes that occur.
    package private(set) var shapes: [Shape] = []
    /// The records: one for each run of operations on it.
    package private(set) var records: [RecordID] = []
    /// The operations in order.
    package private(set) var entries: [Entry] = []
    /// The payloads, each one canonical CBOR item.
    package private(set) var bytes: [UInt8] = []

    /// Returns the bytes that some of them add to what they are merged into, approximately.
    package func weight(of run: Range<Int>) -> Int {
        entries[run].reduce(0) { $0 + 64 + $1.payload.count }
    }

    /// The bytes that they carry: 16 for each, the payloads, and the record identifiers.
    var decodedBytes: Int {
        bytes.count + 16 * entries.count + records.reduce(0) { $0 + $1.utf8.count }
    }

    /// The memory that the operations take, in bytes, approximately.
    var footprint: Int {
        bytes.count + 48 * entries.count + 16 * shapes.count
            + records.reduce(0) { $0 + 40 + $1.utf8.count }
    }

    /// Makes an empty sequence of operations.
    package init() {}

    /// Takes over parts that fit together.
    init(shapes: [Shape], records: [RecordID], entries: [Entry], bytes: [UInt8]) {
        self.shapes = shapes
        self.records = records
        self.entries = entries
        self.bytes = bytes
    }

    /// Takes the operations of a sequence.
    package init(_ operations: some Sequence<Operation>) {
        for operation in operations { append(operation) }
    }

    /// Adds an operation after the others.
    package mutating func append(_ operation: Operation) {
        let start = bytes.count
        bytes.append(contentsOf: operation.payload)
        if records.last != operation.record { records.append(operation.record) }
        let shape = Shape(
            collection: operation.collection, generation: operation.generation,
            field: operation.field, kind: operation.kind)
        entries.append(
            Entry(
                shape: index(of: shape), record: records.count - 1,
                stampDelta: operation.stampDelta, payload: start..<bytes.count))
    }

    private mutating func index(of shape: Shape) -> Int {
        // Rows follow one another field by field, or one field is written in every row: the next
        // shape and the last one are good guesses.
        if let last = entries.last?.shape {
            let next = last + 1 < shapes.count ? last + 1 : 0
            if shapes[next] == shape { return next }
            if shapes[last] == shape { return last }
        }
        if let known = shapes.firstIndex(of: shape) { return known }
        shapes.append(shape)
        return shapes.count - 1
    }
}

extension Operations: RandomAccessCollection {
    /// Always 0.
    package var startIndex: Int { 0 }
    /// The number of operations.
    package var endIndex: Int { entries.count }

    /// One operation, with a copy of its payload.
    package subscript(index: Int) -> Operation {
        let entry = entries[index]
        let shape = shapes[entry.shape]
        return Operation(
            collection: shape.collection, record: records[entry.record],
            generation: shape.generation, field: shape.field, kind: shape.kind,
            stampDelta: entry.stampDelta, payload: Array(bytes[entry.payload]))
    }
}

extension Operations: Equatable {
    /// Returns true when both hold the same operations in the same order.
    package static func == (left: Operations, right: Operations) -> Bool {
        left.elementsEqual(right)
    }
}
