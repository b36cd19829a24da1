import LinnetWire

/// A place in a text that sticks to a character, so that it stays there whatever others write.
///
/// It names one Unicode scalar and a side of it, or an end of the text. Once the scalar is deleted,
/// the cursor is where it was. The text of a cursor can be kept and sent to other devices.
public struct TextCursor: Hashable, Sendable {
    /// The side of its scalar on which a cursor is.
    public enum Side: UInt8, Sendable {
        /// Before the scalar: what is typed right there comes before the cursor.
        case before = 0
        /// After the scalar: what is typed right there comes after the cursor.
        case after = 1
    }

    /// The scalar; nil for an end of the text.
    package let anchor: TextID?
    /// The side of the scalar. Without one the cursor is before the end, or after the start.
    public let side: Side

    /// Names a side of a scalar.
    package init(_ side: Side, _ anchor: TextID?) {
        self.side = side
        self.anchor = anchor
    }

    /// The start of any text.
    public static let start = TextCursor(.after, nil)
    /// The end of any text.
    public static let end = TextCursor(.before, nil)
}

extension TextCursor: LosslessStringConvertible {
    /// The text of the cursor, of at most 72 ASCII characters.
    public var description: String {
        guard let anchor else { return self == .start ? "start" : "end" }
        let (position, letter) = (anchor.position, side == .before ? "b" : "a")
        return "\(letter).\(position.chain).\(position.seq).\(position.index).\(anchor.offset)"
    }

    /// Reads the text of a cursor; nil for any other text.
    public init?(_ description: String) {
        switch description {
        case "start": self = .start
        case "end": self = .end
        default:
            let parts = description.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0] == "a" || parts[0] == "b",
                let chain = Hex.decode(String(parts[1])).flatMap(AuthorID.init),
                let seq = UInt64(parts[2]), seq <= Int64.max, let index = UInt32(parts[3]),
                let offset = UInt32(parts[4])
            else { return nil }
            let position = Position(chain: chain, seq: seq, index: index)
            self.init(
                parts[0] == "b" ? .before : .after, TextID(position: position, offset: offset))
            // A number has one form, so that equal cursors have equal texts.
            guard self.description == description else { return nil }
        }
    }
}

extension TextCursor: Codable {
    /// Reads its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = TextCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "this is not the text of a cursor")
        }
        self = cursor
    }

    /// Writes its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The place at which a cursor is.
public struct CursorPlace: Equatable, Sendable {
    /// The length of the text before it, in the unit that was asked for.
    public let offset: Int
    /// True when the character to which the cursor sticks was deleted.
    public let isDeleted: Bool

    /// Joins the parts.
    package init(offset: Int, isDeleted: Bool) {
        self.offset = offset
        self.isDeleted = isDeleted
    }
}
