package import LinnetWire

/// One end of the companion lanes, as a value: inputs and the time go in, effects come out.
///
/// The caller commits all rows of an answer before it does the rest of it, and opens the machine
/// from its rows after a restart. `handle` throws only for what its input got wrong, and has then
/// changed nothing.
package struct Companion: Equatable, Sendable {
    /// The end that this machine is.
    package let role: CompanionRole
    /// The choices that the platform leaves open.
    package var switches: CompanionSwitches

    var installation: Bytes8
    var nextNumber: UInt64 = 1
    /// Numbers below it are reserved on disk.
    var reservedNumber: UInt64 = 1

    var activation = ActivationState.notActivated
    var app = AppState.notRunning
    /// The place of this watch's complication.
    var placement = ComplicationPlacement.none
    /// True when this phone has not been unlocked since it restarted.
    var isLocked = false
    /// The active counterpart.
    var selected: DeviceID?
    /// The watch that becomes active once the session is deactivated.
    var successor: DeviceID?
    /// Watches whose directories go when the app is launched next.
    var abandoned = OrderedSet<DeviceID>()
    /// True when the app has not been activated since its process started.
    var isFreshLaunch = true
    var conversations = OrderedTable<DeviceID, Conversation>()
    var tasks = TaskList()
    var told = ToldState()

    /// Opens a machine.
    ///
    /// `installation` is drawn at random by the caller and used only if the journal is empty.
    /// Throws `damagedJournal`.
    package init(
        role: CompanionRole, installation: Bytes8, switches: CompanionSwitches,
        journal: [JournalRow]
    ) throws(CompanionError) {
        self.role = role
        self.installation = installation
        self.switches = switches
        try open(journal)
    }

    /// Takes one input and says what follows from it, in order.
    package mutating func handle(
        _ input: CompanionInput, at now: Moment
    ) throws(CompanionError) -> [CompanionEffect] {
        var turn = CompanionTurn(
            now: now, role: role, switches: switches, installation: installation)
        switch input {
        case .activate(let hasDelegate): try activate(hasDelegate: hasDelegate, &turn)
        case .app(let command): try perform(command, &turn)
        case .addToContext(let name, let value, let importance):
            try addToContext(name, value, importance, &turn)
        case .environment(let change): surroundingsChanged(change, &turn)
        case .frame(let peer, let bytes):
            let frame: LaneFrame
            do throws(WireError) {
                frame = try LaneFrame.decode(bytes)
            } catch {
                throw .malformedFrame(error)
            }
            receive(frame, from: peer, &turn)
        case .deadline: break
        }
        settle(&turn)
        return turn.effects
    }

    // MARK: Numbers and conversations

    /// Numbers are reserved in blocks, so that not every message has to be written down.
    private static let numberBlock: UInt64 = 64

    mutating func newID(_ turn: inout CompanionTurn) -> TransferID {
        if nextNumber >= reservedNumber {
            reservedNumber = nextNumber + Companion.numberBlock
            keepIdentity(&turn)
        }
        defer { nextNumber += 1 }
        return TransferID(installation: installation, number: nextNumber)
    }

    /// Changes a conversation in place; nil if there is none.
    mutating func converse<Result>(
        with peer: DeviceID?, _ body: (inout Conversation) -> Result
    ) -> Result? {
        guard let peer, var conversation = conversations.removeValue(forKey: peer) else {
            return nil
        }
        defer { conversations[peer] = conversation }
        return body(&conversation)
    }

    /// The conversation with the active counterpart.
    var active: Conversation? { selected.flatMap { conversations[$0] } }

    private mutating func receive(
        _ frame: LaneFrame, from peer: DeviceID, _ turn: inout CompanionTurn
    ) {
        let isActive = peer == selected
        let (app, isLocked, isInactive) = (app, isLocked, activation == .inactive)
        _ = converse(with: peer) { conversation in
            switch frame {
            case .state(let state): conversation.hear(state, &turn)
            case .receipt(let receipt): conversation.hear(receipt, &turn)
            case .part, .probe, .withdraw:
                // What is not answered comes again once this end can take it.
                guard isActive, !isLocked, !isInactive else { return }
                switch frame {
                case .part(let part): conversation.receive(part, app: app, &turn)
                case .probe(let probe): conversation.answer(probe, &turn)
                case .withdraw(let withdraw): conversation.withdraw(withdraw, &turn)
                case .state, .receipt: break
                }
            }
        }
    }
}
