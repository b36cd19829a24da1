/// A set of facts by number.
struct FactSet: Equatable {
    private var words: [UInt64] = []
    private(set) var count = 0
    /// False once a batch was met that nobody can read yet, and so has no number.
    var isComplete = true

    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] >> UInt64(number & 63) & 1 == 1
    }

    @discardableResult
    mutating func insert(_ number: Int) -> Bool {
        let word = number >> 6
        while words.count <= word { words.append(0) }
        let bit: UInt64 = 1 << UInt64(number & 63)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    /// The numbers in this set and not in the other, ascending.
    func subtracting(_ other: FactSet) -> [Int] {
        var rest: [Int] = []
        for (index, word) in words.enumerated() {
            var left = word & ~(index < other.words.count ? other.words[index] : 0)
            while left != 0 {
                rest.append(index << 6 + left.trailingZeroBitCount)
                left &= left - 1
            }
        }
        return rest
    }
}
