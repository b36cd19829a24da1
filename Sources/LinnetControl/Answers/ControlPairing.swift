package import LinnetWire

/// A step of a pairing, as the member's person is told of it.
package enum ControlPairing: ControlAnswer {
    package static let number: UInt64 = 160

    /// A code and a ticket are valid now, side by side.
    case offered(PairingSight)
    /// A newcomer proved that it knows the secret: answer with `decide`.
    case newcomer(name: String, kind: String, fingerprint: [String])
    /// Somebody typed another code.
    case wrongCode(triesLeft: UInt64)
    /// The newcomer is a member now.
    case paired(device: DeviceID, name: String)
}

/// The code and the ticket that a person or a camera reads off a screen to join.
package struct PairingSight: ControlStruct, Equatable {
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(code:uri:listen:instance:lifetimeMilliseconds:), \.code, \.uri, \.listen,
            \.instance, \.lifetimeMilliseconds)
    }

    /// The six digits.
    package var code: String
    /// The ticket.
    package var uri: String
    /// The address at which the node listens, "host:port".
    package var listen: String
    /// The name under which it is announced; empty when it is not.
    package var instance: String
    /// The time for which both are valid, in milliseconds.
    package var lifetimeMilliseconds: UInt64

    /// Joins the facts.
    package init(
        code: String, uri: String, listen: String, instance: String, lifetimeMilliseconds: UInt64
    ) {
        self.code = code
        self.uri = uri
        self.listen = listen
        self.instance = instance
        self.lifetimeMilliseconds = lifetimeMilliseconds
    }
}

extension ControlPairing: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .offered(let sight): writer.variant(0, sight)
        case .newcomer(let name, let kind, let words): writer.variant(1, name, kind, words)
        case .wrongCode(let triesLeft): writer.variant(2, triesLeft)
        case .paired(let device, let name): writer.variant(3, device, name)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> ControlPairing {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.parts(of: variant, ControlPairing.offered)
        case 1: return try reader.parts(of: variant, ControlPairing.newcomer)
        case 2: return try reader.parts(of: variant, ControlPairing.wrongCode)
        case 3: return try reader.parts(of: variant, ControlPairing.paired)
        default: throw .unexpectedType
        }
    }
}
