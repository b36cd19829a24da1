import LinnetWire

/// A user info or file on its way to a counterpart.
struct OutgoingTransfer: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case userInfo([UInt8])
        case file(OutgoingFile, metadata: [UInt8])
    }

    enum Stage: Equatable, Sendable {
        /// The counterpart has these many bytes of it.
        case waiting(has: UInt64)
        case stored
        case delivered
        case processed
        case failed(code: UInt64)
    }

    let id: TransferID
    var flags: TransferFlags
    let importance: Importance
    let content: Content
    /// True when it is the one for the watch face.
    var isCurrent = false
    /// True when it left with a wake from the complication budget.
    var isPaidByFace = false
    var stage = Stage.waiting(has: 0)
    /// True when the app knows that it finished.
    var isTold = false
    var pacer = Pacer()
    /// True when the shell was asked for bytes of the file.
    var isReading = false

    var lane: Lane {
        if case .file = content { .file } else { .userInfo }
    }

    var totalBytes: UInt64 {
        switch content {
        case .userInfo(let bytes): UInt64(bytes.count)
        case .file(let file, _): file.byteCount
        }
    }

    var isWaiting: Bool {
        if case .waiting = stage { true } else { false }
    }

    /// True when the counterpart's app has it, or never will.
    var isFinished: Bool {
        switch stage {
        case .waiting, .stored: false
        case .delivered, .processed, .failed: true
        }
    }

    /// The error of a finished transfer.
    var error: CompanionError? {
        guard case .failed(let code) = stage else { return nil }
        return CompanionError(platformCode: Int(truncatingIfNeeded: code)) ?? .deliveryFailed
    }

    /// As the app sees it.
    var view: CompanionTransfer {
        let sent: UInt64 =
            switch stage {
            case .waiting(let has): has
            case .stored, .delivered, .processed: totalBytes
            case .failed: 0
            }
        return CompanionTransfer(
            id: id, isCurrentComplicationInfo: isCurrent, sentBytes: sent, totalBytes: totalBytes,
            isStored: stage == .stored)
    }
}

extension OutgoingTransfer {
    func write(to writer: inout CBORWriter) {
        let (stage, value): (UInt64, UInt64) =
            switch self.stage {
            case .waiting(let has): (0, has)
            case .stored: (1, 0)
            case .delivered: (2, 0)
            case .processed: (3, 0)
            case .failed(let code): (4, code)
            }
        writer.array(7)
        writer.unsigned(UInt64(flags.rawValue))
        writer.unsigned(UInt64(importance.rawValue))
        writer.bool(isCurrent)
        writer.bool(isPaidByFace)
        writer.bool(isTold)
        writer.unsigned(stage)
        writer.unsigned(value)
    }

    func writeContent(to writer: inout CBORWriter) {
        switch content {
        case .userInfo(let bytes): writer.raw(bytes)
        case .file(let file, let metadata):
            writer.array(4)
            writer.text(file.reference)
            writer.unsigned(file.byteCount)
            writer.bytes(file.contentHash)
            writer.bytes(metadata)
        }
    }

    static func read(
        id: TransferID, row: [UInt8], payload: [UInt8]
    ) throws(WireError) -> OutgoingTransfer {
        let content = try readContent(payload)
        var reader = CBORReader(row)
        try reader.array(exactly: 7)
        let flags = try reader.unsigned(max: 15)
        let importance = try reader.unsigned(max: 3)
        guard let importance = Importance(rawValue: UInt8(truncatingIfNeeded: importance)) else {
            throw .unexpectedType
        }
        var transfer = OutgoingTransfer(
            id: id, flags: TransferFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
            importance: importance, content: content)
        transfer.isCurrent = try reader.bool()
        transfer.isPaidByFace = try reader.bool()
        transfer.isTold = try reader.bool()
        let stage = try reader.unsigned(max: 4)
        let value = try reader.unsigned()
        transfer.stage =
            switch stage {
            case 0: .waiting(has: min(value, transfer.totalBytes))
            case 1: .stored
            case 2: .delivered
            case 3: .processed
            default: .failed(code: value)
            }
        try reader.finish()
        return transfer
    }

    private static func readContent(_ payload: [UInt8]) throws(WireError) -> Content {
        var reader = CBORReader(payload)
        guard try reader.peek() == .array else {
            _ = try Payload.dictionary(payload)
            return .userInfo(payload)
        }
        try reader.array(exactly: 4)
        let reference = try reader.text()
        let count = try reader.unsigned()
        let hash = try reader.bytes32()
        let metadata = try reader.bytes(max: Payload.metadataBytes)
        try reader.finish()
        let file = OutgoingFile(
            reference: reference, byteCount: count, contentHash: hash,
            metadata: try Payload.dictionary(metadata))
        return .file(file, metadata: metadata)
    }
}
