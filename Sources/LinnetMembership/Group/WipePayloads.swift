package import LinnetWire

/// The payload that asks a device which was removed to destroy itself: kind 128, which devices that
/// do not know it pass on.
package struct WipePayload: Equatable, Sendable {
    /// The kind of a record with it.
    package static let kind: UInt8 = 128

    /// The device.
    package let device: DeviceID
    /// The removal that took it out of the group.
    package let removal: MemberRecordID
    /// The author's clock, in Unix milliseconds.
    package let wallMilliseconds: Int64

    /// Asks a device.
    package init(device: DeviceID, removal: MemberRecordID, wallMilliseconds: Int64) {
        (self.device, self.removal) = (device, removal)
        self.wallMilliseconds = wallMilliseconds
    }

    /// Reads the payload of a record; nil for another kind, and for bytes that mean nothing.
    package init?(_ record: MemberRecord) {
        let parts = record.payload(of: Self.kind) { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            return (
                try reader.bytes32(), try reader.bytes32(),
                try reader.unsigned(max: UInt64(Int64.max))
            )
        }
        guard let parts else { return nil }
        self.init(device: parts.0, removal: parts.1, wallMilliseconds: Int64(parts.2))
    }

    /// The canonical bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(device)
        writer.bytes(removal)
        writer.unsigned(UInt64(clamping: wallMilliseconds))
        return writer.bytes
    }
}

/// The payload by which a device says that it holds a record, and of a wipe that asks it that it
/// obeys: kind 129, which devices that do not know it pass on.
package struct ReceiptPayload: Equatable, Sendable {
    /// The kind of a record with it.
    package static let kind: UInt8 = 129

    /// The record that the author holds.
    package let record: MemberRecordID
    /// The author's clock, in Unix milliseconds.
    package let wallMilliseconds: Int64

    /// Names the record.
    package init(record: MemberRecordID, wallMilliseconds: Int64) {
        (self.record, self.wallMilliseconds) = (record, wallMilliseconds)
    }

    /// Reads the payload of a record; nil for another kind, and for bytes that mean nothing.
    package init?(_ record: MemberRecord) {
        let parts = record.payload(of: Self.kind) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (try reader.bytes32(), try reader.unsigned(max: UInt64(Int64.max)))
        }
        guard let parts else { return nil }
        self.init(record: parts.0, wallMilliseconds: Int64(parts.1))
    }

    /// The canonical bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(record)
        writer.unsigned(UInt64(clamping: wallMilliseconds))
        return writer.bytes
    }
}
