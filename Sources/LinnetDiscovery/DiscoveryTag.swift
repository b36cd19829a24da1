package import LinnetCrypto
package import LinnetWire

/// The key with which members of one epoch recognise each other's announcements.
package struct DiscoveryKey: Sendable {
    /// The epoch whose network key it comes from.
    package let epoch: EpochID
    fileprivate let secret: SharedSecret

    /// Derives the key from an epoch's network key.
    package init(epoch: EpochID, networkKey: borrowing SecretBytes) {
        self.epoch = epoch
        secret = SharedSecret(KeyDerivation.derive(networkKey, .disc))
    }

    /// Takes a key that was derived already.
    package init(epoch: EpochID, derived secret: SharedSecret) {
        self.epoch = epoch
        self.secret = secret
    }
}

/// Eight bytes that mean something only to holders of the epoch's network key.
///
/// The first 8 bytes of BLAKE2b-256 (RFC 7693), keyed by the discovery key, over the instance
/// name, the port (big endian) and the Unix hour (64 bits, big endian): a copy of the
/// announcement under another name, on another port or hours later matches nothing.
package enum DiscoveryTag {
    /// The tag of an instance for one hour.
    package static func tag(
        key: DiscoveryKey, name: InstanceName, port: UInt16, hour: UInt64
    ) -> Bytes8 {
        var message = Array(name.text.utf8)
        BigEndian.append(port, to: &message)
        BigEndian.append(hour, to: &message)
        let digest = Hash.keyed(by: key.secret.bytes, nil, message)
        return Bytes8(Array(digest.prefix(8))) ?? .zero
    }

    /// The Unix hour of a wall clock in milliseconds; 0 for a clock before 1970.
    package static func hour(wallMilliseconds: Int64) -> UInt64 {
        UInt64(max(0, wallMilliseconds)) / 3_600_000
    }
}
