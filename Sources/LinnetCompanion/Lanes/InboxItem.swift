import LinnetWire

/// A received user info or file that the app has not had, or has not processed.
struct InboxItem: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case userInfo([UInt8])
        case file(byteCount: UInt64, contentHash: Bytes32, metadata: [UInt8])
    }

    /// Its place in the order of arrival.
    let arrival: UInt64
    let id: TransferID
    let flags: TransferFlags
    let content: Content
    /// True when the app was handed it, in this life or an earlier one.
    var isHanded = false
    /// True when the app was handed it in this life.
    var isHandedNow = false
    /// True when the app has moved the file away.
    var isClaimed = false

    var wantsProcessed: Bool { flags.contains(.wantsProcessed) }

    var lane: Lane {
        if case .file = content { .file } else { .userInfo }
    }

    /// The event that the delegate is told; nil for content that is no dictionary.
    var event: CompanionEvent? {
        switch content {
        case .userInfo(let bytes):
            guard let userInfo = try? Payload.dictionary(bytes) else { return nil }
            return .receivedUserInfo(
                ReceivedUserInfo(
                    id: id, userInfo: userInfo, isComplication: flags.contains(.complication),
                    wantsProcessed: wantsProcessed, isRepeated: isHanded))
        case .file(let byteCount, let hash, let metadata):
            guard let metadata = try? Payload.dictionary(metadata) else { return nil }
            return .receivedFile(
                ReceivedFile(
                    id: id, byteCount: byteCount, contentHash: hash, metadata: metadata,
                    wantsProcessed: wantsProcessed, isRepeated: isHanded))
        }
    }

    func write(to writer: inout CBORWriter) {
        var fileItems = 0
        if case .file = content { fileItems = 2 }
        writer.array(6 + fileItems)
        writer.bytes(id.installation)
        writer.unsigned(id.number)
        writer.unsigned(UInt64(flags.rawValue))
        writer.bool(isHanded)
        writer.bool(isClaimed)
        switch content {
        case .userInfo(let bytes): writer.bytes(bytes)
        case .file(let byteCount, let hash, let metadata):
            writer.bytes(metadata)
            writer.unsigned(byteCount)
            writer.bytes(hash)
        }
    }

    static func read(arrival: UInt64, row: [UInt8]) throws(WireError) -> InboxItem {
        var reader = CBORReader(row)
        let count = try reader.array(max: 8)
        let id = TransferID(installation: try reader.bytes8(), number: try reader.unsigned())
        let flags = TransferFlags(
            rawValue: UInt8(truncatingIfNeeded: try reader.unsigned(max: 15)))
        let isHanded = try reader.bool()
        let isClaimed = try reader.bool()
        let bytes = try reader.bytes(max: Payload.messageBytes)
        let content: Content =
            count == 6
            ? .userInfo(bytes)
            : .file(
                byteCount: try reader.unsigned(), contentHash: try reader.bytes32(),
                metadata: bytes)
        try reader.finish()
        var item = InboxItem(arrival: arrival, id: id, flags: flags, content: content)
        item.isHanded = isHanded
        item.isClaimed = isClaimed
        return item
    }
}
