package import LinnetWire

/// An act of a command on the companion lanes; dictionaries are payloads, as the lanes carry them.
package enum CompanionAction: Equatable, Sendable {
    /// Tell the state of the lanes.
    case status
    /// Send a message and wait for its reply.
    case send([UInt8])
    /// Replace the context.
    case context([UInt8])
    /// Queue a user info.
    case info([UInt8])
    /// Queue a user info for the watch face; from the phone.
    case complication([UInt8])
    /// Say whether the complication is on the face; on the watch.
    case face(isOn: Bool)
    /// Queue the file at an absolute path.
    case file(path: String, metadata: [UInt8])
    /// Withdraw a transfer by its name.
    case cancel(String)
    /// Be the app until `cancel`: answer messages with `reply`, and put files into a directory.
    case watch(reply: [UInt8]?, directory: String?)
}

/// Something of the companion lanes.
package struct CompanionRequest: ControlRequest {
    package typealias Answer = CompanionLine
    package static let number: UInt64 = 44
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.action) }

    /// The act.
    package var action: CompanionAction

    /// Asks.
    package init(_ action: CompanionAction) { self.action = action }
}

/// One thing that happened on the companion lanes.
package struct CompanionLine: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 144
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.json) }

    /// One JSON object.
    package var json: String

    /// Hands over the object.
    package init(_ json: String) { self.json = json }
}

extension CompanionAction: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .status: writer.variant(0)
        case .send(let payload): writer.variant(1, payload)
        case .context(let payload): writer.variant(2, payload)
        case .info(let payload): writer.variant(3, payload)
        case .complication(let payload): writer.variant(4, payload)
        case .face(let isOn): writer.variant(5, isOn)
        case .file(let path, let metadata): writer.variant(6, path, metadata)
        case .cancel(let name): writer.variant(7, name)
        case .watch(let reply, let directory): writer.variant(8, reply, directory)
        }
    }

    package static func read(
        from reader: inout CBORReader
    ) throws(WireError) -> CompanionAction {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .status)
        case 1: return try reader.parts(of: variant, CompanionAction.send)
        case 2: return try reader.parts(of: variant, CompanionAction.context)
        case 3: return try reader.parts(of: variant, CompanionAction.info)
        case 4: return try reader.parts(of: variant, CompanionAction.complication)
        case 5: return try reader.parts(of: variant, CompanionAction.face)
        case 6: return try reader.parts(of: variant, CompanionAction.file)
        case 7: return try reader.parts(of: variant, CompanionAction.cancel)
        case 8: return try reader.parts(of: variant, CompanionAction.watch)
        default: throw .unexpectedType
        }
    }
}
