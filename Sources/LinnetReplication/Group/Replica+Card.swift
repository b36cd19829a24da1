import LinnetCrypto
import LinnetMembership

extension Replica {
    /// Signs the bytes of an emergency card as this device.
    package func signature(ofCard inner: [UInt8]) -> [UInt8] { keys.signing.sign(.card, inner) }
}
