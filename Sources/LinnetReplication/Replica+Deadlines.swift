import LinnetCRDT
import LinnetChannel
import LinnetCompanion
import LinnetStorage
import LinnetWire

extension Replica {
    /// The latest time at which the shell must call again, in uptime milliseconds; nil for never.
    package var nextDeadline: Int64? {
        var earliest = membership.nextDeadline
        if let due = recordBook.fold.due { earliest = min(earliest ?? due, due) }
        if recordBook.mender.isDue || isRestatingDue || isShowingDue || isStatementDue {
            earliest = min(earliest ?? 0, 0)
        }
        if let due = chains.gapSearch?.due { earliest = min(earliest ?? due, due) }
        if let due = recordBook.inspection.check?.due { earliest = min(earliest ?? due, due) }
        if let due = arrivals.due { earliest = min(earliest ?? due, due) }
        if let due = chains.unsynced.catchUp?.due { earliest = min(earliest ?? due, due) }
        if let due = lanes?.machine.nextDeadlineUptimeMilliseconds {
            earliest = min(earliest ?? due, due)
        }
        if let due = files.nextDeadline { earliest = min(earliest ?? due, due) }
        if let due = posts.nextDeadline { earliest = min(earliest ?? due, due) }
        if let due = sessions.nextDeadline { earliest = min(earliest ?? due, due) }
        return earliest
    }

    /// True when the next call goes on to read records for a statement.
    private var isStatementDue: Bool {
        sessions.open.contains { $0.state.certificates.isBeingMade }
    }

    /// Does all that has fallen due.
    mutating func meetDeadlines(at now: Moment) throws(StorageError) {
        let uptime = now.uptimeMilliseconds
        if let due = membership.rotationDue, due <= uptime { try rotate(at: now) }
        if let due = membership.acceptanceDue, due <= uptime { try acceptMembers(at: now) }
        try lanes?.meetDeadline(&turn, at: now)
        try searchForGaps(at: now)
        try checkWhenIdle(at: now)
        try lookIntoMailboxes(at: now)
        for session in sessions.all {
            try carrying(on: session) { (replica) throws(SessionFault) in
                try replica.meetDeadlines(of: session, at: now)
            }
        }
    }

    private mutating func meetDeadlines(
        of session: Session, at now: Moment
    ) throws(SessionFault) {
        let uptime = now.uptimeMilliseconds
        switch session.state {
        case .handshaking:
            for case .failed(let error) in session.channel.checkDeadline(at: now) {
                desk.handshakeFailed(of: session, error, &turn)
                end(session, .timeout, telling: nil)
            }
        case .authorising where session.late.deadline ?? .max <= uptime:
            throw session.late.isTaking
                ? .end(.formerMember, code: .removed) : .end(.removed, code: .normal)
        case .authorising(let state)
        where session.late.deadline == nil && state.deadline <= uptime:
            throw .end(.unknownPeer, code: .protocolViolation)
        case .pairing(let state) where state.deadline <= uptime:
            throw .end(.timeout, code: .denied)
        case .open(let state):
            if session.lastHeard + Limits.idleCloseMilliseconds <= uptime {
                throw .end(.timeout, code: .normal)
            }
            if state.openedAt + Limits.sessionLifetimeMilliseconds <= uptime {
                throw .end(.normal, code: .normal)
            }
            if max(session.lastHeard, state.lastPing) + Limits.pingMilliseconds <= uptime {
                state.lastPing = uptime
                var writer = CBORWriter()
                writer.bytes(UInt64(clamping: uptime).bytes)
                try session.send(.ping, writer.bytes)
            }
        case .authorising, .pairing, .ended:
            break
        }
    }
}
