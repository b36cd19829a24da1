/// The part of a text before some place, as far as it says where the next character starts.
///
/// It follows Unicode Standard Annex 29 by the standard library's own recognizer, so that it finds
/// the characters that `String` has. Texts whose states are equal go on alike.
enum CharacterState: Equatable, Sendable {
    /// The start of the text.
    case start
    /// A plain scalar, with which a character starts.
    case plain(Unicode.Scalar)
    /// Anything else.
    case other(Unicode._CharacterRecognizer)

    /// Takes in the next scalar; true if a character starts with it.
    mutating func starts(_ scalar: Unicode.Scalar) -> Bool {
        let isPlain = scalar.isPlain
        switch self {
        case .start:
            self = isPlain ? .plain(scalar) : .other(Self.recognizer(after: scalar))
            return true
        case .plain(let last):
            if isPlain {
                self = .plain(scalar)
                return true
            }
            var recognizer = Self.recognizer(after: last)
            let isBreak = recognizer.hasBreak(before: scalar)
            self = .other(recognizer)
            return isBreak
        case .other(var recognizer):
            let isBreak = recognizer.hasBreak(before: scalar)
            self = isBreak && isPlain ? .plain(scalar) : .other(recognizer)
            return isBreak
        }
    }

    private static func recognizer(after first: Unicode.Scalar) -> Unicode._CharacterRecognizer {
        var recognizer = Unicode._CharacterRecognizer()
        _ = recognizer.hasBreak(before: first)
        return recognizer
    }
}
