import LinnetCRDT
import LinnetCompanion
import LinnetWire

extension JSON {
    /// Writes a dictionary in the order of its names, with bytes in hexadecimal and points in time
    /// as texts.
    static func object(_ dictionary: CompanionDictionary) -> JSON {
        .object(
            dictionary.keys.sorted().compactMap { name in
                dictionary[name].map { Member(name, JSON($0)) }
            })
    }

    private init(_ value: CompanionValue) {
        self =
            switch value {
            case .bool(let value): .bool(value)
            case .int(let value): .integer(value)
            case .real(let value): .number("\(value)")
            case .text(let value): .text(value)
            case .data(let bytes): .text(Hex.encode(bytes))
            case .date(let milliseconds): .text(LinnetCRDT.Value.instant(milliseconds).description)
            case .array(let values): .array(values.map { JSON($0) })
            case .dictionary(let values): .object(values)
            }
    }
}

extension CompanionTransferStatus {
    var json: JSON {
        [
            "id": .text(id.description), "current": .bool(isCurrentComplicationInfo),
            "sent": .integer(sentBytes), "total": .integer(totalBytes),
        ]
    }
}

extension CompanionSessionEvent {
    /// The event as one object.
    var json: JSON {
        switch self {
        case .reachabilityDidChange: ["event": "reachability"]
        case .watchStateDidChange: ["event": "watchState"]
        case .activationDidChange(let isActivated):
            ["event": "activation", "activated": .bool(isActivated)]
        case .didReceiveMessage(let message):
            [
                "event": "message", "id": .text(message.id.description),
                "content": .object(message.content), "expectsReply": .bool(message.expectsReply),
            ]
        case .didReceiveApplicationContext(let context):
            ["event": "context", "content": .object(context)]
        case .didReceiveUserInfo(let info):
            [
                "event": "userInfo", "id": .text(info.id.description),
                "content": .object(info.userInfo), "complication": .bool(info.isComplication),
                "repeated": .bool(info.isRepeated),
            ]
        case .didReceiveFile(let file):
            [
                "event": "file", "id": .text(file.id.description),
                "bytes": .integer(file.byteCount), "content": .object(file.metadata),
            ]
        case .didFinishUserInfoTransfer(let transfer, let error):
            Self.finished("userInfoFinished", transfer, error)
        case .didFinishFileTransfer(let transfer, let error):
            Self.finished("fileFinished", transfer, error)
        case .transferProcessed(let id):
            ["event": "processed", "id": .text(id.description)]
        }
    }

    private static func finished(
        _ name: String, _ transfer: CompanionTransferStatus, _ error: CompanionSessionError?
    ) -> JSON {
        [
            "event": .text(name), "id": .text(transfer.id.description),
            "error": error.map { .text($0.description) } ?? .null,
        ]
    }
}

extension CompanionTransferID: CustomStringConvertible {
    /// The sender's installation and the number, as in `0011223344556677-5`.
    public var description: String {
        "\(Hex.encode(id.installation.array))-\(id.number)"
    }

    /// Reads a description; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Hex.decode(String(parts[0])),
            let installation = Bytes8(bytes), let number = UInt64(parts[1])
        else { return nil }
        self.init(TransferID(installation: installation, number: number))
    }
}

extension CompanionSessionError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do next.
    public var description: String {
        switch self {
        case .genericError: "the session failed"
        case .sessionNotSupported:
            "this device is neither a phone nor a watch of a group: 'linnet init --kind phone'"
                + " or '--kind watch' makes one"
        case .sessionNotActivated: "the session is not activated"
        case .sessionInactive: "the session is changing watches: try again soon"
        case .deviceNotPaired: "no watch is paired with this phone: 'pair' and 'join --kind watch'"
        case .watchAppNotInstalled: "the watch never met this phone: run both once"
        case .companionAppNotInstalled: "the phone never met this watch: run both once"
        case .notReachable:
            "the other side cannot take a message now, and nothing was sent: run both, and on "
                + "the watch 'companion watch'"
        case .invalidParameter: "a parameter is wrong, or the transfer is not there"
        case .payloadTooLarge: "that is more than the lane takes"
        case .payloadUnsupportedTypes: "property lists have no such value"
        case .messageReplyFailed: "the other side got the message and gave no reply"
        case .messageReplyTimedOut: "no reply came in time; the message may have arrived"
        case .fileAccessDenied: "the file cannot be read or written"
        case .deliveryFailed: "the other side did not take it"
        case .insufficientSpace: "too much waits already"
        case .transferTimedOut: "the transfer took too long"
        case .outcomeUnknown: "the message was sent, and what became of it is not known"
        case .stopped: "the node stopped or is locked"
        }
    }
}
