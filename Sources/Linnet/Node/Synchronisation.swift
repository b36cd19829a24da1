import LinnetReplication
import LinnetStorage
import LinnetWire

/// The calls of `sync` that wait.
struct Synchronisation {
    private struct Call {
        /// Peers that the caller named and that were not reached yet.
        var missing: Set<DialTarget>
        let deadline: Int64
        let waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>
    }

    private var calls: [Call] = []

    var isWaiting: Bool { !calls.isEmpty }
    /// When the next call stops waiting at the latest, in uptime milliseconds.
    var deadline: Int64? { calls.map(\.deadline).min() }

    mutating func wait(
        until deadline: Int64, reaching missing: Set<DialTarget>,
        _ waiter: CheckedContinuation<Result<[DeviceID], LinnetError>, Never>
    ) {
        calls.append(Call(missing: missing, deadline: deadline, waiter: waiter))
    }

    /// A named peer was reached.
    mutating func reached(_ target: DialTarget) {
        for index in calls.indices { calls[index].missing.remove(target) }
    }

    /// A named peer is this device.
    mutating func reachedItself(_ target: DialTarget, _ address: String) {
        end { $0.missing.contains(target) ? .failure(.reachedItself(address)) : nil }
    }

    /// Ends the calls that reached everybody they named, when all who are connected hold the same.
    mutating func check(connected: Set<DeviceID>, inStep: [DeviceID]) {
        guard !connected.isEmpty, connected.isSubset(of: inStep) else { return }
        end { $0.missing.isEmpty ? .success(connected.sorted()) : nil }
    }

    /// The time of some calls is over at `now`; `damaged` names what is stored here and cannot be
    /// sent, `why` says what else is missing.
    mutating func expire(
        at now: Int64, connected: Set<DeviceID>, damaged: [String], why: [String]
    ) {
        end { call in
            guard call.deadline <= now else { return nil }
            if let peer = call.missing.min() { return .failure(.notReachable(peer.description)) }
            if connected.isEmpty { return .failure(.notReachable("another device of the group")) }
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

extension Node {
    /// Connects to peers and exchanges until this device and all that are connected hold the same.
    ///
    /// Several calls may wait at a time. Throws ``LinnetError/notReachable(_:)`` when nobody was
    /// reached in time, ``LinnetError/timedOut(why:)`` when the exchange did not end in time, and
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
        try writable()
        guard options != nil || !links.isEmpty else { throw .notStarted }
        guard replica?.isMember == true else { throw .notAMember }
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

    /// Begins to keep the board of the exchange, for one more who reads it.
    func watchExchange() {
        let board = exchange
        board.beginWatch(exchangeSight)
        replica?.showing = { board.show($0, of: $1, batches: $2) }
    }

    /// Keeps the board while somebody reads it.
    func showExchange() {
        if exchange.isWatched { exchange.see(exchangeSight) } else { replica?.showing = nil }
    }

    private var exchangeSight: ExchangeBoard.Sight {
        ExchangeBoard.Sight(
            toExchange: replica?.batchesToExchange ?? 0, stored: replica?.batchesStored ?? 0,
            hidden: replica?.batchesHidden ?? 0)
    }

    /// What is missing until all who are connected hold the same, in sentences.
    func obstacles(inStep: [DeviceID]) throws(LinnetError) -> [String] {
        let status = try status()
        let missing = status.devices.filter { device in
            device.isConnected && !inStep.contains { $0.description == device.device.id }
        }.map { device in
            let lacks = device.lacks ?? 0
            return lacks > 0
                ? "\(device.device.label) lacks \(lacks) batches"
                : "\(device.device.label) has not said that it holds all of ours"
        }
        return missing + status.waiting.map { "waiting: \($0)" }
    }

    /// The time of calls of ``sync(with:timeout:)`` is over.
    func expireSynchronisation(at uptime: Int64) {
        do throws(LinnetError) {
            let (damaged, inStep) = try reading {
                (replica) throws(ReplicaError) -> ([BatchID], [DeviceID]) in
                do throws(StorageError) {
                    return (try replica.damagedIDs(), replica.devicesInStep)
                } catch {
                    throw .storage(error)
                }
            }
            synchronisation.expire(
                at: uptime, connected: connectedDevices, damaged: damaged.map(\.description),
                why: try obstacles(inStep: inStep))
        } catch {
            synchronisation.finish(error)
        }
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
