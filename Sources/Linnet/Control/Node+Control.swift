import LinnetCRDT
import LinnetControl
import LinnetReplication
import LinnetSystem
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

    func controlIdentity() throws(LinnetError) -> ControlIdentity {
        let me = try status().devices.first(where: \.isSelf)
        return ControlIdentity(
            version: LinnetVersion.text, processID: UInt32(clamping: getpid()), device: device,
            fingerprint: fingerprint, name: me?.device.name ?? "", kind: me?.kind ?? "",
            group: replica?.groupID, port: port)
    }

    func controlRename(_ name: String) throws(LinnetError) -> ControlReceipt {
        ControlReceipt(try carryOutRename(name), in: schema)
    }

    func controlRecord(_ key: RecordKey) throws(LinnetError) -> [RecordView] {
        let view = try reading { (replica) throws(ReplicaError) in
            try replica.reader.record(key.collection, key.record)
        }
        return view.map { [$0] } ?? []
    }

    func controlRecords(
        _ rest: CollectionReading
    ) throws(LinnetError) -> (page: [RecordView], rest: CollectionReading) {
        var rest = rest
        let page = try reading { (replica) throws(ReplicaError) in
            try replica.reader.records(&rest)
        }
        return (page, rest)
    }

    func controlHistory(
        _ key: RecordKey, field: UInt32?, limit: UInt64
    ) throws(LinnetError) -> [HistoryEntry] {
        try history(
            try collection(numbered: key.collection), key.record, field: field,
            limit: Int(clamping: limit))
    }

    func controlWhy(_ key: RecordKey, field: UInt32) throws(LinnetError) -> Explanation {
        let declared = try collection(numbered: key.collection)
        guard let found = declared.field(id: field) else {
            throw .schema(.unknownField("\(field)"))
        }
        return try why(declared, key.record, found)
    }

    func collection(numbered collection: UInt32) throws(LinnetError) -> Collection {
        guard let declared = schema.collection(id: collection) else {
            throw .schema(.unknownCollection("\(collection)"))
        }
        return declared
    }

    func controlTrash(
        _ rest: CollectionReading
    ) throws(LinnetError) -> (page: [ControlTrash], rest: CollectionReading) {
        var rest = rest
        let page = try reading { (replica) throws(ReplicaError) in
            try replica.reader.trash(&rest)
        }.map { view in
            ControlTrash(
                record: view.record,
                deletedMilliseconds: view.deleted.milliseconds, device: view.by,
                deviceName: view.by.map { named($0).name } ?? "", editedAfter: view.editedAfter)
        }
        return (page, rest)
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
            batchBytes: UInt64(status.batchBytes), companionLink: status.companionLink,
            removals: status.removals.map(ControlRemoval.init),
            lateBatches: UInt64(status.lateBatches),
            questions: status.questions.map(ControlQuestion.init),
            recovery: status.recovery.map(ControlRecovery.init))
    }

    func controlConnections() throws(LinnetError) -> ControlConnections {
        let judgement = try clockJudgement()
        let links = connections.links.all.compactMap { link -> ControlConnections.Link? in
            guard let device = link.device, let since = link.sinceMilliseconds else { return nil }
            return ControlConnections.Link(
                device: device, way: link.way, sinceMilliseconds: since,
                bytesReceived: link.bytes.received, bytesSent: link.bytes.sent)
        }
        let clocks = judgement.opinions.compactMap { opinion -> ControlConnections.Clock? in
            guard let bytes = Hex.decode(opinion.device.id), let device = DeviceID(bytes) else {
                return nil
            }
            return ControlConnections.Clock(
                device: device, aheadMilliseconds: opinion.skewMilliseconds, isOff: opinion.isOff,
                metMilliseconds: judgement.now - opinion.agoMilliseconds)
        }
        return ControlConnections(links: links, clocks: clocks)
    }

    func controlLacks() throws(LinnetError) -> [ControlLack] {
        guard !isLocked else { return [] }
        let schema = schema
        return try reading { (replica) throws(ReplicaError) in try replica.reading.lacks() }.map {
            ControlLack(
                device: $0.device, batches: $0.batches, opened: $0.opened,
                parts: $0.parts.map { part in
                    ControlLack.Part(
                        collection: schema.collection(id: part.collection)?.name
                            ?? "collection \(part.collection)", records: part.records)
                })
        }
    }

    func controlScopes() throws(LinnetError) -> ControlScopes {
        let held = try reading { (replica) throws(ReplicaError) in replica.heldScopes }
        return ControlScopes(
            isEverything: held.isEverything, names: held.names, isInStep: held.isInStep)
    }

    func controlDigest(isWhole: Bool) async throws(LinnetError) -> ControlDigest {
        try await withVisibleDigest(isWhole: isWhole) { (digest) throws(LinnetError) in
            try reading { (replica) throws(ReplicaError) in
                ControlDigest(
                    digest: digest,
                    vector: replica.log.vectorEntries().map { entry in
                        ControlDigest.Entry(
                            scope: entry.scope, device: entry.device,
                            incarnation: entry.incarnation, sequence: entry.seq, head: entry.head)
                    })
            }
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
            behindBatches: status.lacks, agreedMilliseconds: status.agreedMilliseconds,
            amounts: ControlStatus.Amounts(
                recordsToday: UInt64(status.amounts.recordsToday),
                batchesToday: UInt64(status.amounts.batchesToday),
                bytesToday: UInt64(status.amounts.bytesToday),
                batchesHeld: UInt64(status.amounts.batchesHeld),
                bytesHeld: UInt64(status.amounts.bytesHeld)),
            scopes: status.scopes.map { DeviceScopes.only($0).text })
    }
}
