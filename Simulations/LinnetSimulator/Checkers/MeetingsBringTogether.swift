import LinnetReplication
import LinnetWire

/// I2, in small: two devices that were near each other undisturbed hold the same when they part.
///
/// The healed fleet would converge in the end even if one kind of meeting brought nothing.
extension Inspector {
    /// How long a meeting must have lasted, and nothing new have come, to be judged.
    static let meetingMilliseconds: Int64 = 10_000
    static let quietMilliseconds: Int64 = 4_000

    func checkMeeting(_ meeting: Meeting, now: Int64) throws(Violation) {
        let both = [meeting.left, meeting.right]
        guard meeting.weather.isCalm, meeting.weather.latency.upperBound < 100,
            !meeting.wasDisturbed, meeting.lasting >= Self.meetingMilliseconds,
            catalogue.forkedRoots.isEmpty, !forksAllowed
        else { return }
        for device in both {
            let view = views[device]
            guard !view.hasRotted, view.relaxed.isEmpty,
                now - view.changedAt >= Self.quietMilliseconds
            else { return }
        }
        let (left, right) = (views[meeting.left].held, views[meeting.right].held)
        let missing = left.subtracting(right) + right.subtracting(left)
        guard let first = missing.first else { return }
        throw Violation(
            .convergence,
            "two devices met for \(meeting.lasting) ms and one still lacks batch "
                + describe(first), devices: both)
    }
}
