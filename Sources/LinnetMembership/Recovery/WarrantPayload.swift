import LinnetWire

/// The payload by which a recovery key says that its phrase was drawn, so that doors may lie in
/// mailboxes for it: kind 130, which devices that do not know it pass on.
///
/// Only who has the phrase can sign it, and the signature is over the group: so it also proves that
/// the phrase is of this group.
package struct WarrantPayload: Equatable, Sendable {
    /// The kind of a record with it.
    package static let kind: UInt8 = 130

    /// The clock of the device that signed it, in Unix milliseconds.
    package let wallMilliseconds: Int64

    /// Names the time.
    package init(wallMilliseconds: Int64) { self.wallMilliseconds = wallMilliseconds }

    /// Reads the payload of a record; nil for another kind, and for bytes that mean nothing.
    package init?(_ record: MemberRecord) {
        let time = record.payload(of: Self.kind) { (reader) throws(WireError) in
            try reader.array(exactly: 1)
            return try reader.unsigned(max: UInt64(Int64.max))
        }
        guard let time else { return nil }
        self.init(wallMilliseconds: Int64(time))
    }

    /// The canonical bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(1)
        writer.unsigned(UInt64(clamping: wallMilliseconds))
        return writer.bytes
    }
}

extension GroupRecovery {
    /// True when the recovery key in force signed that its phrase was drawn.
    package var hasWarrant: Bool {
        guard let key = log.state.recovery?.device else { return false }
        return log.records.contains { $0.author == key && WarrantPayload($0) != nil }
    }

    /// True when this recovery key or one before it signed that its phrase was drawn.
    package var hadWarrant: Bool {
        log.records.contains { isKey($0.author) && WarrantPayload($0) != nil }
    }

    /// A record by which the recovery key says that its phrase was drawn; the caller inserts it.
    /// Nil where it was not, or where there is one.
    ///
    /// - Parameters:
    ///   - phrase: the phrase of the key in force.
    ///   - keys: what the phrase yields.
    ///   - wallMilliseconds: the clock of this device, in Unix milliseconds.
    package func warrant(
        for phrase: RecoveryPhrase, keys: borrowing DeviceKeys, wallMilliseconds: Int64
    ) throws(MembershipError) -> MemberRecord? {
        guard phrase.isDrawn, !hasWarrant, log.state.recovery == keys.certificate else {
            return nil
        }
        return try MemberRecord.made(
            of: WarrantPayload(wallMilliseconds: max(0, wallMilliseconds)).encoded,
            kind: WarrantPayload.kind, on: log.parents(by: keys.device, naming: nil), in: log,
            keys: keys)
    }
}
