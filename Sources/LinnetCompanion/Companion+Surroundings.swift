import LinnetWire

extension Companion {
    mutating func surroundingsChanged(_ change: EnvironmentChange, _ turn: inout CompanionTurn) {
        switch change {
        case .link(let peer, let isUp):
            _ = converse(with: peer) { $0.linkChanged(isUp: isUp, &turn) }
        case .paired(let peer): paired(peer, &turn)
        case .unpaired(let peer): unpaired(peer, &turn)
        case .watchSwitched(let peer): switched(to: peer, &turn)
        case .app(let state): appChanged(to: state, &turn)
        case .counterpartApp(let peer, let isInstalled):
            counterpartApp(of: peer, isInstalled: isInstalled, &turn)
        case .complication(let placement):
            guard role == .watch, self.placement != placement else { return }
            self.placement = placement
            keepFacts(&turn)
        case .rebooted: rebooted(&turn)
        case .unlocked:
            guard isLocked else { return }
            isLocked = false
            keepFacts(&turn)
        case .faults(let faults): switches.faults = faults
        }
    }

    private mutating func paired(_ peer: DeviceID, _ turn: inout CompanionTurn) {
        var conversation = conversations.removeValue(forKey: peer) ?? Conversation(peer: peer)
        conversation.isPaired = true
        abandoned.remove(peer)
        conversation.keepFacts(&turn)
        conversations[peer] = conversation
        guard selected == nil || role == .watch, selected != peer else { return }
        selected = peer
        keepFacts(&turn)
    }

    private mutating func unpaired(_ peer: DeviceID, _ turn: inout CompanionTurn) {
        _ = converse(with: peer) { conversation in
            conversation.linkChanged(isUp: false, &turn)
            conversation.isPaired = false
            conversation.forgetApp(.deviceNotPaired, &turn)
        }
        abandoned.insert(peer)
        if successor == peer { successor = nil }
        if selected == peer {
            let next = successor ?? conversations.first { $0.value.isPaired }?.key
            if let next, activation != .notActivated {
                startChange(to: next, &turn)
            } else {
                selected = next
            }
        }
        keepFacts(&turn)
    }

    private mutating func counterpartApp(
        of peer: DeviceID, isInstalled: Bool, _ turn: inout CompanionTurn
    ) {
        var isRemoved = false
        _ = converse(with: peer) { conversation in
            guard conversation.isAppInstalled != isInstalled else { return }
            isRemoved = !isInstalled
            if isInstalled {
                conversation.isAppInstalled = true
                conversation.keepFacts(&turn)
            } else {
                let error: CompanionError =
                    turn.role == .phone ? .watchAppNotInstalled : .companionAppNotInstalled
                conversation.forgetApp(error, &turn)
            }
        }
        guard isRemoved, role == .phone else { return }
        abandoned.insert(peer)
        keepFacts(&turn)
    }

    private mutating func switched(to peer: DeviceID, _ turn: inout CompanionTurn) {
        guard role == .phone, peer != selected, conversations[peer]?.isPaired ?? false else {
            return
        }
        guard activation != .notActivated else {
            selected = peer
            keepFacts(&turn)
            return
        }
        startChange(to: peer, &turn)
        keepFacts(&turn)
    }

    private mutating func startChange(to peer: DeviceID, _ turn: inout CompanionTurn) {
        successor = peer
        guard activation == .activated else { return }
        activation = .inactive
        turn.tell(.sessionDidBecomeInactive)
        _ = converse(with: selected) {
            $0.messages.end(unsent: .sessionInactive, sent: .sessionInactive, &turn)
        }
    }

    private mutating func appChanged(to state: AppState, _ turn: inout CompanionTurn) {
        let isLaunch = state.isRunning && !app.isRunning
        app = state
        if state.isRunning { told.isWaking = false }
        // A process that died in the middle of a call told nobody of its end.
        if isLaunch { endCalls(&turn) }
        guard state == .notRunning else { return }
        activation = .notActivated
        isFreshLaunch = true
        if let successor {
            selected = successor
            self.successor = nil
            keepFacts(&turn)
        }
        tasks.endAll()
        for peer in conversations.keys {
            _ = converse(with: peer) { conversation in
                conversation.messages.outgoing.removeAll()
                for message in conversation.messages.owed {
                    conversation.answer(message.id, nil, &turn)
                }
            }
        }
        endCalls(&turn)
    }

    private mutating func endCalls(_ turn: inout CompanionTurn) {
        for peer in conversations.keys {
            _ = converse(with: peer) { $0.inbox.appEnded(from: peer, &turn) }
        }
    }

    private mutating func rebooted(_ turn: inout CompanionTurn) {
        for peer in conversations.keys {
            _ = converse(with: peer) { $0.linkChanged(isUp: false, &turn) }
        }
        appChanged(to: .notRunning, &turn)
        guard role == .phone, !isLocked else { return }
        isLocked = true
        keepFacts(&turn)
    }
}

extension Conversation {
    /// The counterpart's app is gone, and with it what it had and what waits for it.
    fileprivate mutating func forgetApp(_ error: CompanionError, _ turn: inout CompanionTurn) {
        isAppInstalled = false
        complication = .none
        installation = nil
        counterpartForgot(&turn)
        outgoing.fail(with: error, for: peer, &turn)
        keepFacts(&turn)
    }
}
