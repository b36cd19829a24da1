import LinnetWire

extension Companion {
    /// A change of reachability that lasts less than this is missed by the fault of that name.
    private static let missedMilliseconds: Int64 = 2_000

    /// Draws the conclusions of an input.
    mutating func settle(_ turn: inout CompanionTurn) {
        expire(&turn)
        say(&turn)
        handOver(&turn)
        endChangeOfWatches(&turn)
        tellChanges(&turn)
        wakeApp(&turn)
        pump(&turn)
        removeUnpaired(&turn)
    }

    private mutating func expire(_ turn: inout CompanionTurn) {
        turnSwitches(&turn)
        if app.isRunning {
            tasks.start(
                deadlineUptimeMilliseconds: turn.now.uptimeMilliseconds + switches.taskMilliseconds)
        }
        if let task = tasks.overdue(atUptimeMilliseconds: turn.now.uptimeMilliseconds) {
            if app == .background {
                turn.effects.append(.endApp(task: task))
                surroundingsChanged(.app(.notRunning), &turn)
            } else {
                _ = tasks.complete(task)
            }
        }
        for peer in conversations.keys {
            _ = converse(with: peer) { conversation in
                conversation.messages.expire(&turn)
                conversation.sendLate(&turn)
            }
        }
    }

    /// A turn that changed the faults goes on with the new ones.
    private func turnSwitches(_ turn: inout CompanionTurn) {
        guard turn.switches != switches else { return }
        var changed = CompanionTurn(
            now: turn.now, role: role, switches: switches, installation: installation)
        changed.effects = turn.effects
        turn = changed
    }

    /// Says to the active counterpart how this end is.
    private mutating func say(_ turn: inout CompanionTurn) {
        let state = StateFrame(
            installation: installation, app: app, complication: placement, isLocked: isLocked,
            isReachable: isCounterpartReachable)
        _ = converse(with: selected) { $0.say(state, &turn) }
    }

    private mutating func pump(_ turn: inout CompanionTurn) {
        let (selected, nextNumber) = (selected, nextNumber)
        let isInactive = activation == .inactive
        let isLocked = isLocked
        let canMessage = isReachable
        for peer in conversations.keys {
            _ = converse(with: peer) { conversation in
                let obstacle: CompanionLedger.Deferral.Reason? =
                    peer != selected || isInactive ? .inactive : isLocked ? .locked : nil
                if !canMessage {
                    conversation.messages.end(unsent: .notReachable, sent: nil, &turn)
                }
                conversation.pump(nextNumber: nextNumber, obstacle: obstacle, &turn)
                conversation.keepLedger(&turn)
            }
        }
    }

    // MARK: The app

    private mutating func handOver(_ turn: inout CompanionTurn) {
        guard app.isRunning, activation != .notActivated else { return }
        for task in tasks.tell() { turn.tell(.backgroundTask(task)) }
        _ = converse(with: selected) { $0.handOver(&turn) }
        for peer in conversations.keys {
            _ = converse(with: peer) { $0.tellFinished(&turn) }
        }
    }

    private mutating func endChangeOfWatches(_ turn: inout CompanionTurn) {
        guard activation == .inactive, !(active?.isWorthHanding ?? false) else { return }
        activation = .notActivated
        selected = successor ?? selected
        successor = nil
        keepFacts(&turn)
        turn.tell(.sessionDidDeactivate)
    }

    /// The reasons for `watchStateDidChange`.
    var watchState: ToldState.Watch {
        ToldState.Watch(
            isPaired: isPaired, isWatchAppInstalled: isWatchAppInstalled,
            isComplicationEnabled: isComplicationEnabled)
    }

    private mutating func tellChanges(_ turn: inout CompanionTurn) {
        guard app.isRunning, activation == .activated else {
            told.reachabilityChangedUptimeMilliseconds = nil
            return
        }
        if role == .phone, told.watch != watchState {
            told.watch = watchState
            turn.tell(.watchStateDidChange)
        }
        if role == .watch, told.isCompanionAppInstalled != isCompanionAppInstalled {
            told.isCompanionAppInstalled = isCompanionAppInstalled
            turn.tell(.companionAppInstalledDidChange)
        }
        guard told.isReachable != isReachable else {
            told.reachabilityChangedUptimeMilliseconds = nil
            return
        }
        let now = turn.now.uptimeMilliseconds
        let since = told.reachabilityChangedUptimeMilliseconds ?? now
        told.reachabilityChangedUptimeMilliseconds = since
        if switches.faults.contains(.missedReachabilityCallback),
            now - since < Companion.missedMilliseconds
        {
            return
        }
        told.isReachable = isReachable
        told.reachabilityChangedUptimeMilliseconds = nil
        turn.tell(.reachabilityDidChange)
    }

    /// The time at which a held back change of reachability is told after all.
    var reachabilityDeadline: Int64? {
        told.reachabilityChangedUptimeMilliseconds.map { $0 + Companion.missedMilliseconds }
    }

    /// Launches the app for what arrived while it did not run.
    private mutating func wakeApp(_ turn: inout CompanionTurn) {
        guard !app.isRunning, !isLocked, let active else { return }
        if role == .phone, !active.messages.pending.isEmpty, !told.isWaking {
            told.isWaking = true
            turn.effects.append(.wakeApp(task: nil))
            spendWake(&turn)
        }
        let isWakeable = role == .watch || switches.wakesPhoneForTransfers
        guard isWakeable, active.isWorthWaking, tasks.open.isEmpty else { return }
        turn.effects.append(.wakeApp(task: tasks.begin()))
        spendWake(&turn)
    }

    private mutating func spendWake(_ turn: inout CompanionTurn) {
        _ = converse(with: selected) { conversation in
            conversation.ledger.spend(at: turn.now) { $0.wakesHere &+= 1 }
        }
    }

    /// An unpaired counterpart is forgotten once the app knows what became of its transfers.
    private mutating func removeUnpaired(_ turn: inout CompanionTurn) {
        for (peer, conversation) in conversations
        where !conversation.isPaired && conversation.outgoing.transfers.isEmpty {
            conversations[peer] = nil
            for key in conversation.keys { turn.remove(key) }
            for item in conversation.inbox.items where item.lane == .file && !item.isClaimed {
                turn.effects.append(.discard(item.id))
            }
            if let file = conversation.inbox.partialFile {
                turn.effects.append(.discard(file.id))
            }
        }
    }
}
