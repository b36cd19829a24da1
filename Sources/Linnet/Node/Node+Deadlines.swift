import LinnetSystem
import LinnetWire

/// An entry of the list of those that wait: its deadline, and the work of the node when that has
/// passed.
private struct Waiting: Sendable {
    /// True when it waits only while the disk takes no writes.
    var isOfOutage = false
    let deadline: @Sendable (isolated Node) -> Int64?
    let fire: @Sendable (isolated Node, Moment) -> Void
}

extension Node {
    /// The one list of all that wait for a time, in the order in which they are asked.
    private static let waiting = [
        Waiting(isOfOutage: true, deadline: { $0.outages.nextDeadline }) { $0.fireOutage(at: $1) },
        Waiting(deadline: { $0.homeDesk.wipeDeadline }) { $0.obeyWhenHeard(at: $1) },
        Waiting(deadline: { $0.upkeep.nextDeadline }) { $0.fireUpkeep(at: $1) },
        Waiting(deadline: { $0.connections.discovery?.nextDeadline }) { $0.fireDiscovery(at: $1) },
        Waiting(deadline: { $0.joining.nextDeadline }) { $0.fireJoining(at: $1) },
        Waiting(deadline: { $0.exchanges.nextDeadline }) { $0.fireExchanges(at: $1) },
        Waiting(deadline: { $0.fetching.nextDeadline }) { $0.fireFetching(at: $1) },
        Waiting(deadline: { $0.replica?.nextDeadline }) { $0.fireReplica(at: $1) },
        Waiting(deadline: { $0.connections.dialling.nextDeadline }) { $0.fireDialling(at: $1) },
        Waiting(deadline: { $0.connections.companion?.nextDeadline }) { $0.fireCompanion(at: $1) },
    ]

    private var waitingNow: [Waiting] {
        Self.waiting.filter { $0.isOfOutage == outages.isOut }
    }

    /// Does the work that is due without an input, and sets the one timer to the next deadline.
    func settle() {
        if !outages.isOut {
            guard replica != nil else { return }
            let now = SystemClock.now()
            fireDialling(at: now)
            fireCompanion(at: now)
            checkExchanges()
        }
        setTimer(waitingNow.compactMap { $0.deadline(self) }.min())
    }

    func setTimer(_ next: Int64?) {
        guard timer?.deadline != next else { return }
        if let timer { loop.cancel(timer.id) }
        timer = next.map { next in
            let id = loop.schedule(at: next) { [weak self] in
                self?.assumeIsolated { $0.timerFired() }
            }
            return (id, next)
        }
    }

    private func timerFired() {
        timer = nil
        let now = SystemClock.now()
        for waiting in waitingNow { waiting.fire(self, now) }
        settle()
    }

    private func fireOutage(at now: Moment) {
        if outages.fire(at: now) { tryAgain() }
    }

    private func fireUpkeep(at now: Moment) {
        for due in upkeep.fire(at: now) {
            switch due {
            case .flush: flush()
            case .role: followRole()
            case .lock: lockUnused()
            }
        }
    }

    private func fireReplica(at now: Moment) {
        if let deadline = replica?.nextDeadline, deadline <= now.uptimeMilliseconds {
            feed(.deadlineReached)
        }
    }
}
