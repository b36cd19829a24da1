package import LinnetCrypto
import LinnetWire

/// The secret that a key exchange by code yields for the handshake that follows.
package struct AgreedSecret: Sendable {
    /// The pre-shared key, 32 bytes; equal on both sides only if the codes were.
    package let psk: SharedSecret
    /// Both shares, the typer's first, for the handshake's prologue; 64 bytes.
    package let shares: [UInt8]
}

/// One side of one key exchange by code: bytes out, bytes in, and then it is used up.
package struct PairingExchange: ~Copyable, Sendable {
    private static let prefaceBytes = 24
    private static let nonceOffset = 8

    /// The bytes to send to the other side.
    package let share: [UInt8]

    private let side: PairingSide
    private let session: [UInt8]
    private let scalar: SecretBytes

    /// Begins on one side, with the 24-byte prefaces of the link.
    ///
    /// Throws ``MembershipError/reflected`` when both prefaces carry one nonce.
    package init(
        side: PairingSide, code: PairingCode, initiatorPreface: [UInt8],
        responderPreface: [UInt8], entropy: inout Entropy
    ) throws(MembershipError) {
        guard
            initiatorPreface.count == Self.prefaceBytes,
            responderPreface.count == Self.prefaceBytes
        else { throw .malformed(.badLength) }
        let initiatorNonce = Array(initiatorPreface[Self.nonceOffset...])
        let responderNonce = Array(responderPreface[Self.nonceOffset...])
        guard initiatorNonce != responderNonce else { throw .reflected }
        let session = initiatorNonce + responderNonce
        let channel = CPace.lvCat(
            Label.pair.bytes, PairingSide.typer.associatedData,
            PairingSide.shower.associatedData, initiatorPreface, responderPreface)
        let generator = CPace.generator(
            password: Array(code.digits.utf8), channel: channel, session: session)
        let scalar = Ristretto.scalar(reducing: entropy.secret(Ristretto.uniformBytes))
        share = try CPace.share(scalar: scalar, generator: generator)
        self.side = side
        self.session = session
        self.scalar = scalar
    }

    /// Ends with the other side's share.
    ///
    /// Throws ``MembershipError/badShare`` or ``MembershipError/reflected``; a wrong code is not
    /// seen here, but when the handshake under ``AgreedSecret/psk`` fails.
    package consuming func finish(
        with peerShare: [UInt8]
    ) throws(MembershipError) -> AgreedSecret {
        guard peerShare != share else { throw .reflected }
        let shares = side == .typer ? (share, peerShare) : (peerShare, share)
        let transcript = CPace.transcript(
            initiatorShare: shares.0, initiatorData: PairingSide.typer.associatedData,
            responderShare: shares.1, responderData: PairingSide.shower.associatedData)
        let key = try CPace.sessionKey(
            scalar: scalar, peerShare: peerShare, session: session, transcript: transcript)
        let psk = KeyDerivation.derive(
            key, .pairPSK, CPace.sessionOutput(transcript: transcript))
        return AgreedSecret(psk: SharedSecret(psk), shares: shares.0 + shares.1)
    }
}
