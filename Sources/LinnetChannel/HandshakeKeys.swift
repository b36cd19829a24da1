package import LinnetCrypto

/// The keys that one party brings to a handshake; a pattern uses those it names.
package struct HandshakeKeys: ~Copyable {
    private let staticKey: AgreementKey?
    private let ephemeralKey: AgreementKey?

    /// The peer's static public key, when the pattern's pre-messages name it.
    let remoteStatic: [UInt8]?
    /// The pre-shared keys in the order of their tokens.
    var psks: [SharedSecret]

    /// The party's own static public key, if it has one.
    let staticPublicKey: [UInt8]?
    /// The party's own ephemeral public key, if it has one.
    let ephemeralPublicKey: [UInt8]?

    /// Gathers the keys.
    package init(
        staticKey: consuming AgreementKey?, ephemeralKey: consuming AgreementKey?,
        remoteStatic: [UInt8]? = nil, psks: [SharedSecret] = []
    ) {
        staticPublicKey = Self.publicKey(of: staticKey)
        ephemeralPublicKey = Self.publicKey(of: ephemeralKey)
        self.staticKey = staticKey
        self.ephemeralKey = ephemeralKey
        self.remoteStatic = remoteStatic
        self.psks = psks
    }

    /// Writes the Diffie-Hellman result of the static key and `publicKey` over `shared`.
    borrowing func agreeStatic(
        with publicKey: [UInt8]?, into shared: inout SecretBytes
    ) throws(ChannelError) {
        try Self.agree(staticKey, publicKey, into: &shared)
    }

    /// Writes the Diffie-Hellman result of the ephemeral key and `publicKey` over `shared`.
    borrowing func agreeEphemeral(
        with publicKey: [UInt8]?, into shared: inout SecretBytes
    ) throws(ChannelError) {
        try Self.agree(ephemeralKey, publicKey, into: &shared)
    }

    private static func agree(
        _ pair: borrowing AgreementKey?, _ publicKey: [UInt8]?, into shared: inout SecretBytes
    ) throws(ChannelError) {
        switch pair {
        case .none: preconditionFailure("the pattern needs a key that is not there")
        case .some(let pair):
            guard let publicKey else {
                preconditionFailure("the pattern mixes no key that was not sent")
            }
            do {
                try pair.agree(with: publicKey, into: &shared)
            } catch {
                throw .badKey
            }
        }
    }

    private static func publicKey(of pair: borrowing AgreementKey?) -> [UInt8]? {
        switch pair {
        case .some(let pair): pair.publicKey
        case .none: nil
        }
    }
}
