/// An error of this module; no case carries a secret or bytes from outside.
package enum CryptoError: Error, Equatable, Sendable {
    /// A key, nonce, signature, box or point does not have its exact length.
    case badLength
    /// A public key or group element is invalid, of low order, or the identity.
    case badKey
    /// A ciphertext or box does not authenticate.
    case badTag
    /// Cost parameters lie outside the accepted range.
    case badParameters
    /// The memory that a password hash asks for is not available.
    case outOfMemory
}
