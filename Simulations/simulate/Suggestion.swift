/// Guesses which word was meant.
enum Suggestion {
    /// The nearest of `candidates`; nil when none is near.
    static func best(for word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { ($0, distance(Array(word.utf8), Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(2, word.utf8.count / 3) ? best.0 : nil
    }

    /// "; did you mean …?", or nothing.
    static func hint(for word: String, among candidates: [String], prefix: String = "") -> String {
        best(for: word, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
    }

    /// The least number of letters to insert, remove or replace (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var above = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                current.append(
                    min(
                        above[column] + (letter == other ? 0 : 1), above[column + 1] + 1,
                        current[column] + 1))
            }
            above = current
        }
        return above[right.count]
    }
}
