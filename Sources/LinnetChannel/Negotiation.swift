import LinnetCrypto
import LinnetWire

/// The part of a link before transport messages: prefaces, the PAKE slot, the handshake.
///
/// Every length is known in advance and checked as soon as it is read, so an unauthenticated peer
/// makes nobody hold more than one handshake message.
struct Negotiation: ~Copyable {
    private enum Step {
        /// The peer's preface comes next.
        case preface
        /// The owner speaks next; the peer must wait.
        case owner
        /// The peer's PAKE share comes next.
        case pake
        /// A handshake message of the peer comes next.
        case handshake
        /// Nothing comes next.
        case finished
    }

    /// Number of bytes of a PAKE share.
    static let pakeBytes = 32
    private static let messageBytes = [48, 96, 64]

    private let role: HandshakeRole
    private let acceptedModes: [ChannelMode]
    private let nonce: [UInt8]
    private let versions: ClosedRange<UInt8>
    private let pairingVersions: ClosedRange<UInt8>
    private var step = Step.preface
    private var initiatorPreface: Preface?
    private var responderPreface: Preface?
    private var staticKey: AgreementKey?
    private var ephemeralKey: AgreementKey?
    private var hasSentPake = false
    private var hasReceivedPake = false
    private var handshake: HandshakeState?
    private var candidates: [SharedSecret] = []
    private var pskIndex = 0

    /// Number of complete pieces that the peer has sent.
    private(set) var receivedCount = 0

    /// A negotiation before its first byte.
    init(
        role: ChannelRole, staticKey: consuming AgreementKey, nonce: [UInt8],
        ephemeral: consuming SecretBytes, versions: ClosedRange<UInt8>,
        pairingVersions: ClosedRange<UInt8>
    ) {
        switch role {
        case .initiator(let mode):
            self.role = .initiator
            acceptedModes = [mode]
            initiatorPreface = Preface(
                mode: mode, nonce: nonce, versions: mode == .member ? versions : pairingVersions)
        case .responder(let modes):
            self.role = .responder
            acceptedModes = modes
        }
        self.nonce = nonce
        self.versions = versions
        self.pairingVersions = pairingVersions
        self.staticKey = consume staticKey
        ephemeralKey = AgreementKey(secret: ephemeral)
    }

    /// The bytes that open the link: the initiator's preface, nothing from a responder.
    var opening: [UInt8] { initiatorPreface?.bytes ?? [] }

    /// Goes on with what `reader` holds and returns what is to be told, nil until more bytes come.
    mutating func advance(
        _ reader: inout FrameReader, into output: inout [UInt8]
    ) throws(ChannelError) -> ChannelEvent? {
        switch step {
        case .preface:
            guard let bytes = reader.take(Preface.count) else { return nil }
            receivedCount += 1
            return try accept(Preface(parsing: bytes), into: &output)
        case .owner:
            guard reader.bufferedCount == 0 else { throw .protocolViolation }
            return nil
        case .pake:
            guard let share = try Self.next(&reader, exactly: Self.pakeBytes) else { return nil }
            receivedCount += 1
            hasReceivedPake = true
            step = .owner
            return .pake(share)
        case .handshake:
            return try advanceHandshake(&reader, into: &output)
        case .finished:
            return nil
        }
    }

    /// Sends our PAKE share; the initiator's comes first.
    mutating func sendPake(_ share: [UInt8], into output: inout [UInt8]) {
        precondition(share.count == Self.pakeBytes, "a PAKE share has 32 bytes")
        precondition(
            step == .owner && mode == .pairCode && !hasSentPake
                && hasReceivedPake == (role == .responder),
            "PAKE shares follow the prefaces of pairing by code, the initiator's first")
        hasSentPake = true
        if role == .initiator { step = .pake }
        output += frame(share)
    }

    /// Starts the handshake with the owner's keys.
    mutating func provide(
        psks: [SharedSecret], transcript: [UInt8], into output: inout [UInt8]
    ) throws(ChannelError) {
        precondition(step == .owner, "keys are provided once the prefaces are exchanged")
        precondition(
            mode == .pairCode
                ? hasSentPake && hasReceivedPake && transcript.count == 2 * Self.pakeBytes
                : transcript.isEmpty, "the transcript holds both PAKE shares, or nothing")
        guard let initiatorPreface, let responderPreface else { return }
        guard !psks.isEmpty else { throw .pskMismatch }
        candidates = Array(psks.prefix(Limits.pskTrials))
        let keys = HandshakeKeys(
            staticKey: staticKey.take(), ephemeralKey: ephemeralKey.take(),
            psks: Array(candidates.prefix(1)))
        var handshake = HandshakeState(
            pattern: .xxpsk0, role: role,
            prologue: Preface.prologue(
                initiator: initiatorPreface, responder: responderPreface, transcript: transcript),
            keys: keys)
        if role == .initiator { output += frame(try handshake.writeMessage()) }
        self.handshake = consume handshake
        step = .handshake
    }

    /// The transport state, after `.established` was told.
    consuming func split(rekeyIntervalMessages: UInt64) -> TransportState? {
        switch handshake.take() {
        case .some(let handshake): handshake.split(rekeyIntervalMessages: rekeyIntervalMessages)
        case .none: nil
        }
    }

    private var mode: ChannelMode? { initiatorPreface?.mode }

    private mutating func accept(
        _ remote: Preface, into output: inout [UInt8]
    ) throws(ChannelError) -> ChannelEvent {
        let (initiator, responder): (Preface, Preface)
        if let initiatorPreface {
            try initiatorPreface.check(with: remote)
            (initiator, responder) = (initiatorPreface, remote)
        } else {
            guard acceptedModes.contains(remote.mode) else { throw .mode }
            let local = Preface(
                mode: remote.mode, nonce: nonce,
                versions: remote.mode == .member ? versions : pairingVersions)
            try local.check(with: remote)
            output += local.bytes
            (initiator, responder) = (remote, local)
        }
        (initiatorPreface, responderPreface) = (initiator, responder)
        step = role == .responder && remote.mode == .pairCode ? .pake : .owner
        return .prefaced(initiator: initiator, responder: responder)
    }

    private mutating func advanceHandshake(
        _ reader: inout FrameReader, into output: inout [UInt8]
    ) throws(ChannelError) -> ChannelEvent? {
        while let index = handshake?.messageIndex,
            let message = try Self.next(&reader, exactly: Self.messageBytes[index])
        {
            receivedCount += 1
            if index == 0 {
                pskIndex = try handshake?.readMessage(message, trying: candidates) ?? 0
            } else {
                _ = try handshake?.readMessage(message)
            }
            if handshake?.isWriting == true, let answer = try handshake?.writeMessage() {
                output += frame(answer)
            }
            if handshake?.isFinished == true { return established() }
        }
        return nil
    }

    private mutating func established() -> ChannelEvent? {
        guard let hash = handshake?.handshakeHash, let remote = handshake?.remoteStatic else {
            return nil
        }
        step = .finished
        candidates = []
        return .established(remoteStatic: remote, handshakeHash: hash, pskIndex: pskIndex)
    }

    private static func next(
        _ reader: inout FrameReader, exactly count: Int
    ) throws(ChannelError) -> [UInt8]? {
        do {
            return try reader.next(exactly: count)
        } catch {
            throw .badFrame
        }
    }
}
