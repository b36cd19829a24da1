import LinnetWire

extension Conversation {
    func isDue(_ pacer: Pacer, _ turn: CompanionTurn) -> Bool {
        pacer.isDue(
            atUptimeMilliseconds: turn.now.uptimeMilliseconds,
            firstPauseMilliseconds: turn.switches.retryMilliseconds)
    }

    /// Returns true when a transfer now would launch the counterpart's app.
    private func needsWake(_ turn: CompanionTurn) -> Bool {
        guard let remote, !remote.app.isRunning, !hasWoken else { return false }
        return turn.role == .phone || turn.switches.wakesPhoneForTransfers
    }

    /// Returns the reason for which so many bytes may not be sent now, nil if they may.
    func refusal(
        _ importance: Importance, _ count: Int, isPaidByFace: Bool = false, _ turn: CompanionTurn
    ) -> CompanionLedger.Deferral.Reason? {
        ledger.refusal(
            importance, wakes: needsWake(turn) && !isPaidByFace, bytes: count,
            budget: turn.switches.budget, at: turn.now)
    }

    /// Notes what waits for the budget, and tries again when an hour leaves the day.
    mutating func hold(
        _ lane: Lane, _ number: UInt64, _ reason: CompanionLedger.Deferral.Reason,
        _ turn: CompanionTurn
    ) {
        note(lane, number, reason)
        if let index = outgoing.index(of: number) {
            outgoing.touch(index) { $0.pacer = Pacer() }
        } else {
            context.pacer = Pacer()
        }
        let hour: Int64 = 3_600_000
        let past = (turn.now.wallMilliseconds % hour + hour) % hour
        budgetDeadline = turn.now.uptimeMilliseconds + hour - past
    }

    /// Spends what a transfer costs, and wakes the counterpart if it has to; false if it may not.
    mutating func permit(
        _ lane: Lane, _ number: UInt64, _ importance: Importance, _ count: Int,
        isPaidByFace: Bool = false, _ turn: inout CompanionTurn
    ) -> Bool {
        if let reason = refusal(importance, count, isPaidByFace: isPaidByFace, turn) {
            hold(lane, number, reason, turn)
            return false
        }
        let place = Int(importance.rawValue)
        if needsWake(turn) {
            hasWoken = true
            turn.effects.append(.wakeCounterpart(peer))
            ledger.spend(at: turn.now) {
                if isPaidByFace { $0.faceWakes &+= 1 } else { $0.wakes[place] &+= 1 }
            }
        }
        ledger.spend(at: turn.now) { $0.bytes[place] &+= UInt64(count) }
        return true
    }

    /// The frames of a payload that is sent at once.
    func parts(
        of bytes: [UInt8], id: TransferID, on lane: Lane, _ flags: TransferFlags, floor: UInt64
    ) -> [LaneFrame] {
        var frames: [LaneFrame] = []
        var start = 0
        repeat {
            let end = min(start + Limits.companionPartBytes, bytes.count)
            frames.append(
                .part(
                    PartFrame(
                        id: id, lane: lane, floor: floor, flags: flags,
                        total: UInt64(bytes.count), offset: UInt64(start),
                        bytes: Array(bytes[start..<end]))))
            start = end
        } while start < bytes.count
        return frames
    }

    mutating func send(
        _ bytes: [UInt8], of id: TransferID, on lane: Lane, _ flags: TransferFlags,
        floor: UInt64, _ turn: inout CompanionTurn
    ) {
        if lane == .message {
            ledger.spend(at: turn.now) { $0.messageBytes &+= UInt64(bytes.count) }
        }
        for frame in parts(of: bytes, id: id, on: lane, flags, floor: floor) {
            turn.send(frame, to: peer)
        }
    }
}
