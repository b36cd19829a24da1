import LinnetWire

/// All lanes between this device and one counterpart.
struct Conversation: Equatable, Sendable {
    let peer: DeviceID
    var isPaired = true
    var isAppInstalled = false
    /// The counterpart's installation, once it has spoken.
    var installation: Bytes8?
    /// The place of the watch's complication, as it last said.
    var complication = ComplicationPlacement.none
    /// The counterpart's state as it said on this link; nil while there is none.
    var remote: StateFrame?
    /// This end's state as it last said on this link.
    var said: StateFrame?
    var isLinkUp = false
    /// True when the counterpart's app was woken and has not said since how it is.
    var hasWoken = false

    var context = ContextLane()
    var messages = MessageLane()
    var outgoing = OutgoingQueue()
    var inbox = Inbox()
    var ledger = CompanionLedger()
    var face = ComplicationBudget()
    /// The time at which what a budget holds back is tried again.
    var budgetDeadline: Int64?

    init(peer: DeviceID) { self.peer = peer }

    /// True when something waits for the app to run.
    var isPending: Bool {
        inbox.isPending || context.incoming.map { !$0.isTold } ?? false
    }

    /// True when something is new to the app, and worth waking it.
    var isWorthWaking: Bool {
        inbox.hasNew || context.incoming.map { !$0.isTold } ?? false
    }

    mutating func linkChanged(isUp: Bool, _ turn: inout CompanionTurn) {
        // A second "up" without a "down" before it means another link.
        let isEnd = !isUp || isLinkUp
        isLinkUp = isUp
        guard isEnd else { return }
        remote = nil
        said = nil
        hasWoken = false
        context.pacer = Pacer()
        outgoing.linkEnded()
        inbox.linkEnded()
        messages.end(unsent: .notReachable, sent: .deliveryFailed, &turn)
        messages.late.removeAll()
    }

    /// Takes what the counterpart says of itself; the first word on a link starts everything anew.
    mutating func hear(_ state: StateFrame, _ turn: inout CompanionTurn) {
        let isFirst = remote == nil
        let isNewInstallation = installation.map { $0 != state.installation } ?? false
        if isNewInstallation { counterpartForgot(&turn) }
        if installation != state.installation || complication != state.complication
            || !isAppInstalled
        {
            installation = state.installation
            complication = state.complication
            isAppInstalled = true
            keepFacts(&turn)
        }
        remote = state
        hasWoken = false
        if isFirst { probe(&turn) }
    }

    mutating func counterpartForgot(_ turn: inout CompanionTurn) {
        outgoing.counterpartForgot(for: peer, &turn)
        if var context = context.outgoing, context.isStored {
            context.isStored = false
            self.context.store(context, for: peer, &turn)
        }
        if let file = inbox.partialFile {
            turn.effects.append(.discard(file.id))
            inbox.keep(nil, from: peer, &turn)
        }
    }

    /// Says how this end is, unless the counterpart knows.
    mutating func say(_ state: StateFrame, _ turn: inout CompanionTurn) {
        guard isLinkUp, said != state else { return }
        said = state
        turn.send(.state(state), to: peer)
    }

    func keepFacts(_ turn: inout CompanionTurn) {
        turn.put(.counterpart(peer)) { writer in
            writer.array(4)
            writer.bool(isPaired)
            writer.bool(isAppInstalled)
            writer.unsigned(UInt64(complication.rawValue))
            if let installation { writer.bytes(installation) } else { writer.null() }
        }
    }

    mutating func readFacts(_ row: [UInt8]) throws(WireError) {
        var reader = CBORReader(row)
        try reader.array(exactly: 4)
        isPaired = try reader.bool()
        isAppInstalled = try reader.bool()
        let placement = try reader.unsigned(max: 2)
        complication =
            ComplicationPlacement(rawValue: UInt8(truncatingIfNeeded: placement)) ?? .none
        if try reader.peek() == .null {
            try reader.null()
        } else {
            installation = try reader.bytes8()
        }
        try reader.finish()
    }

    /// The next time at which something has to be done.
    func deadline(_ switches: CompanionSwitches, isSending: Bool) -> Int64? {
        var deadlines = [messages.deadline]
        if isSending, isLinkUp, let remote, !remote.isLocked {
            let pause = switches.retryMilliseconds
            deadlines.append(outgoing.deadline(firstPauseMilliseconds: pause))
            if context.waiting != nil {
                deadlines.append(context.pacer.deadline(firstPauseMilliseconds: pause))
            }
            deadlines.append(budgetDeadline)
        }
        return deadlines.compactMap { $0 }.min()
    }

    mutating func keepLedger(_ turn: inout CompanionTurn) {
        guard ledger.isDirty else { return }
        ledger.isDirty = false
        turn.put(.ledger(peer)) { ledger.write(to: &$0) }
    }
}
