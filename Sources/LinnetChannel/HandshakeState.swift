package import LinnetCrypto

/// A handshake in progress: the HandshakeState object of the Noise specification, section 5.3.
package struct HandshakeState: ~Copyable {
    private let pattern: HandshakePattern
    private let role: HandshakeRole
    private var symmetric: SymmetricState
    private var keys: HandshakeKeys
    /// The last Diffie-Hellman result.
    private var shared = SecretBytes(zeroed: AgreementKey.keyBytes)
    private var remoteEphemeral: [UInt8]?
    private var pskIndex = 0

    /// The place of the next message, from zero.
    package private(set) var messageIndex = 0

    /// The peer's static public key, once it is known.
    package private(set) var remoteStatic: [UInt8]?

    /// Initialize; keys that the pattern's pre-messages name must be among `keys`.
    package init(
        pattern: HandshakePattern, role: HandshakeRole, prologue: [UInt8],
        keys: consuming HandshakeKeys
    ) {
        self.pattern = pattern
        self.role = role
        remoteStatic = keys.remoteStatic
        var symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
        let local = keys.staticPublicKey
        let (initiator, responder) =
            role == .initiator ? (local, keys.remoteStatic) : (keys.remoteStatic, local)
        for (preMessage, key) in [
            (pattern.initiatorPreMessage, initiator), (pattern.responderPreMessage, responder),
        ] where preMessage == [.s] {
            guard let key else { preconditionFailure("\(pattern.name) needs a static key first") }
            symmetric.mixHash(key)
        }
        self.symmetric = symmetric
        self.keys = keys
    }

    /// The handshake hash `h`; the channel binding once the handshake is finished.
    package var handshakeHash: [UInt8] { symmetric.handshakeHash }

    /// True when all messages have been written and read.
    package var isFinished: Bool { messageIndex == pattern.messages.count }

    /// True when it is this party's turn to write the next message.
    package var isWriting: Bool {
        !isFinished && messageIndex.isMultiple(of: 2) == (role == .initiator)
    }

    /// WriteMessage.
    package mutating func writeMessage(_ payload: [UInt8] = []) throws(ChannelError) -> [UInt8] {
        precondition(isWriting, "it is the peer's turn")
        var message: [UInt8] = []
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e:
                guard let publicKey = keys.ephemeralPublicKey else {
                    preconditionFailure("\(pattern.name) needs an ephemeral key")
                }
                mixEphemeral(publicKey)
                message += publicKey
            case .s:
                guard let publicKey = keys.staticPublicKey else {
                    preconditionFailure("\(pattern.name) needs a static key")
                }
                message += try symmetric.encryptAndHash(publicKey)
            case .ee, .es, .se, .ss, .psk:
                try mix(token)
            }
        }
        message += try symmetric.encryptAndHash(payload)
        messageIndex += 1
        return message
    }

    /// ReadMessage; throws ``ChannelError/badFrame`` for a message that is too short,
    /// ``ChannelError/badTag`` or ``ChannelError/badKey``, after which the state is of no use.
    package mutating func readMessage(_ message: [UInt8]) throws(ChannelError) -> [UInt8] {
        precondition(!isFinished && !isWriting, "it is not the peer's turn")
        var rest = message[...]
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e:
                let publicKey = try take(AgreementKey.keyBytes, from: &rest)
                remoteEphemeral = publicKey
                mixEphemeral(publicKey)
            case .s:
                let count = AgreementKey.keyBytes + (symmetric.hasKey ? ChaChaPoly.tagBytes : 0)
                remoteStatic = try symmetric.decryptAndHash(take(count, from: &rest))
            case .ee, .es, .se, .ss, .psk:
                try mix(token)
            }
        }
        let payload = try symmetric.decryptAndHash(Array(rest))
        messageIndex += 1
        return payload
    }

    /// Reads a message that holds a `psk` token with the first of `candidates` under which it
    /// authenticates, and returns that one's place; throws ``ChannelError/pskMismatch`` for none.
    package mutating func readMessage(
        _ message: [UInt8], trying candidates: [SharedSecret]
    ) throws(ChannelError) -> Int {
        if candidates.count == 1 {
            keys.psks = candidates
            do throws(ChannelError) {
                _ = try readMessage(message)
                return 0
            } catch .badTag {
                throw .pskMismatch
            }
        }
        let start = symmetric.copy()
        let pskStart = pskIndex
        for (place, candidate) in candidates.enumerated() {
            keys.psks = [candidate]
            do throws(ChannelError) {
                _ = try readMessage(message)
                return place
            } catch .badTag {
                symmetric.restore(from: start)
                pskIndex = pskStart
            }
        }
        throw .pskMismatch
    }

    /// Split, after the last message.
    package consuming func split(
        rekeyIntervalMessages: UInt64
    ) -> TransportState {
        precondition(isFinished, "an unfinished handshake has no transport keys")
        return symmetric.split(
            role: role, over: shared, rekeyIntervalMessages: rekeyIntervalMessages)
    }

    private mutating func mixEphemeral(_ publicKey: [UInt8]) {
        symmetric.mixHash(publicKey)
        if pattern.usesPSK {
            symmetric.mixKey(publicKey)
        }
    }

    private mutating func mix(_ token: HandshakePattern.Token) throws(ChannelError) {
        let isInitiator = role == .initiator
        switch token {
        case .ee: try keys.agreeEphemeral(with: remoteEphemeral, into: &shared)
        case .ss: try keys.agreeStatic(with: remoteStatic, into: &shared)
        case .es where isInitiator, .se where !isInitiator:
            try keys.agreeEphemeral(with: remoteStatic, into: &shared)
        case .es, .se:
            try keys.agreeStatic(with: remoteEphemeral, into: &shared)
        case .psk:
            precondition(pskIndex < keys.psks.count, "\(pattern.name) needs a pre-shared key")
            symmetric.mixKeyAndHash(keys.psks[pskIndex].bytes)
            pskIndex += 1
            return
        case .e, .s:
            preconditionFailure("public keys are written and read, not mixed")
        }
        symmetric.mixKey(shared)
    }

    private func take(
        _ count: Int, from rest: inout ArraySlice<UInt8>
    ) throws(ChannelError) -> [UInt8] {
        guard rest.count >= count else { throw .badFrame }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
