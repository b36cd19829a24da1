import LinnetWire

/// A file of which a part is in the inbox.
struct PartialFile: Equatable, Sendable {
    let id: TransferID
    let flags: TransferFlags
    let total: UInt64
    let contentHash: Bytes32
    let metadata: [UInt8]
    /// Bytes in the inbox.
    var offset: UInt64 = 0
    /// The digest of them.
    var digest = FileDigest()

    func write(to writer: inout CBORWriter) {
        writer.array(8)
        writer.bytes(id.installation)
        writer.unsigned(id.number)
        writer.unsigned(UInt64(flags.rawValue))
        writer.unsigned(total)
        writer.bytes(contentHash)
        writer.bytes(metadata)
        writer.unsigned(offset)
        writer.bytes(digest.value)
    }

    static func read(_ row: [UInt8]) throws(WireError) -> PartialFile {
        var reader = CBORReader(row)
        try reader.array(exactly: 8)
        let id = TransferID(installation: try reader.bytes8(), number: try reader.unsigned())
        let flags = TransferFlags(
            rawValue: UInt8(truncatingIfNeeded: try reader.unsigned(max: 15)))
        var file = PartialFile(
            id: id, flags: flags, total: try reader.unsigned(),
            contentHash: try reader.bytes32(),
            metadata: try reader.bytes(max: Payload.metadataBytes))
        file.offset = try reader.unsigned(max: file.total)
        file.digest = FileDigest(value: try reader.bytes32())
        try reader.finish()
        return file
    }
}
