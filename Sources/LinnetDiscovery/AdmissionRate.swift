/// A bucket of permits that fills evenly: so many at once, so many a minute.
package struct AdmissionRate: Equatable {
    private let perMinute: Int64
    /// Permits in units of 1/60,000, so that a millisecond adds a whole number of them.
    private var permits: Int64
    private var filledMilliseconds: Int64?

    private static let permit: Int64 = 60_000

    /// A full bucket of `perMinute` permits.
    package init(perMinute: Int) {
        self.perMinute = Int64(perMinute)
        permits = Int64(perMinute) * Self.permit
    }

    /// Takes one permit if there is one; time that goes backwards adds nothing.
    package mutating func take(atMilliseconds now: Int64) -> Bool {
        let elapsed = min(max(0, now - (filledMilliseconds ?? now)), 60_000)
        permits = min(perMinute * Self.permit, permits + elapsed * perMinute)
        filledMilliseconds = now
        guard permits >= Self.permit else { return false }
        permits -= Self.permit
        return true
    }

    /// The time of the next permit, in the caller's milliseconds.
    package var nextMilliseconds: Int64 {
        let missing = max(0, Self.permit - permits)
        return (filledMilliseconds ?? 0) + (missing + perMinute - 1) / perMinute
    }
}
