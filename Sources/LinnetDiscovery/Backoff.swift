/// The pauses between attempts to reach the daemon: doubling, with a ceiling.
package struct Backoff: Equatable {
    private let firstMilliseconds: Int64
    private let ceilingMilliseconds: Int64
    private var nextMilliseconds: Int64

    /// Pauses from the first to the ceiling.
    package init(firstMilliseconds: Int64, ceilingMilliseconds: Int64) {
        self.firstMilliseconds = firstMilliseconds
        self.ceilingMilliseconds = ceilingMilliseconds
        nextMilliseconds = firstMilliseconds
    }

    /// The pause to make now; the one after is twice as long.
    package mutating func pauseMilliseconds() -> Int64 {
        defer { nextMilliseconds = min(ceilingMilliseconds, nextMilliseconds * 2) }
        return nextMilliseconds
    }

    /// Starts again from the first pause.
    package mutating func reset() { nextMilliseconds = firstMilliseconds }
}
