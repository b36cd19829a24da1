/// What a device is, for people.
public enum DeviceKind: String, CaseIterable, Sendable {
    /// A phone.
    case phone
    /// A watch.
    case watch
    /// A laptop.
    case laptop
    /// A machine that is always on, so that the others find each other's changes there.
    case hub
    /// Anything else.
    case other
}

/// What a device may do in its group.
public enum DeviceRole: String, Sendable {
    /// Reads, writes and admits other devices.
    case admin
    /// Reads and writes.
    case member
    /// Stores and forwards what it cannot read.
    case relay
}
