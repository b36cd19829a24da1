import LinnetChannel
import LinnetCrypto
import LinnetWire

/// A member that knows the pre-shared key and keeps to no rule: it builds its own messages.
struct RawPeer: ~Copyable {
    var transport: TransportState

    /// Initiates towards `responder` by the book, and takes over once the session is open.
    static func open(towards responder: Endpoint) throws -> RawPeer {
        let preface = Preface(mode: .member, nonce: [UInt8](repeating: 3, count: 16))
        responder.receive(preface.bytes)
        let answer = try Preface(parsing: responder.output())
        var state = HandshakeState(
            pattern: .xxpsk0, role: .initiator,
            prologue: Preface.prologue(initiator: preface, responder: answer, transcript: []),
            keys: HandshakeKeys(
                staticKey: AgreementKey(secret: SecretBytes(copying: [UInt8](1...32))),
                ephemeralKey: AgreementKey(secret: SecretBytes(copying: [UInt8](2...33))),
                psks: [psk(1)]))
        responder.receive(frame(try state.writeMessage()))
        _ = try state.readMessage(Array(responder.output().dropFirst(2)))
        responder.receive(frame(try state.writeMessage()))
        return RawPeer(
            transport: state.split(rekeyIntervalMessages: Limits.rekeyIntervalMessages))
    }

    /// A transport frame with any plaintext.
    mutating func seal(plaintext: [UInt8]) throws -> [UInt8] {
        LinnetWire.frame(try transport.encrypt(plaintext))
    }
}
