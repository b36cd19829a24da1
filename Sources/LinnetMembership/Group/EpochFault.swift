package import LinnetWire

/// The reason for which an epoch is not used: as long as it is so, the epoch is never current.
package enum EpochFault: Equatable, Sendable {
    /// It has no box for this member, or one of another size than its role needs.
    case leavesOut(DeviceID)
    /// It has a box for a device that is no member, or one that is larger than its role allows.
    case sealedToStranger(DeviceID)
    /// This member says that its box does not open, or not to the announced keys.
    case calledBad(by: DeviceID)
}
