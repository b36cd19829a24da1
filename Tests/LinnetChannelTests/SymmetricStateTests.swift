import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

/// Keys of low order, sent by a peer that holds the pre-shared key and builds its own messages.
struct SymmetricStateTests {
    private static let lowOrderPoints = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].compactMap { Hex.decode($0) }

    private let preface = Preface(mode: .member, nonce: [UInt8](repeating: 3, count: 16))

    private func secret(_ byte: UInt8) -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    /// The symmetric state after the attacker's `psk` and `e` tokens.
    private func start(_ initiator: Preface, _ responder: Preface, e: [UInt8]) -> SymmetricState {
        var symmetric = SymmetricState(protocolName: HandshakePattern.xxpsk0.protocolName)
        symmetric.mixHash(
            Preface.prologue(initiator: initiator, responder: responder, transcript: []))
        symmetric.mixKeyAndHash(psk(1).bytes)
        mix(e, into: &symmetric)
        return symmetric
    }

    private func mix(_ e: [UInt8], into symmetric: inout SymmetricState) {
        symmetric.mixHash(e)
        symmetric.mixKey(SecretBytes(copying: e))
    }

    @Test func `an ephemeral key of low order in the first message is refused`() throws {
        #expect(Self.lowOrderPoints.count == 7)
        for point in Self.lowOrderPoints {
            let responder = Endpoint.responder()
            responder.receive(preface.bytes)
            let answer = try Preface(parsing: responder.output())
            var symmetric = start(preface, answer, e: point)
            responder.receive(frame(point + (try symmetric.encryptAndHash([]))))
            #expect(responder.failure == .badKey)
            #expect(responder.output().isEmpty)
        }
    }

    @Test func `a static key of low order in the last message is refused`() throws {
        for point in Self.lowOrderPoints {
            let responder = Endpoint.responder()
            responder.receive(preface.bytes)
            let answer = try Preface(parsing: responder.output())
            let ephemeral = secret(7)
            var symmetric = start(preface, answer, e: ephemeral.publicKey)
            responder.receive(frame(ephemeral.publicKey + (try symmetric.encryptAndHash([]))))
            let second = Array(responder.output().dropFirst(2))
            mix(Array(second[..<32]), into: &symmetric)
            symmetric.mixKey(try ephemeral.agree(with: Array(second[..<32])))
            let remoteStatic = try symmetric.decryptAndHash(Array(second[32..<80]))
            symmetric.mixKey(try ephemeral.agree(with: remoteStatic))
            _ = try symmetric.decryptAndHash(Array(second[80...]))
            let third = try symmetric.encryptAndHash(point) + [UInt8](repeating: 0, count: 16)
            responder.receive(frame(third))
            #expect(responder.failure == .badKey)
            #expect(!responder.wasEstablished && responder.output().isEmpty)
        }
    }

    @Test func `keys of low order in the second message are refused`() throws {
        for point in Self.lowOrderPoints {
            for asStatic in [false, true] {
                let initiator = Endpoint.initiator()
                let theirs = try Preface(parsing: initiator.output())
                initiator.receive(preface.bytes)
                let first = Array(initiator.output().dropFirst(2))
                var symmetric = start(theirs, preface, e: Array(first[..<32]))
                _ = try symmetric.decryptAndHash(Array(first[32...]))
                let ephemeral = secret(7)
                let e = asStatic ? ephemeral.publicKey : point
                mix(e, into: &symmetric)
                if asStatic { symmetric.mixKey(try ephemeral.agree(with: Array(first[..<32]))) }
                let s = try symmetric.encryptAndHash(point)
                initiator.receive(frame(e + s + [UInt8](repeating: 0, count: 16)))
                #expect(initiator.failure == .badKey)
                #expect(!initiator.wasEstablished && initiator.output().isEmpty)
            }
        }
    }

    @Test func `a copy goes on independently of its source`() throws {
        var symmetric = start(preface, preface, e: [UInt8](repeating: 2, count: 32))
        var copy = symmetric.copy()
        let first = try symmetric.encryptAndHash([1])
        #expect((copy.handshakeHash) != symmetric.handshakeHash)
        #expect((try copy.encryptAndHash([1])) == first)
        #expect((copy.handshakeHash) == symmetric.handshakeHash)
        symmetric.mixHash([1])
        #expect((try copy.encryptAndHash([])) != (try symmetric.encryptAndHash([])))
    }
}
