import LinnetWire

/// The desk of the upkeep: relaxed writes become durable, and a device that holds only what is
/// recent looks again whether time has passed.
struct UpkeepDesk: Desk {
    enum Errand: Equatable {
        case flush
        case role
    }

    private static let relaxedMilliseconds: Int64 = 1_000
    private static let roleMilliseconds: Int64 = 3_600_000

    private var flush: Int64?
    private var role: Int64?

    /// True when a write waits to be made durable.
    var hasRelaxedWrites: Bool { flush != nil }

    var nextDeadline: Int64? { [flush, role].compactMap(\.self).min() }

    /// Notes that a relaxed write was made: it is durable within a second.
    mutating func wroteRelaxed(at now: Moment) {
        if flush == nil { flush = now.uptimeMilliseconds + Self.relaxedMilliseconds }
    }

    /// Notes that all writes are durable.
    mutating func flushed() { flush = nil }

    /// Notes that the device looked at what it holds; it looks again in an hour.
    mutating func followedRole(at now: Moment) {
        role = now.uptimeMilliseconds + Self.roleMilliseconds
    }

    mutating func fire(at now: Moment) -> [Errand] {
        var due: [Errand] = []
        if let flush, flush <= now.uptimeMilliseconds { due.append(.flush) }
        if let role, role <= now.uptimeMilliseconds { due.append(.role) }
        if due.contains(.flush) { flush = nil }
        if due.contains(.role) { role = nil }
        return due
    }
}
