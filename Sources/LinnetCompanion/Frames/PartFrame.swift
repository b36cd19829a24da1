package import LinnetWire

/// A sender's wishes for a transfer, which go with every part of it.
package struct TransferFlags: OptionSet, Equatable, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// The flags of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Sent for the watch face.
    package static let complication = TransferFlags(rawValue: 1)
    /// The receiver's app is to say when it has processed the transfer.
    package static let wantsProcessed = TransferFlags(rawValue: 2)
    /// A reply to the message is expected.
    package static let expectsReply = TransferFlags(rawValue: 4)
    /// Instead of a reply: the receiver's app ended without one.
    package static let noReply = TransferFlags(rawValue: 8)
}

/// A part of a payload.
package struct PartFrame: Equatable, Sendable {
    /// The fields that only parts of files have.
    package struct File: Equatable, Sendable {
        /// The `FileDigest` of the whole file.
        package var contentHash: Bytes32
        /// The encoded metadata; empty after the first part.
        package var metadata: [UInt8]
    }

    /// The transfer; in a reply, the message that it answers.
    package var id: TransferID
    /// The lane.
    package var lane: Lane
    /// The lowest number of the lane about which the sender may still ask.
    package var floor: UInt64
    /// The sender's wishes.
    package var flags: TransferFlags
    /// Bytes of the whole payload.
    package var total: UInt64
    /// The place at which this part starts.
    package var offset: UInt64
    /// The part, at most `Limits.companionPartBytes` bytes.
    package var bytes: [UInt8]
    /// The fields of a file; nil on every other lane.
    package var file: File?

    func write(to writer: inout CBORWriter) {
        writer.array(file == nil ? 8 : 10)
        writer.bytes(id.installation)
        writer.unsigned(UInt64(lane.rawValue))
        writer.unsigned(id.number)
        writer.unsigned(floor)
        writer.unsigned(UInt64(flags.rawValue))
        writer.unsigned(total)
        writer.unsigned(offset)
        writer.bytes(bytes)
        guard let file else { return }
        writer.bytes(file.contentHash)
        writer.bytes(file.metadata)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> PartFrame {
        let count = try reader.array()
        let installation = try reader.bytes8()
        let lane = try Lane.read(from: &reader)
        guard count == (lane == .file ? 10 : 8) else { throw .badLength }
        let number = try reader.unsigned()
        let floor = try reader.unsigned()
        let flags = try reader.unsigned(max: 15)
        let total = try reader.unsigned()
        let offset = try reader.unsigned()
        let bytes = try reader.bytes(max: Limits.companionPartBytes)
        let end = offset.addingReportingOverflow(UInt64(bytes.count))
        guard number > 0, floor <= number, !end.overflow, end.partialValue <= total else {
            throw .badLength
        }
        var file: File?
        if lane == .file {
            file = File(
                contentHash: try reader.bytes32(),
                metadata: try reader.bytes(max: Payload.metadataBytes))
        }
        return PartFrame(
            id: TransferID(installation: installation, number: number), lane: lane, floor: floor,
            flags: TransferFlags(rawValue: UInt8(truncatingIfNeeded: flags)), total: total,
            offset: offset, bytes: bytes, file: file)
    }
}
