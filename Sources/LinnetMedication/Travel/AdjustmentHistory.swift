package import LinnetCRDT
import LinnetWire

/// The line of timings that the adjustments of one schedule add up to.
///
/// The schedule's timing is one value that the last writer wins. It names the adjustment that made
/// it, each adjustment the timing before it: this line back is what applied. Adjustments beside
/// the line were decided without knowing of each other and lost.
package struct AdjustmentHistory: Hashable, Sendable {
    /// The timings that applied before, the oldest first.
    package let earlier: [Schedule.Earlier]
    /// The adjustments that lost against others, in the order in which they were decided.
    package let superseded: [Adjustment]
    /// Of these, those that decided something else, and that nobody knew of who has decided since.
    package let unsettled: [Adjustment]
    /// The adjustment that made the timing of now; nil for a timing that was never changed.
    package let current: Adjustment?
    /// The zone for which the person last decided how to go on; nil before the first decision.
    package let decidedZone: String?
    /// False while an adjustment of the line is not here; what applied before it is then unknown.
    package let isComplete: Bool

    /// The history that leads to a timing; adjustments of other schedules are passed over.
    package init(schedule: RecordID, timing: Timing, adjustments: [Adjustment]) {
        var others = OrderedTable<RecordID, Adjustment>(
            adjustments.filter { $0.schedule == schedule }.map { ($0.id, $0) })
        var line: [Adjustment] = []
        var next = timing.adjustment
        // Each is taken out of the table, so that names in a circle come to an end.
        while let id = next, let adjustment = others[id] {
            others[id] = nil
            line.append(adjustment)
            next = adjustment.before.timing.adjustment
        }
        earlier = line.reversed().map(\.before)
        let lost = others.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        superseded = lost
        let settled = OrderedSet(line.flatMap(\.settles))
        unsettled = lost.filter { adjustment in
            !settled.contains(adjustment.id) && !line.contains { $0.decidesLike(adjustment) }
        }
        current = line.first
        decidedZone = line.first { $0.zoneChange != nil }?.zone
        isComplete = next == nil
    }
}
