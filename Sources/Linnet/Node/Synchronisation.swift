import LinnetReplication
import LinnetWire

/// The one call of `sync` that may be waiting.
struct Synchronisation {
    /// Peers that the caller named and that were not reached yet.
    private var missing: Set<DialTarget> = []
    private var waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>?
    /// When the waiting ends at the latest, in uptime milliseconds.
    private(set) var deadline: Int64?

    var isWaiting: Bool { waiter != nil }

    mutating func wait(
        until deadline: Int64, reaching missing: Set<DialTarget>,
        _ waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>
    ) {
        self.waiter = waiter
        self.deadline = deadline
        self.missing = missing
    }

    /// A named peer was reached.
    mutating func reached(_ target: DialTarget) { missing.remove(target) }

    /// A named peer is this device.
    mutating func reachedItself(_ target: DialTarget, _ address: String) {
        if missing.contains(target) { finish(.reachedItself(address)) }
    }

    /// Ends the waiting when everybody who is connected holds the same.
    mutating func check(connected: Set<DeviceID>, inStep: [DeviceID]) {
        guard missing.isEmpty, !connected.isEmpty, connected.isSubset(of: inStep) else { return }
        end(.success(connected.sorted()))
    }

    /// The time is over; `damaged` names what is stored here and cannot be sent.
    mutating func expire(connected: Set<DeviceID>, damaged: [String]) {
        if let peer = missing.min() { return finish(.notReachable(peer.description)) }
        if connected.isEmpty { return finish(.notReachable("another device of the group")) }
        finish(damaged.isEmpty ? .timedOut : .damagedBatches(damaged))
    }

    mutating func finish(_ error: LinnetError) { end(.failure(error)) }

    private mutating func end(_ result: Result<[DeviceID], LinnetError>) {
        deadline = nil
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: result)
    }
}

extension Node {
    /// Connects to peers and exchanges until this device and all that are connected hold the same.
    ///
    /// Throws ``LinnetError/notReachable(_:)`` when nobody was reached in time, and
    /// ``LinnetError/timedOut`` when the exchange did not end in time, or
    /// ``LinnetError/damagedBatches(_:)`` when it cannot. An address that leads back to this device
    /// is ``LinnetError/reachedItself(_:)``.
    ///
    /// - Parameters:
    ///   - peers: addresses, as `host:port`, that have to be reached; without any, one device of
    ///     the group is enough.
    ///   - timeout: how long to try.
    public func sync(
        with peers: [String] = [], timeout: Duration = .seconds(30)
    ) async throws(LinnetError) {
        _ = try await synchronise(with: peers, timeout: timeout)
    }

    func synchronise(
        with peers: [String] = [], timeout: Duration
    ) async throws(LinnetError) -> [DeviceID] {
        try running()
        guard options != nil || !links.isEmpty else { throw .notStarted }
        guard replica?.isMember == true else { throw .notAMember }
        guard !synchronisation.isWaiting else { throw .alreadySynchronising }
        let now = SystemClock.now()
        var missing: Set<DialTarget> = []
        for text in peers {
            let endpoint = try peerEndpoint(text)
            plan.add(peer: endpoint, at: now)
            let target = DialTarget.peer(endpoint.description)
            if !plan.isSatisfied(target) { missing.insert(target) }
        }
        plan.hurry(at: now)
        // A relaxed write is sent when it is durable.
        if flushDeadline != nil { flush() }
        let deadline = now.uptimeMilliseconds + timeout.wholeMilliseconds
        let result = await withCheckedContinuation { continuation in
            synchronisation.wait(until: deadline, reaching: missing, continuation)
            settle()
        }
        return try result.get()
    }

    /// Members with an open session.
    var connectedDevices: Set<DeviceID> { Set(links.values.compactMap(\.device)) }
}

extension Duration {
    /// Milliseconds, rounded down, from 0 to a day.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
