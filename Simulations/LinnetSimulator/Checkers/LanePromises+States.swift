import LinnetCompanion

extension LanePromises {
    /// Judges the words of a machine about itself at any time.
    func look(at end: LaneEnd, isNear: Bool) throws(Violation) {
        let machine = end.machine
        if machine.isReachable {
            guard isNear else {
                throw Self.broken("a counterpart out of range counted as reachable")
            }
            guard
                end.index == 0 || machine.appState == .foreground
                    || machine.appState == .highPriority
            else { throw Self.broken("a watch app in the background reached the phone") }
        }
        guard machine.activationState == .activated, machine.appState.isRunning,
            !faults.contains(.missedReachabilityCallback)
        else { return }
        if machine.isReachable != toldReachable[end.index] {
            throw Self.broken("device \(end.index) was not told that reachability changed")
        }
    }

    /// Judges the promises that hold once everything was well for long enough.
    func finish(_ ends: [LaneEnd]) throws(Violation) {
        for id in ids {
            guard let promise = byID[id] else { continue }
            try finish(promise, id)
        }
        for end in ends {
            let other = ends[1 - end.index]
            let left =
                end.machine.outstandingUserInfoTransfers + end.machine.outstandingFileTransfers
            guard left.isEmpty else {
                throw Self.broken("\(left.count) transfers are still outstanding")
            }
            guard other.machine.receivedApplicationContext == end.machine.applicationContext else {
                throw Self.broken("device \(other.index) does not have the newest context")
            }
        }
    }

    private func finish(_ promise: Promise, _ id: TransferID) throws(Violation) {
        switch promise.asked.kind {
        case .context: return
        case .message:
            guard promise.hasEnded else { throw Self.broken("a message never ended", id) }
        case .userInfo, .file:
            guard !promise.isCancelled else { return }
            guard promise.told > 0 || promise.isLost else {
                throw Self.broken("a transfer never arrived", id)
            }
            guard promise.isFinished else {
                throw Self.broken("the end of a transfer was never told", id)
            }
            guard !promise.wantsProcessed || promise.isProcessed && promise.isProcessedTold else {
                throw Self.broken("a transfer was never processed, or nobody was told", id)
            }
        }
    }
}
