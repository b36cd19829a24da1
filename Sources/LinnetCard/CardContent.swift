package import LinnetWire

/// The part of an emergency card that a device signs.
package struct CardContent: Equatable, Sendable {
    private static let version: UInt64 = 1
    /// The last millisecond that any reader's numbers have exactly.
    private static let lastMillisecond: Int64 = 1 << 53 - 1

    /// The group of the device.
    package let group: GroupID
    /// The device that signs.
    package let device: DeviceID
    /// The line that says whose card it is.
    package let title: String
    /// The time of signing, in Unix milliseconds.
    package let issuedMilliseconds: Int64
    /// The time from which it should not be relied on.
    package let expiresMilliseconds: Int64
    /// The scopes that it shows.
    package let scopes: [EmergencyCard.Scope]

    /// Joins what is to be signed. Throws ``CardError/longTitle``, ``CardError/badExpiry``, and
    /// ``CardError/tooLarge`` for a text that no reader takes.
    package init(
        group: GroupID, device: DeviceID, title: String, issuedMilliseconds: Int64, days: Int,
        scopes: [EmergencyCard.Scope]
    ) throws(CardError) {
        guard title.utf8.count <= Limits.cardTitleBytes else { throw .longTitle }
        guard (1...Limits.cardDays).contains(days) else { throw .badExpiry }
        guard scopes.allSatisfy(\.isReadable) else { throw .tooLarge }
        let issued = max(0, issuedMilliseconds)
        guard issued < Self.lastMillisecond - Int64(days) * 86_400_000 else { throw .badExpiry }
        (self.group, self.device, self.title) = (group, device, title)
        self.issuedMilliseconds = issued
        expiresMilliseconds = issued + Int64(days) * 86_400_000
        self.scopes = scopes
    }

    /// The canonical bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(7)
        writer.unsigned(Self.version)
        writer.bytes(group)
        writer.bytes(device)
        writer.signed(issuedMilliseconds)
        writer.signed(expiresMilliseconds)
        writer.text(title)
        writer.array(scopes.count)
        for scope in scopes {
            writer.array(2)
            writer.text(scope.name)
            writer.array(scope.sections.count)
            for section in scope.sections { Self.write(section, to: &writer) }
        }
        return writer.bytes
    }

    private static func write(_ section: EmergencyCard.Section, to writer: inout CBORWriter) {
        writer.array(2)
        writer.text(section.name)
        writer.array(section.entries.count)
        for entry in section.entries {
            writer.array(2)
            writer.text(entry.id)
            writer.array(entry.fields.count)
            for field in entry.fields {
                writer.array(2)
                writer.text(field.name)
                writer.text(field.text)
            }
        }
    }

    /// Reads the canonical bytes.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        try reader.array(exactly: 7)
        guard try reader.unsigned() == Self.version else { throw .unexpectedType }
        group = try reader.bytes32()
        device = try reader.bytes32()
        let last = UInt64(Self.lastMillisecond)
        issuedMilliseconds = Int64(try reader.unsigned(max: last))
        expiresMilliseconds = Int64(try reader.unsigned(max: last))
        guard issuedMilliseconds < expiresMilliseconds else { throw .tooLarge }
        title = try reader.text(max: Limits.cardTitleBytes)
        scopes = try reader.named { (reader, name) throws(WireError) in
            EmergencyCard.Scope(
                name: name,
                sections: try reader.named { (reader, name) throws(WireError) in
                    EmergencyCard.Section(name: name, entries: try Self.entries(&reader))
                })
        }
        try reader.finish()
    }

    private static func entries(
        _ reader: inout CBORReader
    ) throws(WireError) -> [EmergencyCard.Entry] {
        try reader.named { (reader, id) throws(WireError) in
            EmergencyCard.Entry(
                id: id,
                fields: try reader.named { (reader, name) throws(WireError) in
                    EmergencyCard.Field(name: name, text: try reader.text())
                })
        }
    }
}

extension EmergencyCard.Scope {
    /// True when every text has at most the bytes of a text that is read.
    fileprivate var isReadable: Bool {
        let isShort = { (text: String) in text.utf8.count <= Limits.cborStringBytes }
        return isShort(name)
            && sections.allSatisfy { section in
                isShort(section.name)
                    && section.entries.allSatisfy { entry in
                        isShort(entry.id)
                            && entry.fields.allSatisfy { isShort($0.name) && isShort($0.text) }
                    }
            }
    }
}

extension CBORReader {
    /// Reads an array of pairs of a name and something else.
    fileprivate mutating func named<Named>(
        _ read: (inout CBORReader, String) throws(WireError) -> Named
    ) throws(WireError) -> [Named] {
        var all: [Named] = []
        for _ in 0..<(try array()) {
            try array(exactly: 2)
            let name = try text()
            all.append(try read(&self, name))
        }
        return all
    }
}
