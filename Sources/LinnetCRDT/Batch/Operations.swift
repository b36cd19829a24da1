import LinnetWire

/// The operations of a batch in order: what many of them share stands once, and their payloads lie
/// in one buffer, so that a batch is a handful of arrays however many operations it has.
package struct Operations: Sendable {
    /// What an operation is, apart from its record, its time and its payload.
    package struct Shape: Equatable, Sendable {
        /// Number of the collection.
        package let collection: UInt32
        /// The record's generation that the operation belongs to.
        package let generation: UInt32
        /// Number of the field, 0 for operations on the record as a whole.
        package let field: UInt32
        /// Number of the kind, perhaps unknown.
        package let kind: UInt8
    }

    /// Where the parts of one operation are.
    package struct Entry: Sendable {
        /// Index of its shape.
        package let shape: Int
        /// Index of its record; operations that follow one another on one record share it.
        package let record: Int
        /// Steps from the batch's base stamp to the operation's stamp.
        package let stampDelta: UInt64
        /// Its payload in the buffer.
        package let payload: Range<Int>
    }

    /// The shapes that occur.
    package private(set) var shapes: [Shape] = []
    /// The records, each run of operations on one of them.
    package private(set) var records: [RecordID] = []
    /// The operations in order.
    package private(set) var entries: [Entry] = []
    /// The payloads, each one canonical CBOR item.
    package private(set) var bytes: [UInt8] = []

    /// No operation.
    package init() {}

    /// Takes over parts that fit together.
    init(shapes: [Shape], records: [RecordID], entries: [Entry], bytes: [UInt8]) {
        self.shapes = shapes
        self.records = records
        self.entries = entries
        self.bytes = bytes
    }

    /// The operations of a sequence.
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
    /// How many operations there are.
    package var endIndex: Int { entries.count }

    /// One operation with a payload of its own.
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
    /// Whether they are the same operations in the same order.
    package static func == (left: Operations, right: Operations) -> Bool {
        left.elementsEqual(right)
    }
}
