import LinnetReplication
import LinnetWire

/// Two devices that were near each other undisturbed hold the same when they part.
///
/// The healed fleet would converge in the end even if one kind of meeting brought nothing.
final class MeetingsBringTogether: Checker {
    let invariant = Invariant.convergence
    let sights: [Sight.Kind] = [.parted]
    private let known: Knowledge

    /// The time that a meeting must have lasted, with nothing new coming, to be judged.
    private static let meetingMilliseconds: Int64 = 10_000
    private static let quietMilliseconds: Int64 = 4_000

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .parted(let meeting, isWhole: true) = sight, meeting.weather.isCalm,
            meeting.weather.latency.upperBound < 100, !meeting.wasDisturbed,
            meeting.lasting >= Self.meetingMilliseconds, known.catalogue.forkedRoots.isEmpty,
            !known.forksAllowed
        else { return }
        let (left, right) = (known.views[meeting.left], known.views[meeting.right])
        for view in [left, right] {
            guard !view.past.hasRotted, view.promised.relaxed.isEmpty,
                known.now - view.changedAt >= Self.quietMilliseconds
            else { return }
        }
        let missing = left.held.subtracting(right.held) + right.held.subtracting(left.held)
        guard let first = missing.first else { return }
        throw violation(
            "two devices met for \(meeting.lasting) ms and one still lacks batch "
                + known.describe(first), on: meeting.left, meeting.right)
    }
}
