import LinnetMedication

/// For how long a face states what it was told, by kind of fact.
///
/// Past a bound the face says that it does not know; it never goes on stating the fact.
public struct FaceFreshness: Equatable, Sendable {
    /// For how long what becomes of doses is stated (taken, due now, missed), in milliseconds.
    public var standingMilliseconds: Int64 = 3_600_000
    /// For how long the plan is stated (which dose comes when), in milliseconds.
    public var planMilliseconds: Int64 = 6 * 3_600_000
    /// For how long the adherence of a week is stated, in milliseconds.
    public var adherenceMilliseconds: Int64 = 3 * 3_600_000

    /// The usual bounds.
    public init() {}

    /// The age at which an app that runs leaves another snapshot although nothing changed, in
    /// milliseconds: half of the shortest bound, so that a face that is read says something.
    public var renewalMilliseconds: Int64 {
        min(standingMilliseconds, planMilliseconds, adherenceMilliseconds) / 2
    }

    /// Returns the instants at which the facts of a snapshot grow stale.
    func bounds(of snapshot: FaceSnapshot) -> FaceBounds {
        let bound = { (age: Int64) in
            min(snapshot.asOf.advanced(byMilliseconds: age), snapshot.expires)
        }
        return FaceBounds(
            standing: bound(min(standingMilliseconds, planMilliseconds)),
            plan: bound(planMilliseconds), adherence: bound(adherenceMilliseconds))
    }
}

/// From when kinds of facts may not be stated.
struct FaceBounds {
    let standing: Instant
    let plan: Instant
    let adherence: Instant
}
