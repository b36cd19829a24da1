import LinnetSystem
package import LinnetWire

/// A device to stay connected with, by what is known of it.
package enum DialTarget: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// A peer that the person named, as written.
    case peer(String)
    /// A DNS-SD instance that carried a tag of our group.
    case instance(String)
    /// The device that shows the pairing code typed here, by its address or instance name.
    case pairing(String)
    /// A device whose addresses were remembered from an earlier session.
    case device(DeviceID)

    /// True for a target that is dialled to pair.
    var isPairing: Bool {
        if case .pairing = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .peer(let text): "peer \(text)"
        case .instance(let name): "instance \(name)"
        case .pairing(let name): "pairing \(name)"
        case .device(let device): "device \(device)"
        }
    }
}

/// The name of one connection attempt of a ``DialPlan``, which is never used again.
package struct AttemptID: Hashable, Comparable, Sendable {
    let number: UInt64

    package static func < (left: AttemptID, right: AttemptID) -> Bool { left.number < right.number }
}

/// An action that a ``DialPlan`` asks of its owner.
package enum DialAction: Equatable, Sendable {
    /// Look the name up and report with `resolved(_:_:at:entropy:)`.
    case resolve(DialTarget, name: String, port: UInt16)
    /// Open a connection and report how it went.
    case dial(AttemptID, DialTarget, SocketAddress)
    /// Give the attempt up; nothing needs to be reported.
    case abandon(AttemptID)
}
