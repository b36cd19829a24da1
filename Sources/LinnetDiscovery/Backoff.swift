/// The pauses between attempts to reach the daemon: doubling, with a ceiling.
struct Backoff: Equatable {
    private let firstMilliseconds: Int64
    private let ceilingMilliseconds: Int64
    private var nextMilliseconds: Int64

    /// Pauses from the first to the ceiling.
    init(firstMilliseconds: Int64, ceilingMilliseconds: Int64) {
        self.firstMilliseconds = firstMilliseconds
        self.ceilingMilliseconds = ceilingMilliseconds
        nextMilliseconds = firstMilliseconds
    }

    /// The pause to make now; the one after is twice as long.
    mutating func pauseMilliseconds() -> Int64 {
        defer { nextMilliseconds = min(ceilingMilliseconds, nextMilliseconds * 2) }
        return nextMilliseconds
    }

    /// Starts again from the first pause.
    mutating func reset() { nextMilliseconds = firstMilliseconds }
}
