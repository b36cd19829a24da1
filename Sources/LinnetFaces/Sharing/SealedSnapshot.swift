package import LinnetCrypto

/// A snapshot as the bytes that a widget can check, and the key to check them with.
public struct SealedSnapshot: Equatable, Sendable {
    /// The signed bytes, at most 1 MiB.
    public let bytes: [UInt8]
    /// The 32 bytes of the public key.
    public let publicKey: [UInt8]

    /// Signs a snapshot; throws `tooLarge` where it has more than a reader takes.
    package init(_ snapshot: FaceSnapshot, by key: borrowing SigningKey) throws(FacesError) {
        bytes = try snapshot.sealed(by: key)
        publicKey = key.publicKey
    }
}
