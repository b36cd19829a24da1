import LinnetWire

/// The calls of `sync` that wait.
struct Synchronisation {
    private struct Call {
        /// The peers that the caller named and that were not reached yet.
        var missing: Set<DialTarget>
        /// True when the caller named peers.
        let isNamed: Bool
        /// The error of the first peer that was reached and with which nothing is exchanged.
        var refusal: LinnetError?
        let deadline: Int64
        let waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>
    }

    private var calls: [Call] = []

    var isWaiting: Bool { !calls.isEmpty }
    /// The time at which the first call stops waiting, in uptime milliseconds.
    var deadline: Int64? { calls.map(\.deadline).min() }

    mutating func wait(
        until deadline: Int64, reaching missing: Set<DialTarget>,
        _ waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>
    ) {
        calls.append(
            Call(
                missing: missing, isNamed: !missing.isEmpty, deadline: deadline, waiter: waiter))
    }

    /// Notes which of the named peers are reached now.
    mutating func note(_ isReached: (DialTarget) -> Bool) {
        for index in calls.indices {
            calls[index].missing = calls[index].missing.filter { !isReached($0) }
        }
    }

    /// Notes that a peer was reached and that nothing is exchanged with it; `target` is nil where
    /// nobody had named it.
    mutating func refused(_ target: DialTarget?, _ error: LinnetError) {
        for index in calls.indices {
            let isMeant = target.map { calls[index].missing.remove($0) != nil } ?? false
            guard isMeant || !calls[index].isNamed else { continue }
            calls[index].refusal = calls[index].refusal ?? error
        }
    }

    /// Notes that a named peer is this device.
    mutating func reachedItself(_ target: DialTarget, _ address: String) {
        end { $0.missing.contains(target) ? .failure(.reachedItself(address)) : nil }
    }

    /// Ends the calls that reached every peer they named, when all connected devices hold the same.
    /// One that named a peer with which nothing is exchanged fails then.
    mutating func check(connected: Set<DeviceID>, inStep: [DeviceID]) {
        guard connected.isSubset(of: inStep) else { return }
        end { call in
            guard call.missing.isEmpty else { return nil }
            if call.isNamed, let refusal = call.refusal { return .failure(refusal) }
            return connected.isEmpty ? nil : .success(connected.sorted())
        }
    }

    /// Ends the calls whose time is over at `now`. `damaged` names the batches stored here that
    /// cannot be sent; `why` says what else is missing.
    mutating func expire(
        at now: Int64, connected: Set<DeviceID>, damaged: [String], why: [String]
    ) {
        end { call in
            guard call.deadline <= now else { return nil }
            if let peer = call.missing.min() { return .failure(.notReachable(peer.description)) }
            if connected.isEmpty {
                return .failure(call.refusal ?? .notReachable("another device of the group"))
            }
            return .failure(damaged.isEmpty ? .timedOut(why: why) : .damagedBatches(damaged))
        }
    }

    /// Ends all calls.
    mutating func finish(_ error: LinnetError) { end { _ in .failure(error) } }

    private mutating func end(_ result: (Call) -> Result<[DeviceID], LinnetError>?) {
        let waiting = calls
        calls = []
        for call in waiting {
            if let result = result(call) {
                call.waiter.resume(returning: result)
            } else {
                calls.append(call)
            }
        }
    }
}
