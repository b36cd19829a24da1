import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// Connects to peers and exchanges until this device and all connected ones hold the same.
    ///
    /// Several calls may wait at a time. Throws ``LinnetError/notReachable(_:)`` when no device was
    /// reached in time, ``LinnetError/timedOut(why:)`` when the exchange did not end in time, and
    /// ``LinnetError/damagedBatches(_:)`` when it cannot end. An address that leads back to this
    /// device is ``LinnetError/reachedItself(_:)``, and one that leads to a device which belongs to
    /// the group no more ``LinnetError/outOfGroup(_:)``; a device that was removed gets
    /// ``LinnetError/removed(by:)``.
    ///
    /// - Parameters:
    ///   - peers: the addresses that have to be reached, as `host:port`; without any, one device of
    ///     the group is enough.
    ///   - timeout: the time after which it gives up.
    public func sync(
        with peers: [String] = [], timeout: Duration = .seconds(30)
    ) async throws(LinnetError) {
        _ = try await synchronise(with: peers, timeout: timeout)
    }

    func synchronise(
        with peers: [String] = [], timeout: Duration
    ) async throws(LinnetError) -> [DeviceID] {
        let missing = try beginSynchronising(with: peers)
        let deadline = SystemClock.now().uptimeMilliseconds + timeout.wholeMilliseconds
        let result = await withCheckedContinuation { continuation in
            exchanges.synchronisation.wait(until: deadline, reaching: missing, continuation)
            settle()
        }
        return try result.get()
    }

    /// Dials whom a call of ``sync(with:timeout:)`` names; returns those that are not connected.
    private func beginSynchronising(with peers: [String]) throws(LinnetError) -> Set<DialTarget> {
        try writable()
        guard connections.options != nil || !connections.links.isEmpty else { throw .notStarted }
        guard replica?.isMember == true else { throw .notAMember }
        if let own = ownRemoval { throw own }
        let now = SystemClock.now()
        var missing: Set<DialTarget> = []
        for text in peers {
            let endpoint = try peerEndpoint(text)
            connections.dialling.change { $0.add(peer: endpoint, at: now) }
            let target = DialTarget.peer(endpoint.description)
            if !connections.dialling.plan.isSatisfied(target) { missing.insert(target) }
        }
        connections.dialling.change { $0.hurry(at: now) }
        // A relaxed write is sent when it is durable.
        if upkeep.hasRelaxedWrites { flush() }
        return missing
    }

    /// Begins to keep the board of the exchange, for one more that reads it.
    func watchExchange() {
        let board = board.exchange
        board.beginWatch(exchangeSight)
        replica?.showing = { board.show($0, of: $1, batches: $2) }
    }

    /// Keeps the board while anybody reads it.
    func showExchange() {
        if board.exchange.isWatched {
            board.exchange.see(exchangeSight)
        } else {
            replica?.showing = nil
        }
    }

    private var exchangeSight: ExchangeBoard.Sight {
        ExchangeBoard.Sight(
            toExchange: replica?.batchesToExchange, stored: replica?.batchesStored ?? 0,
            hidden: replica?.batchesHidden ?? 0)
    }

    /// Returns what is missing until all connected devices hold the same, in sentences.
    func obstacles(inStep: [DeviceID]) throws(LinnetError) -> [String] {
        let status = try status()
        let missing = status.devices.filter { device in
            device.isConnected && !inStep.contains { $0.description == device.device.id }
        }.map { device in
            let lacks = device.lacks ?? 0
            return lacks > 0
                ? "\(device.device.label) lacks \(Plural.batches(lacks))"
                : "\(device.device.label) has not said that it holds all of ours"
        }
        return missing + status.waiting.map { "waiting: \($0)" }
    }

    /// Ends the calls that have what they waited for.
    func checkExchanges() {
        if exchanges.synchronisation.isWaiting, homeDesk.wipedBy == nil, let own = ownRemoval {
            // Until its links end, the others may take what this device never sent.
            if connections.links.isEmpty { exchanges.synchronisation.finish(own) }
        } else if exchanges.synchronisation.isWaiting, let inStep = replica?.devicesInStep {
            let connected = connections.links.devices
            exchanges.synchronisation.check(connected: connected, inStep: inStep)
        }
        if exchanges.certification.isWaiting, replica?.devicesAwaited.isEmpty == true {
            exchanges.certification.finish(.success(()))
        }
    }

    /// Tells the calls that wait when a peer that was dialled, or this device by its word, belongs
    /// to the group no more.
    func refused(_ link: LinkID, by device: DeviceID?, _ reason: SessionEnd) {
        guard exchanges.synchronisation.isWaiting,
            case .dialled(let attempt, let address)? = connections.links[link]?.origin
        else { return }
        let error: LinnetError
        switch reason {
        case .formerMember:
            let name = device.map { named($0).label } ?? "the device"
            error = .outOfGroup("\(name) at \(address)")
        case .removed where ownRemoval == nil: error = .disowned("\(address)")
        default: return
        }
        let target = connections.dialling.plan.target(of: attempt)
        var isNamed = false
        if case .peer? = target { isNamed = true }
        exchanges.synchronisation.refused(isNamed ? target : nil, error)
    }

    func fireExchanges(at now: Moment) {
        for due in exchanges.fire(at: now) {
            switch due {
            case .synchronisation: expireSynchronisation(at: now.uptimeMilliseconds)
            case .certification:
                let awaited = (replica?.devicesAwaited ?? []).map(named)
                exchanges.certification.expire(
                    at: now.uptimeMilliseconds,
                    why: awaited.map { "\($0.label) has signed nothing yet" })
            }
        }
    }

    /// Ends the calls of ``sync(with:timeout:)`` whose time is over.
    private func expireSynchronisation(at uptime: Int64) {
        do throws(LinnetError) {
            if homeDesk.wipedBy == nil, let own = ownRemoval { throw own }
            let (damaged, inStep) = try reading {
                (replica) throws(ReplicaError) -> ([BatchID], [DeviceID]) in
                do throws(StorageError) {
                    return (try replica.reading.damagedIDs(), replica.devicesInStep)
                } catch {
                    throw .storage(error)
                }
            }
            exchanges.synchronisation.expire(
                at: uptime, connected: connections.links.devices,
                damaged: damaged.map(\.description),
                why: try obstacles(inStep: inStep))
        } catch {
            exchanges.synchronisation.finish(error)
        }
    }
}

extension Duration {
    /// The milliseconds, rounded down, from 0 to a day.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
