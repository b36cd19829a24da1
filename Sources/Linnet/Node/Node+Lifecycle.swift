import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Makes a new device at `home`, a directory that is created, and founds a group with it.
    ///
    /// The home keeps the schema, and the group carries it: devices that join learn it.
    ///
    /// - Parameters:
    ///   - home: the directory.
    ///   - name: the name that its person gives the device.
    ///   - kind: the kind of the device.
    ///   - schema: the collections; LinnetMedication has those of the demonstration.
    public static func create(
        at home: String, name: String, kind: DeviceKind, schema: Schema
    ) async throws(LinnetError) -> Node {
        try await make(
            at: home, schema: .given(SchemaFile(schema)),
            intent: .create(name: name, kind: kind, founding: true))
    }

    /// Makes a new device at `home` that belongs to no group yet: join one next.
    ///
    /// - Parameters:
    ///   - home: the directory.
    ///   - name: the name that its person gives the device.
    ///   - kind: the kind of the device.
    ///   - schema: nil to learn the group's with the joining, or with the first exchange; one that
    ///     contradicts the group's ends the joining.
    public static func createToJoin(
        at home: String, name: String, kind: DeviceKind, schema: Schema? = nil
    ) async throws(LinnetError) -> Node {
        try await make(
            at: home, schema: schema.map { .given(SchemaFile($0)) } ?? .learned,
            intent: .create(name: name, kind: kind, founding: false))
    }

    /// Opens the device at `home`; no other process may have it open.
    ///
    /// Throws ``LinnetError/passphraseNeeded`` when the key file asks for one and none is given,
    /// and ``LinnetError/wrongPassphrase`` when it does not open it.
    ///
    /// - Parameters:
    ///   - home: the directory that `create` or `createToJoin` made.
    ///   - schema: nil for the schema that the home keeps, joined with those that the group has
    ///     published; one that contradicts the home's is refused.
    ///   - passphrase: the passphrase of the key file, when it has one.
    public static func open(
        at home: String, schema: Schema? = nil, passphrase: Passphrase? = nil
    ) async throws(LinnetError) -> Node {
        try await make(
            at: home, schema: schema.map { .given(SchemaFile($0)) } ?? .kept,
            intent: .open(passphrase))
    }

    /// Opens the device at `home`, or makes it when there is none: for an application that does not
    /// know whether it runs for the first time.
    ///
    /// A device that is there keeps its name and kind. A founding that was cut short is finished.
    ///
    /// - Parameters:
    ///   - home: the directory.
    ///   - device: the device to make, with the schema to open with.
    ///   - passphrase: the passphrase of the key file, when it has one.
    public static func open(
        at home: String, orCreating device: NewDevice, passphrase: Passphrase? = nil
    ) async throws(LinnetError) -> Node {
        let intent = OpenedHome.Intent.create(
            name: device.name, kind: device.kind, founding: device.founds)
        let given = device.schema.map { SchemaChoice.given(SchemaFile($0)) }
        let node: Node
        do throws(LinnetError) {
            node = try await make(at: home, schema: given ?? .kept, intent: .open(passphrase))
        } catch {
            switch error {
            case .home(.missing), .home(.keyFileMissing):
                return try await make(at: home, schema: given ?? .learned, intent: intent)
            default: throw error
            }
        }
        if device.founds { try await node.endFounding(device) }
        return node
    }

    /// Opens the device at `home` with this schema, which the home keeps from now on; nil opens it
    /// with the one that it keeps.
    package static func open(
        at home: String, schemaFile: SchemaFile?, passphrase: Passphrase?
    ) async throws(LinnetError) -> Node {
        try await make(
            at: home, schema: schemaFile.map { .given($0) } ?? .kept, intent: .open(passphrase))
    }

    /// Makes a new device at `home`. It learns the group's schema when it is given none, and its
    /// key file asks for a passphrase when one is given.
    package static func create(
        at home: String, name: String, kind: DeviceKind, founding: Bool, schemaFile: SchemaFile?,
        passphrase: Passphrase? = nil
    ) async throws(LinnetError) -> Node {
        try await make(
            at: home, schema: schemaFile.map { .given($0) } ?? .learned,
            intent: .create(
                name: name, kind: kind, founding: founding, passphrase: passphrase))
    }

    private static func make(
        at path: String, schema: SchemaChoice, intent: OpenedHome.Intent
    ) async throws(LinnetError) -> Node {
        guard let loop = EventLoop() else { throw .noResources }
        // Opening reads the disk: it happens on the node's thread, not on the caller's.
        let result = await withCheckedContinuation { continuation in
            loop.post {
                let made = Result { () throws(LinnetError) in
                    let opened = try OpenedHome.take(
                        at: path, schema: schema, intent: intent, now: SystemClock.now())
                    let node = Node(opened, loop: loop)
                    let problem: LinnetError? = node.assumeIsolated { node in
                        node.show(node.schemas.home)
                        return node.problemOfOpening()
                    }
                    if let problem { throw problem }
                    return node
                }
                continuation.resume(returning: made)
            }
        }
        if case .failure = result { loop.stop() }
        return try result.get()
    }

    /// Looks for an order to destroy the home, and at the program and its surroundings; lets go of
    /// the home, and returns why, where one of them says so.
    private func problemOfOpening() -> LinnetError? {
        if let problem = orderLeft() {
            shutDown(reason: problem.description)
            return problem
        }
        do throws(LinnetError) {
            try meetIntegrity()
            return nil
        } catch {
            shutDown(reason: error.description)
            return error
        }
    }

    /// Starts to listen, to find others and to connect; returns the port, or nil when it does not
    /// listen.
    @discardableResult
    public func start(_ options: NodeOptions = NodeOptions()) throws(LinnetError) -> UInt16? {
        try writable()
        guard connections.options == nil else { throw .alreadyStarted }
        let peers = try options.peers.map { (text) throws(LinnetError) in
            try peerEndpoint(text)
        }
        if let text = options.listen { try listen(at: text) }
        do throws(LinnetError) {
            try openCompanion(options.companionLink)
            try openControl()
        } catch {
            connections.closeCompanion()
            connections.entrance.close()
            throw error
        }
        connections.options = options
        try logIntegrity()
        if replica?.isMember == true { try publishSchema() }
        takePart(with: peers)
        return port
    }

    /// Starts to find others and to connect to them.
    func takePart(with peers: [Endpoint]) {
        followRole()
        replica?.runMailboxes(true)
        replica?.filePolicy = connections.options?.attachments.ofReplica ?? .onDemand
        connections.dialling.change { plan in
            for peer in peers { plan.add(peer: peer, at: SystemClock.now()) }
        }
        planRememberedDevices()
        startDiscovery()
        followMailboxes()
        drain()
    }

    /// Says goodbye to every peer, writes what waits, and closes the home; the node cannot be used
    /// afterwards.
    public func stop() async {
        shutDown(reason: nil)
        if connections.sockets.isEmpty { return }
        // The last messages are on their way; each link has a time limit of its own.
        await withCheckedContinuation { connections.sockets.wait($0) }
    }

    func peerEndpoint(_ text: String) throws(LinnetError) -> Endpoint {
        guard let endpoint = Endpoint(parsing: text), endpoint.port > 0 else {
            throw .badAddress(text)
        }
        return endpoint
    }

    /// Throws unless the replica is there.
    func running() throws(LinnetError) {
        if replica == nil { throw absence }
    }

    /// Throws unless the replica is there and its home takes writes.
    func writable() throws(LinnetError) {
        // A person who made room need not wait for the next try.
        if outages.isOut { tryAgain() }
        if let reason = outages.reason { throw reason }
        try running()
        if let unwritable { throw .home(unwritable) }
    }

    /// The reason why there is no replica.
    var absence: LinnetError {
        if let author = homeDesk.wipedBy { return .wiped(by: author) }
        return isLocked ? .locked : outages.reason ?? .stopped
    }

    func shutDown(reason: String?) {
        guard replica != nil || isLocked || outages.isOut else { return }
        homeDesk.closeControl()
        var problem = standDown(homeDesk.wipedBy.map { .wiped(by: $0) } ?? .stopped)
        outages.dismiss()
        problem = destroyHome() ?? problem
        homeDesk.leave()
        connections.sockets.close(with: .stopped(reason: reason ?? problem?.description))
        sayFarewell()
    }

    /// Ends everything that uses the keys, and with it the keys; calls that wait are told `error`.
    /// Returns the reason when relaxed writes could not be made durable.
    @discardableResult
    func standDown(_ error: LinnetError) -> LinnetError? {
        var problem: LinnetError?
        stopDiscovery()
        finishPairing(.failure(error))
        connections.entrance.close()
        connections.closeCompanion()
        laneDesk.finish()
        mailDesk.finish(error)
        connections.dialling.stop()
        do {
            perform(try replica?.flush(at: SystemClock.now()) ?? [])
        } catch {
            problem = LinnetError(error)
        }
        perform(replica?.closeAllSessions(.shutdown) ?? [])
        connections.links.close()
        setTimer(nil)
        upkeep = UpkeepDesk(after: upkeep)
        closeReplica()
        calls.clear()
        exchanges.finish(error)
        fetching.finish()
        return problem
    }

    /// Ends the streams of events once the last socket is closed, so that a process that ends with
    /// them cuts nobody short.
    func sayFarewell() {
        guard let (last, waiting) = connections.sockets.takeFarewell() else { return }
        observers.finish(last)
        for waiter in waiting { waiter.resume() }
    }
}
