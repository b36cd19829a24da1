/// The reason for giving up a measurement; the text says it to a person.
package struct BenchError: Error, Equatable, CustomStringConvertible {
    /// The reason in words.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws what is said unless something holds.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(BenchError) {
    if !holds { throw BenchError(otherwise()) }
}
