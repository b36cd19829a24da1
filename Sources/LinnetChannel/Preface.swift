import LinnetCrypto

/// The first 24 bytes of each direction, in clear and bound into the handshake's prologue.
package struct Preface: Equatable, Sendable {
    /// Number of bytes.
    package static let count = 24
    /// Number of bytes of the nonce.
    package static let nonceBytes = 16
    /// The protocol versions that this implementation speaks between members.
    package static let spokenVersions: ClosedRange<UInt8> = 1...1
    /// Those that it speaks while it pairs: the second one shows the group's schema, and the third
    /// one says moreover that its device reads batches that are sealed by scope.
    package static let pairingVersions: ClosedRange<UInt8> = 1...3
    /// The first version in which a pairing shows the group's schema.
    package static let showingSchema: UInt8 = 2
    /// The first version of devices that read batches which are sealed by scope.
    package static let readingScoped: UInt8 = 3

    private static let magic = Array("LNT1".utf8)

    /// The versions that the sender speaks.
    package let versions: ClosedRange<UInt8>
    /// The purpose for which the link is opened.
    package let mode: ChannelMode
    /// Fresh random bytes.
    package let nonce: [UInt8]
    /// The 24 bytes on the wire.
    package let bytes: [UInt8]

    /// A preface to send; the nonce has 16 bytes.
    package init(
        mode: ChannelMode, nonce: [UInt8], versions: ClosedRange<UInt8> = Self.spokenVersions
    ) {
        precondition(nonce.count == Self.nonceBytes, "a preface has a nonce of 16 bytes")
        self.versions = versions
        self.mode = mode
        self.nonce = nonce
        bytes = Self.magic + [versions.lowerBound, versions.upperBound, mode.rawValue, 0] + nonce
    }

    /// Reads a received preface.
    package init(parsing bytes: [UInt8]) throws(ChannelError) {
        guard bytes.count == Self.count, bytes.starts(with: Self.magic) else { throw .badMagic }
        guard bytes[4] <= bytes[5] else { throw .version }
        guard let mode = ChannelMode(rawValue: bytes[6]) else { throw .mode }
        guard bytes[7] == 0 else { throw .protocolViolation }
        self.init(mode: mode, nonce: Array(bytes[8...]), versions: bytes[4]...bytes[5])
    }

    /// Checks that the two ends can go on with each other: a common version, one mode, and not
    /// one's own preface sent back.
    package func check(with remote: Preface) throws(ChannelError) {
        guard versions.overlaps(remote.versions) else { throw .version }
        guard mode == remote.mode else { throw .mode }
        guard nonce != remote.nonce else { throw .protocolViolation }
    }

    /// The version that two ends use.
    package static func version(of initiator: Preface, and responder: Preface) -> UInt8 {
        min(initiator.versions.upperBound, responder.versions.upperBound)
    }

    /// The handshake's prologue; the PAKE transcript is empty but when pairing by code.
    package static func prologue(
        initiator: Preface, responder: Preface, transcript: [UInt8]
    ) -> [UInt8] {
        Label.noise.bytes + initiator.bytes + responder.bytes + transcript
    }
}
