package import LinnetCrypto
package import LinnetWire

/// The secure channel over one link: bytes in, bytes and events out, no I/O.
///
/// After a failure the machine is wiped and ignores whatever follows, valid or not. Before the
/// session is open a failure leaves no byte to send, so that every cause looks the same to a peer.
package struct ChannelMachine: ~Copyable {
    private enum Phase {
        case negotiating
        case open
        case ended
    }

    private var phase = Phase.negotiating
    private var negotiation: Negotiation?
    private var transport: TransportState?
    private var reader = FrameReader()
    private var assembler = MessageAssembler()
    /// Messages of the frame that was read last, the last one first.
    private var read: [MessageAssembler.Message] = []
    /// Messages that wait to leave in one frame.
    private var joined = JoinedMessages()
    private var output: [UInt8]
    private let startUptimeMilliseconds: Int64
    private var progressUptimeMilliseconds: Int64
    private let rekeyIntervalMessages: UInt64

    /// Starts a channel on a fresh link.
    ///
    /// The nonce has 16 bytes and the ephemeral secret 32, both fresh from the caller's entropy.
    /// The versions between members and the interval differ from their defaults only in tests.
    package init(
        role: ChannelRole, staticKey: consuming AgreementKey, nonce: [UInt8],
        ephemeral: consuming SecretBytes, at now: Moment,
        versions: ClosedRange<UInt8> = Preface.spokenVersions,
        pairingVersions: ClosedRange<UInt8>? = nil,
        rekeyIntervalMessages: UInt64 = Limits.rekeyIntervalMessages
    ) {
        let negotiation = Negotiation(
            role: role, staticKey: staticKey, nonce: nonce, ephemeral: ephemeral,
            versions: versions, pairingVersions: pairingVersions ?? versions)
        output = negotiation.opening
        self.negotiation = consume negotiation
        startUptimeMilliseconds = now.uptimeMilliseconds
        progressUptimeMilliseconds = now.uptimeMilliseconds
        self.rekeyIntervalMessages = rekeyIntervalMessages
    }

    /// True when messages may be sent.
    package var isOpen: Bool { phase == .open }

    /// The number of received bytes that are kept because what they begin is not complete.
    package var keptByteCount: Int { reader.bufferedCount }

    /// The time by which the peer must have gone on, in uptime milliseconds; nil once the session
    /// is open or ended.
    package var deadline: Int64? {
        guard phase == .negotiating else { return nil }
        return min(
            startUptimeMilliseconds + Limits.handshakeMilliseconds,
            progressUptimeMilliseconds + Limits.handshakeMessageMilliseconds)
    }

    /// The bytes to send on the link, each once.
    package mutating func takeOutput() -> [UInt8] {
        do throws(ChannelError) {
            try sealJoined()
        } catch {
            _ = fail(error)
        }
        defer { output = [] }
        return output
    }

    /// Takes bytes from the link, cut at any place, and returns the events that they complete.
    package mutating func receive(_ bytes: [UInt8], at now: Moment) -> [ChannelEvent] {
        var events = checkDeadline(at: now)
        guard phase != .ended else { return events }
        reader.append(bytes)
        do throws(ChannelError) {
            while let event = try nextEvent(at: now) { events.append(event) }
        } catch {
            events.append(fail(error))
        }
        return events
    }

    /// Fails a channel whose ``deadline`` has come.
    package mutating func checkDeadline(at now: Moment) -> [ChannelEvent] {
        guard let deadline, now.uptimeMilliseconds >= deadline else { return [] }
        return [fail(.timeout)]
    }

    /// Takes the end of the link's stream: a failure unless one side has sent CLOSE.
    package mutating func receiveEnd() -> [ChannelEvent] {
        phase == .ended ? [] : [fail(.truncated)]
    }

    /// Sends our PAKE share of 32 bytes: the initiator's in answer to `.prefaced`, the responder's
    /// in answer to `.pake`.
    package mutating func sendPake(_ share: [UInt8]) {
        negotiation?.sendPake(share, into: &output)
    }

    /// Provides the pre-shared keys, newest first, and both PAKE shares when pairing by code.
    ///
    /// An initiator uses the first key, a responder tries at most `Limits.pskTrials`. Returns the
    /// failure when there is no key.
    package mutating func provide(
        psks: [SharedSecret], transcript: [UInt8] = []
    ) -> [ChannelEvent] {
        do throws(ChannelError) {
            try negotiation?.provide(psks: psks, transcript: transcript, into: &output)
            return []
        } catch {
            return [fail(error)]
        }
    }

    /// Queues a message; throws ``ChannelError/notEstablished`` outside an open session and
    /// ``ChannelError/tooLarge`` above `Limits.messageBytes`, then nothing is queued.
    ///
    /// Short messages leave in one frame, up to a batch: each batch can be stored by itself.
    package mutating func send(type: MessageType, body: [UInt8]) throws(ChannelError) {
        guard phase == .open else { throw .notEstablished }
        guard body.count <= Limits.messageBytes else { throw .tooLarge }
        do throws(ChannelError) {
            if !joined.add(type, body) {
                try sealJoined()
                if !joined.add(type, body) { try sealFragments(type, body) }
            }
            if type == .batch { try sealJoined() }
        } catch {
            _ = fail(error)
            throw error
        }
    }

    private mutating func sealFragments(
        _ type: MessageType, _ body: [UInt8]
    ) throws(ChannelError) {
        let plaintexts: [[UInt8]]
        do {
            plaintexts = try fragments(type: type, body: body)
        } catch {
            throw .tooLarge
        }
        for plaintext in plaintexts { try seal(plaintext) }
    }

    private mutating func sealJoined() throws(ChannelError) {
        if let plaintext = joined.take() { try seal(plaintext) }
    }

    private mutating func seal(_ plaintext: [UInt8]) throws(ChannelError) {
        if let ciphertext = try transport?.encrypt(plaintext) {
            output += frame(ciphertext)
        }
    }

    /// Ends the session: queues an authenticated CLOSE when it is open, and nothing before that.
    package mutating func close(_ code: CloseCode) {
        switch phase {
        case .open:
            var body: [UInt8] = []
            BigEndian.append(code.rawValue, to: &body)
            try? send(type: .close, body: body)
            try? sealJoined()
        case .negotiating:
            output = []
        case .ended:
            return
        }
        end()
    }

    private mutating func nextEvent(at now: Moment) throws(ChannelError) -> ChannelEvent? {
        switch phase {
        case .negotiating: try negotiate(at: now)
        case .open: try nextMessage()
        case .ended: nil
        }
    }

    private mutating func negotiate(at now: Moment) throws(ChannelError) -> ChannelEvent? {
        let receivedCount = negotiation?.receivedCount
        let event = try negotiation?.advance(&reader, into: &output)
        if negotiation?.receivedCount != receivedCount {
            progressUptimeMilliseconds = now.uptimeMilliseconds
        }
        if case .established = event {
            transport = negotiation.take()?.split(rekeyIntervalMessages: rekeyIntervalMessages)
            phase = .open
        }
        return event
    }

    private mutating func nextMessage() throws(ChannelError) -> ChannelEvent? {
        while read.isEmpty {
            guard let ciphertext = try nextFrame(),
                let plaintext = try transport?.decrypt(ciphertext)
            else { return nil }
            do {
                read = try assembler.append(plaintext).reversed()
            } catch {
                throw .protocolViolation
            }
        }
        guard let message = read.popLast() else { return nil }
        guard message.type == MessageType.close.rawValue else {
            return .message(type: message.type, body: message.body)
        }
        guard message.body.count == 2 else { throw .protocolViolation }
        end()
        return .closed(code: UInt16(message.body[0]) << 8 | UInt16(message.body[1]))
    }

    private mutating func nextFrame() throws(ChannelError) -> [UInt8]? {
        do {
            return try reader.next()
        } catch {
            throw .badFrame
        }
    }

    private mutating func fail(_ error: ChannelError) -> ChannelEvent {
        output = []
        end()
        return .failed(error)
    }

    private mutating func end() {
        phase = .ended
        negotiation = nil
        transport = nil
        reader = FrameReader()
        assembler = MessageAssembler()
        read = []
        joined = JoinedMessages()
    }
}
