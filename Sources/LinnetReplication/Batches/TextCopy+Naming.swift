package import LinnetCRDT
import LinnetCrypto
import LinnetWire

extension TextCopy {
    /// The number of scalars in one piece; they fit into a payload whatever they are.
    static let scalarsPerPiece = 8_192

    /// Returns a text as insertions that hang on one another, which are the same wherever it is
    /// copied.
    package static func pieces(of text: String) -> [TextCopy] {
        var pieces: [TextCopy] = []
        var rest = text.unicodeScalars[...]
        var parent: TextID?
        while !rest.isEmpty {
            let part = rest.prefix(scalarsPerPiece)
            rest = rest.dropFirst(part.count)
            let insertion = TextInsertion(
                parent: parent, side: .right, string: String(String.UnicodeScalarView(part)))
            guard let name = name(of: insertion) else { return pieces }
            let piece = TextCopy(name: name, insertion: insertion)
            pieces.append(piece)
            parent = TextID(position: piece.position, offset: UInt32(part.count - 1))
        }
        return pieces
    }

    /// True when the name is the hash of the rest. Otherwise two insertions could share a name, and
    /// replicas that got them in different orders would differ.
    package var isNamedByItsText: Bool { TextCopy.name(of: insertion) == name }

    private static func name(of insertion: TextInsertion) -> AuthorID? {
        guard let bytes = try? insertion.encoded() else { return nil }
        return AuthorID(Hash.blake2b(.textCopy, bytes, count: 16))
    }
}
