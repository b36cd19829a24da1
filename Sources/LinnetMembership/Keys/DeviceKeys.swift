package import LinnetCrypto
package import LinnetWire

/// Everything secret that makes a device: three key pairs and the key of its database.
package struct DeviceKeys: ~Copyable, Sendable {
    /// Number of secret bytes: signing seed, noise secret, seal secret and database key.
    package static let secretBytes = 128

    /// The Ed25519 pair that names the device and signs what it makes.
    package let signing: SigningKey
    /// The X25519 pair for handshakes; a session takes a copy of it.
    package let noise: AgreementKey
    /// The X25519 pair to which epoch keys are sealed.
    package let seal: AgreementKey
    /// The key of the rows at rest, 32 bytes.
    package let databaseKey: SecretBytes
    /// The public halves, signed; always the same bytes for the same keys.
    package let certificate: Certificate

    let secret: SecretBytes

    /// Makes new keys at the given Unix time.
    package init(createdMilliseconds: Int64, entropy: inout Entropy) {
        self.init(
            secret: entropy.secret(Self.secretBytes), createdMilliseconds: createdMilliseconds)
    }

    /// Takes over the 128 bytes that the key file keeps.
    init(secret: consuming SecretBytes, createdMilliseconds: Int64) {
        precondition(secret.count == Self.secretBytes, "a device has 128 secret bytes")
        signing = SigningKey(seed: secret.slice(0..<32))
        noise = AgreementKey(secret: secret.slice(32..<64))
        seal = AgreementKey(secret: secret.slice(64..<96))
        databaseKey = secret.slice(96..<128)
        certificate = Certificate(
            signing: signing, noise: noise, seal: seal, createdMilliseconds: createdMilliseconds)
        self.secret = secret
    }

    /// The same keys once more, which are wiped on their own.
    package borrowing func copy() -> DeviceKeys {
        DeviceKeys(
            secret: secret.slice(0..<Self.secretBytes),
            createdMilliseconds: certificate.createdMilliseconds)
    }

    /// The device's name.
    package var device: DeviceID { certificate.device }
}
