import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// True when this device belongs to a group.
    public var isMember: Bool { replica?.isMember ?? false }

    /// The kind that this device was made as; empty while the node is locked.
    public var kind: String { replica?.kind ?? "" }

    /// The port at which the node listens; nil when it does not.
    public var port: UInt16? { connections.entrance.address?.port }

    /// Returns the devices of the group with their connections, and what waits and why.
    public func status() throws(LinnetError) -> NodeStatus {
        let now = SystemClock.now()
        let (status, devices, isInStep) = try reading { (replica) throws(ReplicaError) in
            let status = try replica.reading.status()
            let devices = status.members.map {
                DeviceStatus($0, today: replica.reading.arrivals(of: $0.device, at: now))
            }
            return (status, devices, replica.heldScopes.isInStep)
        }
        return NodeStatus(
            devices: devices,
            isNewcomer: isMember && !isInStep, port: port,
            network: connections.discovery?.state ?? .off,
            waiting: schemaWaiting + status.waiting, warnings: standingWarnings(),
            batches: status.batches, batchBytes: status.batchBytes,
            removals: try removals(), lateBatches: status.late, questions: try questions(),
            recovery: isMember ? try recoveryStatus() : nil, upgradeNeeded: status.upgradeNeeded,
            companionLink: companionLinkStatus())
    }

    /// The sentence that nothing shows before the group's schema has come.
    private var schemaWaiting: [String] {
        awaitsSchema && isMember ? ["the group's schema, without which nothing shows"] : []
    }

    /// Returns 64 hexadecimal digits that are equal on two devices which show the same. Reads what
    /// changed since the last digest was made.
    public func digest() throws(LinnetError) -> String {
        try reading { (replica) throws(ReplicaError) in try replica.reader.root() }.description
    }

    /// Gives this device another name.
    @discardableResult
    public func rename(_ name: String) throws(LinnetError) -> WriteReceipt {
        WriteReceipt(try carryOutRename(name), in: schema)
    }

    func carryOutRename(_ name: String) throws(LinnetError) -> CommitReceipt {
        try writable()
        do {
            guard let (receipt, effects) = try replica?.rename(name, at: SystemClock.now()) else {
                throw LinnetError.stopped
            }
            perform(effects)
            return receipt
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }

    /// Names this device before it joins a group; afterwards use ``rename(_:)``.
    public func describe(name: String, kind: DeviceKind) throws(LinnetError) {
        try writable()
        guard replica?.isMember == false else { throw .alreadyAMember }
        replica?.setProfile(name: name, kind: kind.rawValue)
    }
}

extension DeviceStatus {
    init(_ member: MemberStatus, today: Arrivals) {
        self.init(
            device: Device(id: member.device.description, name: member.name), kind: member.kind,
            role: DeviceRole(member.role), scopes: member.scopes, isSelf: member.isSelf,
            isConnected: member.isConnected,
            lastHeardMilliseconds: member.lastHeardWallMilliseconds, lacks: member.lacks,
            agreedMilliseconds: member.agreedWallMilliseconds,
            amounts: DeviceAmounts(
                recordsToday: today.records, batchesToday: today.batches, bytesToday: today.bytes,
                batchesHeld: member.held.count, bytesHeld: member.held.bytes))
    }
}

extension DeviceRole {
    init(_ role: Role) {
        self =
            switch role {
            case .admin: .admin
            case .member: .member
            case .relay: .relay
            case .reader: .reader
            }
    }
}
