/// The words that a command takes at each place, read from its help such as
/// `DEVICE admin|member` or `show | check FILE`.
struct WordPattern {
    /// One thing that may stand at a place.
    enum Element: Equatable {
        /// One of these words, as they are.
        case literals([String])
        /// Something else, under the name that help gives it.
        case named(String)
    }

    private let alternatives: [[Element]]

    init(_ words: String) {
        let plain = String(words.filter { $0 != "[" && $0 != "]" })
        var alternatives: [[Element]] = [[]]
        for word in plain.split(separator: " ") {
            if word == "|" {
                alternatives.append([])
            } else {
                alternatives[alternatives.count - 1].append(Self.element(word))
            }
        }
        self.alternatives = alternatives
    }

    /// Returns what may come after these words.
    func next(after words: some Collection<String>) -> [Element] {
        alternatives.compactMap { alternative in
            let known = zip(alternative, words).allSatisfy { element, word in
                if case .literals(let choices) = element { choices.contains(word) } else { true }
            }
            guard known, let last = alternative.last else { return nil }
            if words.count < alternative.count { return alternative[words.count] }
            return Self.repeats(last) ? last : nil
        }
    }

    private static func element(_ word: Substring) -> Element {
        let choices = word.split(separator: "|").map(String.init)
        let areLiteral = choices.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
        return areLiteral ? .literals(choices) : .named(String(word))
    }

    private static func repeats(_ element: Element) -> Bool {
        guard case .named(let name) = element else { return false }
        return name.hasSuffix("…") || name.hasSuffix("...")
    }
}
