/// The pattern that makes doses due.
public enum Pattern: Hashable, Sendable {
    /// Times of the day, ascending.
    case times([DoseTime])
    /// A number of hours after the last one, wherever one is, beginning at an instant.
    case interval(hours: Int, anchor: Instant)
    /// Only the need: nothing is ever due.
    case asNeeded
}
