import LinnetDiscovery
import LinnetReplication
import LinnetWire

/// The desk of the one pairing that can be under way, and of the calls that wait for its end.
struct JoiningDesk: Desk {
    typealias Waiter = CheckedContinuation<Result<Device, LinnetError>, Never>

    enum Errand: Equatable {
        /// The candidates that were found so far are to be looked at.
        case choose
        /// The time of the pairing is over, unless it is extended.
        case end
    }

    /// The time in which more candidates may appear after the first, in milliseconds.
    private static let settlingMilliseconds: Int64 = 1_500

    private(set) var task: PairingTask?
    /// The result of the last pairing; nil before the first one, and during one.
    private(set) var last: Result<Device, LinnetError>?
    private var waiters: [Waiter] = []
    private var contradictions: [String] = []

    var nextDeadline: Int64? { task?.nextDeadline }

    /// True when a secret that was typed here is to be proven to a device that is not connected
    /// yet.
    var wantsToDial: Bool { task.map { !$0.isOffer && $0.link == nil } ?? false }

    mutating func begin(_ task: PairingTask) {
        self.task = task
        last = nil
        contradictions = []
    }

    mutating func wait(_ waiter: Waiter) { waiters.append(waiter) }

    /// Notes that the offer is announced under a name.
    mutating func announced(as name: InstanceName) { task?.instance = name }

    /// Notes that the pairing runs on this link.
    mutating func connected(on link: LinkID) { task?.link = link }

    /// Notes that the person is asked on a link: the code is used up, and the replica gives her
    /// a minute.
    mutating func asks(on link: LinkID) {
        task?.link = link
        task?.end = nil
    }

    /// Notes that a device that shows a code was found; others may follow at once.
    mutating func candidateFound(at now: Moment) {
        guard wantsToDial, task?.decision == nil else { return }
        task?.decision = now.uptimeMilliseconds + Self.settlingMilliseconds
    }

    /// Takes the secret that was typed, for the one link on which it is proven; nil when there is
    /// one already. From here on the replica's own limits hold, the person's minute among them.
    mutating func takeSecret() -> PairingSecret? {
        guard wantsToDial, case .typing(let secret)? = task?.kind else { return nil }
        task?.end = nil
        return secret
    }

    /// Gives an offer time for somebody who typed at its end; returns false when it had that.
    mutating func extend(at now: Moment) -> Bool {
        guard let task, task.isOffer, !task.wasExtended else { return false }
        self.task?.wasExtended = true
        self.task?.end = now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds
        return true
    }

    /// Keeps the reasons why the group's schema was refused, for the end of the pairing.
    mutating func refused(_ contradictions: [String]) { self.contradictions = contradictions }

    mutating func takeContradictions() -> [String] {
        defer { contradictions = [] }
        return contradictions
    }

    /// Takes out the pairing under way; its end follows.
    mutating func take() -> PairingTask? { task.take() }

    /// Tells every call that waits how the pairing ended.
    mutating func end(_ result: Result<Device, LinnetError>) {
        last = result
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume(returning: result) }
    }

    mutating func fire(at now: Moment) -> [Errand] {
        var due: [Errand] = []
        if let decision = task?.decision, decision <= now.uptimeMilliseconds {
            task?.decision = nil
            due.append(.choose)
        }
        if let end = task?.end, end <= now.uptimeMilliseconds { due.append(.end) }
        return due
    }
}
