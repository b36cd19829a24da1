/// The table of plain scalars with one bit for each.
enum PlainBits {
    /// The bits of U+0000 to U+3FFFF, those of 64 scalars in each word, the first one lowest.
    static let words: [UInt64] = {
        var words = [UInt64](repeating: 0, count: 0x40000 / 64)
        var value = 0
        for (place, length) in PlainScalars.lengths.enumerated() {
            let end = value + Int(length)
            while place % 2 == 1, value < end {
                let whole = value & 63 == 0 && end - value >= 64
                words[value >> 6] |= whole ? .max : 1 << UInt64(value & 63)
                value += whole ? 64 : 1
            }
            value = end
        }
        return words
    }()
}

extension Unicode.Scalar {
    /// True when a character (Unicode Standard Annex 29) always ends between this scalar and
    /// another such one.
    ///
    /// It is so for all scalars below U+40000 that the standard library knew when the table was
    /// made, but for those of classes that join others: combining marks, joiners, prepended marks,
    /// regional indicators, jamo, and the carriage return.
    var isPlain: Bool {
        if value < 0x300 { return value != 0x0d }
        guard value < 0x40000 else { return false }
        return PlainBits.words[Int(value >> 6)] & (1 << UInt64(value & 63)) != 0
    }

    /// True when it is plain and one UTF-16 code unit.
    var isEven: Bool { value < 0x10000 && isPlain }
}
