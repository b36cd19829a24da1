/// Guesses the word that was meant.
package enum NearMiss {
    /// Returns the word among `candidates` that is nearest to `word`; nil when none is near.
    package static func best(for word: String, among candidates: [String]) -> String? {
        let word = Array(word.lowercased().utf8.prefix(64))
        guard !word.isEmpty else { return nil }
        let ranked = candidates.map { candidate in
            (candidate, distance(word, Array(candidate.lowercased().utf8.prefix(64))))
        }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(1, word.count / 3) ? best.0 : nil
    }

    /// Returns the least number of letters to insert, remove, replace, or exchange with their
    /// neighbour (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let cost = left[row] == right[column] ? 0 : 1
                var best = min(above[column] + cost, above[column + 1] + 1, current[column] + 1)
                if row > 0 && column > 0 && left[row] == right[column - 1]
                    && left[row - 1] == right[column]
                {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = above
            above = current
        }
        return above[right.count]
    }
}
