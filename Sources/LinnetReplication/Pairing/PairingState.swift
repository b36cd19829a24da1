import LinnetChannel
import LinnetMembership
import LinnetWire

/// The state of a newcomer and a member on one channel, after the handshake.
struct PairingState {
    enum Step {
        /// The other side's greeting is due.
        case greeting
        /// The person decides about this newcomer.
        case deciding(PairHello)
        /// The newcomer looks at the group's schema.
        case waitingForConsent(PairHello, RoleGrant)
        /// The member's person decides about this device.
        case waitingForWelcome(PairHello)
        /// This device looks at the group's schema.
        case judging(PairHello)
        /// The newcomer has been added and must confirm.
        case waitingForDone(PairHello, MemberRecordID)
        /// The newcomer is a member and waits for the goodbye.
        case finished(PairHello)
    }

    let handshakeHash: [UInt8]
    let remoteStatic: [UInt8]
    /// The device that a ticket promised.
    let expected: DeviceID?
    /// True when the other side reads batches that are sealed by scope.
    let readsScoped: Bool
    /// True when a schema is shown before the admission and was not shown yet.
    var showsSchema: Bool
    /// The pages of the welcome that came so far.
    var welcome: PairWelcome?
    /// Those that are still to be sent.
    var pages: WelcomePages?
    private(set) var step = Step.greeting
    private(set) var deadline: Int64

    init(
        _ previous: HandshakingState, handshakeHash: [UInt8], remoteStatic: [UInt8],
        expected: DeviceID?, deadline: Int64
    ) {
        self.handshakeHash = handshakeHash
        self.remoteStatic = remoteStatic
        self.expected = expected
        readsScoped = previous.peerVersion >= Preface.readingScoped
        showsSchema = previous.version >= Preface.showingSchema
        self.deadline = deadline
    }

    /// Returns the same pairing at another step. Given a time, the step may take as long as a
    /// person may think.
    func stepping(to step: Step, at now: Moment? = nil) -> PairingState {
        var next = self
        next.step = step
        if let now { next.deadline = now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds }
        return next
    }
}
