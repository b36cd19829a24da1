/// A set of records of one log, by the places in which they came in.
struct RecordSet: Equatable, Sendable {
    private var words: [UInt64] = []

    /// The number of records that it holds.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    func contains(_ place: Int) -> Bool {
        let word = place / 64
        return word < words.count && words[word] >> UInt64(place % 64) & 1 == 1
    }

    mutating func insert(_ place: Int) {
        let word = place / 64
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(place % 64)
    }

    mutating func formUnion(_ other: RecordSet) {
        if other.words.count > words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }
}
