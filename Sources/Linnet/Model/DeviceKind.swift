/// The kinds of devices, as a device says what it is.
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

/// The role of a device in its group, which decides what it may do.
public enum DeviceRole: String, CaseIterable, Sendable {
    /// The device reads, writes and admits other devices.
    case admin
    /// The device reads and writes.
    case member
    /// The device stores and forwards batches that it cannot read.
    case relay
    /// The device reads, and changes nothing.
    case reader
}
