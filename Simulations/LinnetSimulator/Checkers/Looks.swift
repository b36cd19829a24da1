/// The events of a run after which all records of every device are looked at.
///
/// A look costs what there is by then, so that looks lie further apart the longer a run lasts; in
/// the runs of a swarm, which have some ten thousand events, all are equally close.
struct Looks {
    private static let eventsBetween = 1_000
    private static let looksAtEachDistance = 16

    /// The number of looks so far.
    private(set) var count = 0
    private var next = eventsBetween

    /// Returns true when the next look is due, and counts it.
    mutating func isDue(after events: Int) -> Bool {
        guard events >= next else { return false }
        count += 1
        next = events + Self.eventsBetween * (1 + count / Self.looksAtEachDistance)
        return true
    }
}
