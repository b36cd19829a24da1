import LinnetCRDT
import LinnetWire

/// A schema's text as the records that carry it: pieces that a batch has room for, under
/// identifiers which are the same on every device that publishes the text.
struct SchemaPieces {
    /// The records, in the order of their pieces.
    let writes: [Write]

    init(of text: [UInt8], named name: Bytes16) {
        let size = Limits.schemaPieceBytes
        let count = (text.count + size - 1) / size
        writes = (0..<count).map { index in
            let piece = Array(text[index * size..<min(text.count, (index + 1) * size)])
            return Write(
                RecordKey(collection: Schema.published.id, record: Self.record(index, of: name)),
                [
                    .insert([
                        FieldValues(Schema.PieceFields.count, [.int(Int64(count))]),
                        FieldValues(Schema.PieceFields.piece, [.bytes(piece)]),
                    ])
                ])
        }
    }

    private static func record(_ index: Int, of name: Bytes16) -> RecordID {
        let digits = String(index + 1)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let id = RecordID("\(name)/\(padded)") else {
            preconditionFailure("hexadecimal digits and a number are a record identifier")
        }
        return id
    }
}

/// Puts texts together again from records that come in the order of their identifiers.
struct SchemaGathering {
    /// The texts that are whole.
    private(set) var texts: [[UInt8]] = []
    private var name = ""
    private var count: Int64 = 0
    private var next: Int64 = 1
    private var text: [UInt8] = []
    private var bytes = 0

    /// Whether no more is read.
    var isFull: Bool { texts.count >= Limits.schemas || bytes >= Limits.schemaTotalBytes }

    /// Takes the next record; `named` gives a text the name that its pieces must bear.
    mutating func take(_ view: RecordView, named: ([UInt8]) -> Bytes16?) {
        let parts = view.id.description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 4, let number = Int64(parts[1]),
            case .int(let count)? = view.value(Schema.PieceFields.count),
            case .bytes(let piece)? = view.value(Schema.PieceFields.piece),
            count >= 1, count <= Int64(Limits.schemaPieces),
            piece.count <= Limits.schemaPieceBytes
        else { return }
        if number == 1 { (name, self.count, next, text) = (String(parts[0]), count, 1, []) }
        guard parts[0] == name, count == self.count, number == next else { return }
        next += 1
        text += piece
        guard number == count else { return }
        bytes += text.count
        if named(text)?.description == name { texts.append(text) }
        text = []
    }
}

extension RecordView {
    /// The first value of a field; nil where the field does not show.
    fileprivate func value(_ field: UInt32) -> Value? {
        fields.first { $0.field == field }?.values.first
    }
}
