import LinnetCrypto
package import LinnetWire

/// The first message of each side on a pairing channel: who speaks, and whether it has a group.
package struct PairHello: Equatable, Sendable {
    /// Longest name.
    package static let mostNameBytes = 64
    /// Longest kind.
    package static let mostKindBytes = 32

    /// The part that one side plays towards the other.
    package enum Part: Equatable, Sendable {
        /// Is a member, and admits the other side.
        case admits
        /// Is a newcomer, and is admitted.
        case joins
    }

    /// The speaker's keys.
    package let certificate: Certificate
    /// The name that its person gave it.
    package let name: String
    /// The kind of device that it says it is: phone, watch, laptop, hub or other.
    package let kind: String
    /// The group that it belongs to; nil for a newcomer.
    package let group: GroupID?

    /// Makes the greeting of this device; throws ``MembershipError/badLabel`` for a name or kind
    /// that is empty, too long, or has characters that a screen must not be given.
    package init(
        certificate: Certificate, name: String, kind: String, group: GroupID?
    ) throws(MembershipError) {
        guard
            Self.isShowable(name, most: Self.mostNameBytes),
            Self.isShowable(kind, most: Self.mostKindBytes)
        else { throw .badLabel }
        self.certificate = certificate
        self.name = name
        self.kind = kind
        self.group = group
    }

    /// The message body, bound to the channel by a signature over the side and the 64-byte
    /// handshake hash.
    package func encode(
        side: PairingSide, handshakeHash: [UInt8], keys: borrowing DeviceKeys
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.raw(certificate.encoded)
        writer.bytes(keys.signing.sign(.pairBind, [side.rawValue] + handshakeHash))
        writer.array(2)
        writer.text(name)
        writer.text(kind)
        writer.unsigned(group == nil ? 0 : 1)
        if let group {
            writer.bytes(group)
        } else {
            writer.null()
        }
        return writer.bytes
    }

    /// Reads the other side's message and checks that its certificate belongs to this channel.
    ///
    /// `side` is the speaker's, `remoteStatic` its key in the handshake, `own` this device. Throws
    /// ``MembershipError/badBinding`` or ``MembershipError/reflected`` beside errors of form.
    package init(
        decoding body: [UInt8], from side: PairingSide, handshakeHash: [UInt8],
        remoteStatic: [UInt8], own: DeviceID
    ) throws(MembershipError) {
        guard body.count <= Limits.pairHelloBytes else { throw .malformed(.tooLarge) }
        let (encoded, signature, name, kind, group) =
            try CanonicalForm.read(body) { (reader) throws(WireError) in
                try reader.array(exactly: 5)
                let certificate = try reader.rawItem()
                let signature = try reader.bytes(exactly: SigningKey.signatureBytes)
                try reader.array(exactly: 2)
                let name = try reader.text(max: Self.mostNameBytes)
                let kind = try reader.text(max: Self.mostKindBytes)
                let isMember = try reader.unsigned(max: 1) == 1
                let group = try reader.optional { (reader) throws(WireError) in
                    try reader.bytes32()
                }
                guard isMember == (group != nil) else { throw .unexpectedType }
                return (certificate, signature, name, kind, group)
            }
        let certificate = try Certificate(decoding: encoded)
        guard certificate.device != own else { throw .reflected }
        guard
            constantTimeEquals(certificate.noiseKey.array, remoteStatic),
            SigningKey.isValid(
                signature, .pairBind, [side.rawValue] + handshakeHash,
                publicKey: certificate.device.array)
        else { throw .badBinding }
        try self.init(certificate: certificate, name: name, kind: kind, group: group)
    }

    /// Returns the part that this side plays towards `peer`; throws when not exactly one of them is
    /// a member.
    package func part(with peer: PairHello) throws(MembershipError) -> Part {
        switch (group, peer.group) {
        case (nil, nil): throw .bothNewcomers
        case (nil, _?): return .joins
        case (_?, nil): return .admits
        case (let own?, let other?): throw own == other ? .sameGroup : .differentGroups
        }
    }

    /// Returns true when a text is short enough and free of control characters and of those that
    /// reorder what stands around them.
    private static func isShowable(_ text: String, most: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= most
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
                    // Joiners are part of many scripts and emoji.
                    scalar.value == 0x200c || scalar.value == 0x200d
                default: true
                }
            }
    }
}
