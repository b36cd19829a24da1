import LinnetCRDT
import LinnetWire

/// One piece of a schema's text, with the name of the text that follows it.
struct SchemaPiece: Equatable {
    private typealias Fields = Schema.PieceFields

    let bytes: [UInt8]
    /// The name of the text that follows; nil for the last piece.
    let rest: Bytes16?

    /// The bytes that the name of the text from this piece on is made from.
    var named: [UInt8] { bytes + (rest?.array ?? []) }

    /// The content of a record that carries it.
    var change: Change {
        let next = rest.map { [FieldValues(Fields.rest, [.bytes($0.array)])] } ?? []
        return .insert([FieldValues(Fields.piece, [.bytes(bytes)])] + next)
    }

    init(bytes: [UInt8], rest: Bytes16?) {
        self.bytes = bytes
        self.rest = rest
    }

    /// Reads a content of a record; nil for one that is not a piece.
    init?(payload: [UInt8]) {
        guard let cells = try? LogCell.decode(payload),
            let first = cells.first, first.field == Fields.piece,
            case .bytes(let bytes)? = try? Value.decode(first.payload),
            !bytes.isEmpty, bytes.count <= Limits.schemaPieceBytes
        else { return nil }
        self.bytes = bytes
        guard cells.count == 2 else {
            guard cells.count == 1 else { return nil }
            rest = nil
            return
        }
        guard cells[1].field == Fields.rest,
            case .bytes(let name)? = try? Value.decode(cells[1].payload),
            let rest = Bytes16(name), bytes.count == Limits.schemaPieceBytes
        else { return nil }
        self.rest = rest
    }
}

/// A schema's text as the records that carry it: pieces that a batch has room for, under
/// identifiers that are the same on every device which publishes the text. Each piece names the
/// text that follows it, so that each is proven by itself, whatever else anybody wrote under its
/// identifier.
struct SchemaPieces {
    /// The pieces with their identifiers, in order; none for an empty text.
    let records: [(id: RecordID, piece: SchemaPiece)]

    /// Cuts a text; `name` names bytes within the group.
    init(of text: [UInt8], _ name: ([UInt8]) -> Bytes16) {
        let size = Limits.schemaPieceBytes
        var pieces: [SchemaPiece] = []
        var rest: Bytes16?
        for start in stride(from: 0, to: text.count, by: size).reversed() {
            let piece = SchemaPiece(
                bytes: Array(text[start..<min(text.count, start + size)]), rest: rest)
            pieces.append(piece)
            rest = name(piece.named)
        }
        let whole = rest ?? .zero
        records = pieces.reversed().enumerated().map { (Self.record($0, of: whole), $1) }
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

/// The assembly of texts from records that come in the order of their identifiers.
struct SchemaGathering {
    /// The texts that are whole.
    private(set) var texts: [[UInt8]] = []
    private var name = ""
    private var next: Int64 = 1
    /// The name of the text that has to follow; nil when nothing does.
    private var expected: Bytes16?
    private var text: [UInt8] = []
    private var bytes = 0

    /// True when no more is read.
    var isFull: Bool { texts.count >= Limits.schemas || bytes >= Limits.schemaTotalBytes }

    /// Takes the next record with the contents that were written under its identifier, and of these
    /// uses the one that the text's name proves. `named` gives bytes their name.
    mutating func take(
        _ record: RecordID, _ contents: [[UInt8]], named: ([UInt8]) -> Bytes16?
    ) {
        let parts = record.description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 4, let number = Int64(parts[1]),
            number <= Limits.schemaPieces
        else { return }
        if number == 1 {
            (name, next, text) = (String(parts[0]), 1, [])
            expected = Hex.decode(name).flatMap { Bytes16($0) }
        }
        guard parts[0] == name, number == next, let proof = expected else { return }
        expected = nil
        let pieces = contents.lazy.compactMap { SchemaPiece(payload: $0) }
        guard let piece = pieces.first(where: { named($0.named) == proof }) else { return }
        text += piece.bytes
        (next, expected) = (next + 1, piece.rest)
        guard piece.rest == nil else { return }
        bytes += text.count
        texts.append(text)
    }
}
