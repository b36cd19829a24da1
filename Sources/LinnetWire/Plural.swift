/// Writes how many of something there are, in English words.
package enum Plural {
    /// Returns the number and the word for it: "1 batch", "2 batches", "0 batches".
    ///
    /// - Parameters:
    ///   - count: how many there are.
    ///   - one: the word for one of them.
    ///   - many: the word for several; nil appends an s.
    package static func of(
        _ count: some BinaryInteger, _ one: String, _ many: String? = nil
    ) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }

    /// Returns the number of batches.
    package static func batches(_ count: some BinaryInteger) -> String {
        of(count, "batch", "batches")
    }
}
