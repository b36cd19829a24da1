/// The size of a piece of text in the units that are not scalars.
struct TextMeasure: Equatable, Sendable {
    /// The number of its scalars with which a character starts.
    var characters: UInt32 = 0
    /// The number of its UTF-16 code units.
    var utf16: UInt32 = 0

    // Sums wrap rather than trap, since 2^32 units do not fit in memory.
    static func - (left: TextMeasure, right: TextMeasure) -> TextMeasure {
        TextMeasure(
            characters: left.characters &- right.characters, utf16: left.utf16 &- right.utf16)
    }

    static func += (left: inout TextMeasure, right: TextMeasure) {
        left.characters &+= right.characters
        left.utf16 &+= right.utf16
    }
}
