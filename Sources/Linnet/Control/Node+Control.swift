import LinnetCRDT
import LinnetReplication
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Node {
    /// Lets commands reach this node through its home's socket.
    func openControl() throws(LinnetError) {
        guard homeDesk.control == nil else { return }
        do throws(HomeError) {
            let loop = loop
            homeDesk.control = try ControlServer(home: home, loop: loop) { [weak self] connection in
                self?.serve(connection)
            }
        } catch {
            throw .home(error)
        }
    }

    /// Answers what comes through a connection, on its loop's thread.
    package nonisolated func serve(_ connection: ControlConnection) {
        let loop = connection.loop
        let session = ControlSession(self, isServing: true) { [weak connection] response in
            loop.perform { connection?.send(response) }
        } taken: { [weak connection] in
            await withCheckedContinuation { continuation in
                loop.perform {
                    guard let connection else { return continuation.resume() }
                    connection.whenTaken { continuation.resume() }
                }
            }
        }
        connection.onRequest = { request in Task { await session.receive(request) } }
        connection.onClose = { Task { await session.leave() } }
    }

    func controlIdentity() throws(LinnetError) -> ControlIdentity {
        let me = try status().devices.first(where: \.isSelf)
        return ControlIdentity(
            version: LinnetVersion.text, processID: UInt32(clamping: getpid()), device: device,
            fingerprint: fingerprint, name: me?.device.name ?? "", kind: me?.kind ?? "",
            group: replica?.groupID, port: port)
    }

    func controlWrite(
        _ writes: [ControlWrite], intent: [UInt8]?, telling tell: Telling? = nil
    ) throws(LinnetError) -> ControlReceipt {
        let receipt = try carryOut(
            writes.flatMap(WriteRequest.list), intent: intent, durability: .durable, telling: tell)
        return ControlReceipt(receipt, in: schema)
    }

    func controlRename(_ name: String) throws(LinnetError) -> ControlReceipt {
        ControlReceipt(try carryOutRename(name), in: schema)
    }

    func controlRecord(
        _ collection: UInt32, _ id: RecordID
    ) throws(LinnetError) -> [ControlRecord] {
        let view = try reading { (replica) throws(ReplicaError) in
            try replica.record(collection, id)
        }
        return view.map { [ControlRecord($0)] } ?? []
    }

    func controlRecords(
        _ collection: UInt32, telling tell: ReadTelling? = nil
    ) throws(LinnetError) -> [ControlRecord] {
        try reading { (replica) throws(ReplicaError) in
            try replica.records(collection, telling: tell)
        }.map(ControlRecord.init)
    }

    func controlRecords(matching query: Query) throws(LinnetError) -> [ControlRecord] {
        try reading { (replica) throws(ReplicaError) in
            try replica.records(matching: query)
        }.map(ControlRecord.init)
    }

    func controlPage(
        matching query: Query, telling tell: ReadTelling? = nil
    ) throws(LinnetError) -> (records: [ControlRecord], next: String?) {
        let page = try reading { (replica) throws(ReplicaError) in
            try replica.page(matching: query, telling: tell)
        }
        return (page.records.map(ControlRecord.init), page.next)
    }

    func controlHistory(
        _ collection: UInt32, _ id: RecordID, field: UInt32?, limit: UInt64
    ) throws(LinnetError) -> [HistoryEntry] {
        guard let declared = schema.collection(id: collection) else {
            throw .schema(.unknownCollection("\(collection)"))
        }
        return try history(declared, id, field: field, limit: Int(clamping: limit))
    }

    func controlWhy(
        _ collection: UInt32, _ id: RecordID, field: UInt32
    ) throws(LinnetError) -> Explanation {
        guard let declared = schema.collection(id: collection) else {
            throw .schema(.unknownCollection("\(collection)"))
        }
        guard let found = declared.field(id: field) else {
            throw .schema(.unknownField("\(field)"))
        }
        return try why(declared, id, found)
    }

    func controlTrash(_ collection: UInt32) throws(LinnetError) -> [ControlTrash] {
        try reading { (replica) throws(ReplicaError) in
            try replica.trash(collection)
        }.map { view in
            ControlTrash(
                record: ControlRecord(view.record),
                deletedMilliseconds: view.deleted.milliseconds, device: view.by,
                deviceName: view.by.map { named($0).name } ?? "", editedAfter: view.editedAfter)
        }
    }

    func controlStatus(isServing: Bool) throws(LinnetError) -> ControlStatus {
        if isLocked {
            return ControlStatus(
                members: [], isRunning: isServing, isLocked: true, port: nil, discovery: "off",
                waiting: [], warnings: [], batches: 0, batchBytes: 0)
        }
        let status = try status()
        return ControlStatus(
            members: status.devices.compactMap(ControlStatus.Member.init),
            isNewcomer: status.isNewcomer, isRunning: isServing,
            port: status.port, discovery: status.network.rawValue, waiting: status.waiting,
            warnings: status.warnings.map(ControlWarning.init), batches: UInt64(status.batches),
            batchBytes: UInt64(status.batchBytes), companionLink: status.companionLink)
    }

    func controlScopes() throws(LinnetError) -> ControlScopes {
        let held = try reading { (replica) throws(ReplicaError) in replica.heldScopes }
        return ControlScopes(
            isEverything: held.isEverything, names: held.names, isInStep: held.isInStep)
    }

    func controlDigest() throws(LinnetError) -> ControlDigest {
        try reading { (replica) throws(ReplicaError) in
            ControlDigest(
                digest: try replica.digest(),
                vector: replica.vectorEntries().map { entry in
                    ControlDigest.Entry(
                        scope: entry.scope, device: entry.device,
                        incarnation: entry.incarnation, sequence: entry.seq, head: entry.head)
                })
        }
    }
}

extension ControlStatus.Member {
    init?(_ status: DeviceStatus) {
        guard let bytes = Hex.decode(status.device.id), let device = DeviceID(bytes) else {
            return nil
        }
        self.init(
            device: device, name: status.device.name, kind: status.kind,
            role: status.role.rawValue, isSelf: status.isSelf, isConnected: status.isConnected,
            lastHeardMilliseconds: status.lastHeardMilliseconds,
            behindBatches: status.lacks ?? 0, agreedMilliseconds: status.agreedMilliseconds)
    }
}
