import LinnetWire

/// The desk of the upkeep: relaxed writes become durable, a device that holds only what is recent
/// looks again whether time has passed, and a device that nobody uses locks itself.
struct UpkeepDesk: Desk {
    enum Errand: Equatable {
        case flush
        case role
        case lock
    }

    private static let relaxedMilliseconds: Int64 = 1_000
    private static let roleMilliseconds: Int64 = 3_600_000

    private var flush: Int64?
    private var role: Int64?
    /// The time without use after which the device locks itself, in milliseconds.
    private var lockAfter: Int64?
    /// The time at which the device was last used; nil while it is locked.
    private var lastUse: Int64?
    /// The commands under way.
    private var commands = 0

    init() {}

    /// Begins anew, with the time after which the device locks itself.
    init(after former: UpkeepDesk) { lockAfter = former.lockAfter }

    /// True when a write waits to be made durable.
    var hasRelaxedWrites: Bool { flush != nil }

    var nextDeadline: Int64? { [flush, role, lock].compactMap(\.self).min() }

    private var lock: Int64? {
        guard commands == 0, let lockAfter, let lastUse else { return nil }
        return lastUse + lockAfter
    }

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

    /// Locks the device after so many milliseconds without use; nil for never.
    mutating func locks(after milliseconds: Int64?, at now: Moment) {
        lockAfter = milliseconds
        noteUse(at: now)
    }

    /// Notes that somebody uses the device.
    mutating func noteUse(at now: Moment) { lastUse = now.uptimeMilliseconds }

    /// Notes that a command begins: while it goes on, the device is in use.
    mutating func commandBegan(at now: Moment) {
        commands += 1
        noteUse(at: now)
    }

    mutating func commandEnded(at now: Moment) {
        commands = max(0, commands - 1)
        noteUse(at: now)
    }

    mutating func fire(at now: Moment) -> [Errand] {
        var due: [Errand] = []
        if let flush, flush <= now.uptimeMilliseconds { due.append(.flush) }
        if let role, role <= now.uptimeMilliseconds { due.append(.role) }
        if let lock, lock <= now.uptimeMilliseconds { due.append(.lock) }
        if due.contains(.flush) { flush = nil }
        if due.contains(.role) { role = nil }
        if due.contains(.lock) { lastUse = nil }
        return due
    }
}
