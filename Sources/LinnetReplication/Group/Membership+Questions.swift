import LinnetMembership
import LinnetWire

extension Membership {
    /// The time at which this device has to act, in uptime milliseconds; nil for never.
    var nextDeadline: Int64? { [rotationDue, acceptanceDue].compactMap { $0 }.min() }

    /// Finds the questions that the log puts to the person, and when this device accepts the next
    /// member without her word.
    mutating func ask(_ log: MembershipLog, on device: DeviceID, at now: Moment) {
        let all = GroupQuestions(log)
        let asked = all.all(for: device)
        questions.update(
            asked, over: all.over(questions.entries.keys, for: device), at: now.wallMilliseconds)
        let times = asked.filter { $0.matter == .admission }
            .compactMap { questions.acceptance(of: $0.record) }
        acceptanceDue = times.min().map { wall in
            let (wait, overflow) = wall.subtractingReportingOverflow(now.wallMilliseconds)
            let (due, isBeyond) = now.uptimeMilliseconds.addingReportingOverflow(max(0, wait))
            return overflow || isBeyond ? .max : due
        }
    }

    /// Accepts the members that nobody said anything against for long enough; returns true when the
    /// log grew.
    mutating func acceptDue(
        _ keys: borrowing DeviceKeys, at now: Moment, _ turn: inout Turn
    ) -> Bool {
        guard let log = group?.log else { return false }
        var isMore = false
        do throws(MembershipError) {
            for question in GroupQuestions(log).all(for: keys.device)
            where question.matter == .admission {
                guard let wall = questions.acceptance(of: question.record),
                    wall <= now.wallMilliseconds, let log = group?.log
                else { continue }
                let vote = try log.makeVote(isFor: true, question.record, keys: keys)
                if try author(vote, &turn) { isMore = true }
            }
        } catch {
            // The log is full for this device: its opinion is not worth a failure.
            return isMore
        }
        return isMore
    }
}
