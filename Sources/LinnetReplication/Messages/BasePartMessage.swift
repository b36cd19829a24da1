import LinnetCRDT
import LinnetWire

/// The receiver asks for the next part of a base.
struct BaseGetMessage: Equatable, Sendable {
    let base: Bytes16
    /// The batches at floors that came already.
    let batches: Int
    /// The last record that came whole; nil where none did.
    let after: RecordKey?
    /// The bytes that came of the record behind it.
    let offset: Int

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(after == nil ? 3 : 5)
        writer.bytes(base)
        writer.unsigned(UInt64(batches))
        writer.unsigned(UInt64(offset))
        if let after {
            writer.unsigned(UInt64(after.collection))
            writer.bytes(after.record.utf8)
        }
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BaseGetMessage {
        var reader = CBORReader(body)
        let count = try reader.array(max: 5)
        guard count == 3 || count == 5 else { throw .badLength }
        let base = try reader.bytes16()
        let batches = Int(try reader.unsigned(max: UInt64(VectorListing.chainsMaximum)))
        let offset = Int(try reader.unsigned(max: UInt64(Int32.max)))
        let after = count == 5 ? try RecordKey(from: &reader) : nil
        try reader.finish()
        return BaseGetMessage(base: base, batches: batches, after: after, offset: offset)
    }
}

/// A part of a base: first the batches at its floors, in their order, then its records, in theirs.
struct BasePartMessage: Equatable, Sendable {
    /// A record, or a piece of one that is too large for a part.
    struct Piece: Equatable, Sendable {
        let key: RecordKey
        let scope: ScopeID
        /// The bytes of the whole record.
        let length: Int
        let bytes: [UInt8]
    }

    let base: Bytes16
    /// Whole batches, as messages of form 0.
    let batches: [[UInt8]]
    let pieces: [Piece]
    /// True when the base ends here.
    let isLast: Bool

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.bytes(base)
        writer.array(batches.count)
        for batch in batches { writer.bytes(batch) }
        writer.array(pieces.count)
        for piece in pieces {
            writer.array(5)
            writer.unsigned(UInt64(piece.key.collection))
            writer.bytes(piece.key.record.utf8)
            writer.bytes(piece.scope)
            writer.unsigned(UInt64(piece.length))
            writer.bytes(piece.bytes)
        }
        writer.bool(isLast)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BasePartMessage {
        var reader = CBORReader(body, maxItems: Limits.messageBytes)
        try reader.array(exactly: 4)
        let base = try reader.bytes16()
        var batches: [[UInt8]] = []
        for _ in 0..<(try reader.array(max: VectorListing.chainsMaximum)) {
            batches.append(try reader.bytes(max: Limits.messageBytes))
        }
        var pieces: [Piece] = []
        for _ in 0..<(try reader.array(max: Limits.messageBytes)) {
            try reader.array(exactly: 5)
            let key = try RecordKey(from: &reader)
            let scope = try reader.bytes16()
            let length = Int(try reader.unsigned(max: UInt64(Limits.baseRecordBytes)))
            let bytes = try reader.bytes(max: Limits.basePartBytes)
            guard !bytes.isEmpty, bytes.count <= length else { throw .badLength }
            pieces.append(Piece(key: key, scope: scope, length: length, bytes: bytes))
        }
        let isLast = try reader.bool()
        try reader.finish()
        return BasePartMessage(base: base, batches: batches, pieces: pieces, isLast: isLast)
    }
}

extension RecordKey {
    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        let collection = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        let bytes = try reader.bytes(max: Limits.recordIDBytes)
        guard let record = RecordID(utf8: bytes[...]) else { throw .badLength }
        self.init(collection: collection, record: record)
    }
}
