package import LinnetCrypto
package import LinnetWire

/// A device's three public keys, signed by the first of them.
package struct Certificate: Equatable, Sendable {
    /// The Ed25519 key, which is the device's name.
    package let device: DeviceID
    /// The X25519 key that the device uses in handshakes only.
    package let noiseKey: Bytes32
    /// The X25519 key to which epoch keys are sealed.
    package let sealKey: Bytes32
    /// Unix time of the keys' creation, from 0 on, by the device's own clock.
    package let createdMilliseconds: Int64
    /// The canonical bytes, signature included.
    package let encoded: [UInt8]

    private static let version: UInt64 = 1

    /// Signs a certificate for the public halves of three key pairs; a time before 1970 becomes 0.
    package init(
        signing: borrowing SigningKey, noise: borrowing AgreementKey, seal: borrowing AgreementKey,
        createdMilliseconds: Int64
    ) {
        device = ExactLength.bytes32(signing.publicKey)
        noiseKey = ExactLength.bytes32(noise.publicKey)
        sealKey = ExactLength.bytes32(seal.publicKey)
        self.createdMilliseconds = max(0, createdMilliseconds)
        var inner = CBORWriter()
        inner.array(5)
        inner.unsigned(Self.version)
        inner.bytes(device)
        inner.bytes(noiseKey)
        inner.bytes(sealKey)
        inner.signed(self.createdMilliseconds)
        var outer = CBORWriter()
        outer.array(2)
        outer.raw(inner.bytes)
        outer.bytes(signing.sign(.cert, inner.bytes))
        encoded = outer.bytes
    }

    /// Reads a certificate and checks its signature.
    package init(decoding bytes: [UInt8]) throws(MembershipError) {
        let (inner, signature) = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (
                try reader.rawItem(), try reader.bytes(exactly: SigningKey.signatureBytes)
            )
        }
        (device, noiseKey, sealKey, createdMilliseconds) =
            try CanonicalForm.read(inner) { (reader) throws(WireError) in
                try reader.array(exactly: 5)
                guard try reader.unsigned() == Self.version else { throw .unexpectedType }
                return (
                    try reader.bytes32(), try reader.bytes32(), try reader.bytes32(),
                    Int64(try reader.unsigned(max: UInt64(Int64.max)))
                )
            }
        encoded = bytes
        guard
            SigningKey.isValid(signature, .cert, inner, publicKey: device.array),
            noiseKey != sealKey, noiseKey != device, sealKey != device
        else { throw .badCertificate }
    }

    /// Returns true when the two certificates have any key in common, whatever it serves for.
    package func sharesKey(with other: Certificate) -> Bool {
        let others = [other.device, other.noiseKey, other.sealKey]
        return others.contains(device) || others.contains(noiseKey) || others.contains(sealKey)
    }
}
