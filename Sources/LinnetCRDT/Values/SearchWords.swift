/// The words that a search asks for.
package struct SearchWords: Equatable, Sendable {
    /// The words as UTF-8, each after one space.
    private let words: [[UInt8]]

    /// Takes the words of a text.
    package init(_ text: String) {
        words = SearchText.words(text).map { [SearchText.space] + Array($0.utf8) }
    }

    /// Returns true when each of the words begins a word of a text; true of all texts when there is
    /// no word.
    package func match(_ text: String) -> Bool {
        if words.isEmpty { return true }
        let folded = SearchText.folded(text)
        return words.allSatisfy { Self.contains(folded, $0) }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        var start = 0
        while start + part.count <= text.count {
            // A word begins after a space, and nowhere else.
            if text[start] == SearchText.space,
                text[start..<start + part.count].elementsEqual(part)
            {
                return true
            }
            start += 1
        }
        return false
    }
}
