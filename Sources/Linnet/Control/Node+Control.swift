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
        guard control == nil else { return }
        do throws(HomeError) {
            let loop = loop
            control = try ControlServer(home: home, loop: loop) { [weak self] connection in
                guard let self else { return }
                let session = ControlSession(self, isServing: true) { [weak connection] response in
                    loop.perform { connection?.send(response) }
                }
                connection.onRequest = { request in Task { await session.receive(request) } }
                connection.onClose = { Task { await session.leave() } }
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

    func controlWrite(
        _ writes: [ControlWrite], intent: [UInt8]?
    ) throws(LinnetError) -> ControlReceipt {
        let receipt = try carryOut(
            writes.map(Write.init), intent: intent, durability: .durable)
        return ControlReceipt(
            commit: receipt.commit, batches: UInt64(receipt.batches),
            operations: UInt64(receipt.operations), repeated: receipt.repeated)
    }

    func controlRecord(
        _ collection: UInt32, _ id: RecordID
    ) throws(LinnetError) -> [ControlRecord] {
        let view = try reading { (replica) throws(ReplicaError) in
            try replica.record(collection, id)
        }
        return view.map { [ControlRecord($0)] } ?? []
    }

    func controlRecords(_ collection: UInt32) throws(LinnetError) -> [ControlRecord] {
        try reading { (replica) throws(ReplicaError) in
            try replica.records(collection)
        }.map(ControlRecord.init)
    }

    func controlStatus(isServing: Bool) throws(LinnetError) -> ControlStatus {
        if isLocked {
            return ControlStatus(
                members: [], isRunning: isServing, isLocked: true, port: nil, discovery: "off",
                waiting: [], warnings: [], batches: 0, batchBytes: 0)
        }
        let status = try status()
        return ControlStatus(
            members: status.devices.compactMap(ControlStatus.Member.init), isRunning: isServing,
            port: status.port, discovery: status.network.rawValue, waiting: status.waiting,
            warnings: status.warnings.map(\.description), batches: UInt64(status.batches),
            batchBytes: UInt64(status.batchBytes))
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

extension ControlRecord {
    init(_ view: RecordView) {
        self.init(
            id: view.id,
            values: view.fields.flatMap { field in
                field.values.enumerated().map { member, value in
                    ControlField(field: field.field, member: UInt32(member), value: value)
                }
            })
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
            behindBatches: status.lacks ?? 0)
    }
}

extension Write {
    /// The write that a command asks for; members of one field become one write of the field.
    init(_ write: ControlWrite) {
        switch write {
        case .delete(let collection, let record):
            self = .delete(collection: collection, record: record)
        case .set(let collection, let record, let fields):
            var numbers: [UInt32] = []
            for field in fields where !numbers.contains(field.field) { numbers.append(field.field) }
            self = .set(
                collection: collection, record: record,
                fields: numbers.map { number in
                    FieldWrite(
                        number,
                        members: fields.filter { $0.field == number }
                            .map { (Int($0.member), $0.value) })
                })
        }
    }
}
