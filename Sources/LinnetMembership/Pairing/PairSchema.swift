import LinnetWire

/// The group's schema, which a member shows a newcomer that its person has accepted, and the
/// newcomer's answer, which is empty.
package struct PairSchema: Equatable, Sendable {
    /// The schema's text; empty where there is none.
    package let text: [UInt8]

    /// Carries a text; nil when it is longer than a group carries.
    package init?(text: [UInt8]) {
        guard text.count <= Limits.schemaPieces * Limits.schemaPieceBytes else { return nil }
        self.text = text
    }

    private init() { text = [] }

    /// The message that says nothing of a schema.
    package static let empty = PairSchema()

    /// The message body: the text in pieces.
    package func encode() -> [UInt8] {
        let size = Limits.schemaPieceBytes
        var writer = CBORWriter()
        writer.array((text.count + size - 1) / size)
        for start in stride(from: 0, to: text.count, by: size) {
            writer.bytes(Array(text[start..<min(text.count, start + size)]))
        }
        return writer.bytes
    }

    /// Reads a message body; throws unless every piece but the last is full and none is empty.
    package init(decoding body: [UInt8]) throws(MembershipError) {
        guard body.count <= Limits.messageBytes else { throw .malformed(.tooLarge) }
        text = try CanonicalForm.read(body) { (reader) throws(WireError) in
            var text: [UInt8] = []
            let count = try reader.array(max: Limits.schemaPieces)
            for index in 0..<count {
                let piece = try reader.bytes(max: Limits.schemaPieceBytes)
                let isFull = piece.count == Limits.schemaPieceBytes
                guard isFull || (index == count - 1 && !piece.isEmpty) else { throw .badLength }
                text += piece
            }
            return text
        }
    }
}
