/// One lexical piece of a Swift file; comments other than documentation leave no token.
struct Token: Equatable {
    enum Kind {
        case identifier
        case rawIdentifier
        case number
        case punctuation
        case string
        case documentation
    }

    let kind: Kind
    /// The text without backticks; empty for strings, whose content is nobody's code.
    let text: String
    /// The line it starts on, from 1.
    let line: Int
    /// Whether white space, a comment or the start of the file comes just before.
    let spaced: Bool

    func isWord(_ word: String) -> Bool { kind == .identifier && text == word }

    func isMark(_ mark: String) -> Bool { kind == .punctuation && text == mark }
}
