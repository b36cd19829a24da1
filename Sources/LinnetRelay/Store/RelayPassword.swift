import LinnetCrypto
import LinnetWire

/// Passwords of accounts: 32 random bytes, of which a relay keeps a hash.
package enum RelayPassword {
    private static let bytes = 32
    /// The hash that stands for that of an account which there is not.
    private static let none = [UInt8](repeating: 0, count: bytes)

    /// Draws a password: 52 characters of base 32.
    static func draw() -> String {
        TextAlphabet.base32.encode(SystemEntropy.seed().exposed())
    }

    /// Returns the hash of a password. It holds as much chance as the hash has bytes, so that
    /// nobody finds it by trying.
    static func hash(_ password: [UInt8]) -> [UInt8] { Hash.blake2b(.relayPassword, password) }

    /// True for the password with a hash; it takes the same time where there is no such account.
    static func isRight(_ password: [UInt8], for kept: [UInt8]?) -> Bool {
        constantTimeEquals(hash(password), kept ?? none) && kept != nil
    }
}
