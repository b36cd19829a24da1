import LinnetWire

/// A request to the companion lanes; dictionaries are payloads, as the lanes carry them.
package enum ControlCompanionRequest: Equatable, Sendable {
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
    /// Tell whether the complication is on the face; on the watch.
    case face(isOn: Bool)
    /// Queue the file at an absolute path.
    case file(path: String, metadata: [UInt8])
    /// Withdraw a transfer by its name.
    case cancel(String)
    /// Act as the app until `cancel`: answer messages with `reply`, and put files into a directory.
    case watch(reply: [UInt8]?, directory: String?)
}

extension CBORWriter {
    mutating func companionRequest(_ request: ControlCompanionRequest) {
        switch request {
        case .status: head(0, 0)
        case .send(let payload): head(1, payload)
        case .context(let payload): head(2, payload)
        case .info(let payload): head(3, payload)
        case .complication(let payload): head(4, payload)
        case .face(let isOn):
            head(5, 1)
            bool(isOn)
        case .file(let path, let metadata):
            head(6, 2)
            text(path)
            bytes(metadata)
        case .cancel(let name):
            head(7, 1)
            text(name)
        case .watch(let reply, let directory):
            head(8, 2)
            optional(reply) { $0.bytes($1) }
            optional(directory) { $0.text($1) }
        }
    }

    private mutating func head(_ kind: UInt64, _ count: Int) {
        array(count + 1)
        unsigned(kind)
    }

    private mutating func head(_ kind: UInt64, _ payload: [UInt8]) {
        head(kind, 1)
        bytes(payload)
    }
}

extension CBORReader {
    mutating func companionRequest() throws(WireError) -> ControlCompanionRequest {
        let count = try array(max: 3)
        let kind = try unsigned()
        switch (kind, count) {
        case (0, 1): return .status
        case (1, 2): return .send(try bytes(max: .max))
        case (2, 2): return .context(try bytes(max: .max))
        case (3, 2): return .info(try bytes(max: .max))
        case (4, 2): return .complication(try bytes(max: .max))
        case (5, 2): return .face(isOn: try bool())
        case (6, 3): return .file(path: try text(max: .max), metadata: try bytes(max: .max))
        case (7, 2): return .cancel(try text(max: .max))
        case (8, 3):
            let reply = try optional { (reader) throws(WireError) in try reader.bytes(max: .max) }
            let directory = try optional { (reader) throws(WireError) in try reader.text(max: .max)
            }
            return .watch(reply: reply, directory: directory)
        default: throw .unexpectedType
        }
    }
}
