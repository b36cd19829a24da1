#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The events that a descriptor is ready for, or that it waits for.
package struct Readiness: OptionSet, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// Takes bits over.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes or the end of the stream can be read; also set when the descriptor failed.
    package static let read = Readiness(rawValue: 1)
    /// Bytes can be written or a connection attempt has ended.
    package static let write = Readiness(rawValue: 2)
    /// The peer is gone or the descriptor is broken; reported even when not waited for.
    package static let broken = Readiness(rawValue: 4)

    init(pollEvents: Int16) {
        let events = Int32(pollEvents)
        var readiness: Readiness = []
        if events & Int32(POLLIN) != 0 { readiness.insert(.read) }
        if events & Int32(POLLOUT) != 0 { readiness.insert(.write) }
        if events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.broken) }
        self = readiness
    }

    var pollEvents: Int16 {
        var events: Int32 = 0
        if contains(.read) { events |= Int32(POLLIN) }
        if contains(.write) { events |= Int32(POLLOUT) }
        return Int16(events)
    }
}

/// The descriptors that a loop waits for; a number tells two watches of one descriptor apart.
struct WatchTable {
    private struct Watch {
        var number: UInt64
        var interest: Readiness
        var handler: @Sendable (Readiness) -> Void
    }

    private var watches: [Int32: Watch] = [:]
    private var lastNumber: UInt64 = 0

    mutating func set(
        _ descriptor: Int32, interest: Readiness, handler: @escaping @Sendable (Readiness) -> Void
    ) {
        lastNumber += 1
        watches[descriptor] = Watch(number: lastNumber, interest: interest, handler: handler)
    }

    mutating func setInterest(_ interest: Readiness, of descriptor: Int32) {
        watches[descriptor]?.interest = interest
    }

    mutating func remove(_ descriptor: Int32) {
        watches[descriptor] = nil
    }

    /// Returns the entries for poll(2), and beside each the number of its watch. A watch without
    /// interest is left out: poll would report its hang-up again and again.
    func pollSet() -> ([pollfd], [UInt64]) {
        var entries: [pollfd] = []
        var numbers: [UInt64] = []
        for (descriptor, watch) in watches where !watch.interest.isEmpty {
            entries.append(pollfd(fd: descriptor, events: watch.interest.pollEvents, revents: 0))
            numbers.append(watch.number)
        }
        return (entries, numbers)
    }

    func handler(of descriptor: Int32, if number: UInt64) -> (@Sendable (Readiness) -> Void)? {
        guard let watch = watches[descriptor], watch.number == number else { return nil }
        return watch.handler
    }
}
