package import LinnetWire

/// Somebody to stay connected with, by what is known of them.
package enum DialTarget: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// A peer that the person named, as written.
    case peer(String)
    /// A DNS-SD instance that carried a tag of our group.
    case instance(String)
    /// Whoever shows the pairing code that was typed here, by address or instance name.
    case pairing(String)
    /// A device whose addresses were remembered from an earlier session.
    case device(DeviceID)

    package var description: String {
        switch self {
        case .peer(let text): "peer \(text)"
        case .instance(let name): "instance \(name)"
        case .pairing(let name): "pairing \(name)"
        case .device(let device): "device \(device)"
        }
    }
}

/// Names one connection attempt of a ``DialPlan``; never used twice.
package struct AttemptID: Hashable, Comparable, Sendable {
    let number: UInt64

    package static func < (left: AttemptID, right: AttemptID) -> Bool { left.number < right.number }
}

/// What a ``DialPlan`` asks of its owner.
package enum DialAction: Equatable, Sendable {
    /// Look the name up and report with `resolved(_:_:at:entropy:)`.
    case resolve(DialTarget, name: String, port: UInt16)
    /// Open a connection and report how it went.
    case dial(AttemptID, DialTarget, SocketAddress)
    /// Give the attempt up; nothing needs to be reported.
    case abandon(AttemptID)
}
