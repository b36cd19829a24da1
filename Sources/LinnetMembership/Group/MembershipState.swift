package import LinnetWire

/// An active device of the group.
package struct Member: Equatable, Sendable {
    /// Its keys.
    package let certificate: Certificate
    /// The member's role.
    package let role: Role
    /// The record that admitted it.
    package let admission: MemberRecordID
    /// The scopes that it may read.
    package var scopes = ScopeGrant.all

    /// Its name.
    package var device: DeviceID { certificate.device }
    /// True when it may read some scopes alone.
    package var isBound: Bool { scopes != .all }
    /// True when it may start epochs: whoever draws the keys could read everything.
    package var mayRotate: Bool { role.writes && !isBound }
}

/// An epoch as the log tells of it.
package struct Epoch: Equatable, Sendable {
    /// The record that started it.
    package let id: EpochID
    /// The device that drew its keys.
    package let author: DeviceID
    /// Its number, commitments, boxes and wrapped keys.
    package let payload: EpochPayload

    /// Higher numbers are newer.
    package var number: UInt64 { payload.number }

    /// Returns true when an epoch counts as newer than another: it has the higher number, or the
    /// same and the lower identifier.
    static func isNewer(_ first: Epoch, than second: Epoch) -> Bool {
        first.number == second.number ? first.id < second.id : first.number > second.number
    }
}

/// A record that only a later version understands and that may change who belongs to the group.
package struct CriticalRecord: Equatable, Sendable {
    /// The record.
    package let id: MemberRecordID
    /// The device that signed it.
    package let author: DeviceID
}

/// The verdict on a set of records, with the certificates and epochs that its names stand for.
package struct MembershipState: Equatable, Sendable {
    /// All that the records come to.
    package let verdict: Verdict
    /// The active devices in order of admission.
    package let members: [Member]
    /// The recovery key in force, if the group has one.
    package let recovery: Certificate?
    /// Every epoch of a record that is good, usable or not, newest first.
    package let epochs: [Epoch]
    /// Epochs of void records, under which some may have written before they heard, newest first.
    package let voidEpochs: [Epoch]
    /// The records that only a later version understands and that count: those of active admins and
    /// of the recovery key.
    package let freezing: [CriticalRecord]
    /// The certificates of devices that no longer belong to the group, in order of admission.
    package let former: [Certificate]
    /// The devices that an admin, be it one that was removed since, ever let write: what they wrote
    /// is kept, though not all of it may count.
    package let writers: OrderedSet<DeviceID>
    private let places: OrderedTable<EpochID, Int>
    /// By void epoch: the devices to which others share it.
    private let voidShares: OrderedTable<EpochID, OrderedSet<DeviceID>>

    init(_ graph: RecordGraph) {
        let verdict = Verdict(graph, Choice(graph))
        var (members, former): ([Member], [Certificate]) = ([], [])
        var certificates = OrderedTable<DeviceID, Certificate>()
        var recovery: Certificate?
        for record in graph.order {
            let node = graph.nodes[record]
            let certificate: Certificate
            switch node.payload {
            case .genesis(let payload):
                certificate = payload.creator
                if payload.recovery?.device == verdict.recovery { recovery = payload.recovery }
            case .add(let payload): certificate = payload.certificate
            case .recovery(let key):
                if key.device == verdict.recovery { recovery = key }
                continue
            default: continue
            }
            if let member = verdict.members[certificate.device] {
                guard member.admission == node.id else { continue }
                members.append(
                    Member(
                        certificate: certificate, role: member.role, admission: node.id,
                        scopes: member.scopes))
            } else if verdict.batches[certificate.device] != nil,
                certificates[certificate.device] == nil
            {
                certificates[certificate.device] = certificate
                former.append(certificate)
            }
        }
        let all = graph.epochs.compactMap { place in
            graph.nodes[place].payload.epoch.map {
                Epoch(
                    id: graph.nodes[place].id, author: graph.names[graph.nodes[place].author],
                    payload: $0)
            }
        }.sorted { Epoch.isNewer($0, than: $1) }
        epochs = all.filter { verdict.judgedEpochs[$0.id] != nil }
        voidEpochs = all.filter { verdict.judgedEpochs[$0.id] == nil }
        places = OrderedTable(epochs.enumerated().map { ($1.id, $0) })
        writers = Self.writers(graph)
        var shares = OrderedTable<EpochID, OrderedSet<DeviceID>>()
        for epoch in voidEpochs { shares[epoch.id] = OrderedSet() }
        for node in graph.nodes {
            guard case .share(let payload) = node.payload, shares[payload.epoch] != nil,
                payload.device != graph.names[node.author]
            else { continue }
            shares[payload.epoch]?.insert(payload.device)
        }
        voidShares = shares
        freezing = graph.order.compactMap { place in
            let node = graph.nodes[place]
            guard verdict.freezing.contains(node.id) else { return nil }
            return CriticalRecord(id: node.id, author: graph.names[node.author])
        }
        (self.verdict, self.members, self.former, self.recovery) = (
            verdict, members, former, recovery
        )
    }

    private static func writers(_ graph: RecordGraph) -> OrderedSet<DeviceID> {
        var (admins, writers) = (OrderedSet<Int>(), OrderedSet<DeviceID>())
        for record in graph.order {
            let node = graph.nodes[record]
            let role: Role
            switch node.payload {
            case .genesis: role = .admin
            case .add(let payload): role = payload.role
            case .role(let payload): role = payload.role
            default: continue
            }
            guard
                node.lamport == 1 || admins.contains(node.author)
                    || graph.isRecovery[node.author],
                let target = node.target, role.writes
            else { continue }
            writers.insert(graph.names[target])
            if role == .admin { admins.insert(target) }
        }
        return writers
    }

    /// True when all that was ever stored of every writer counts.
    package var countsAll: Bool { writers.allSatisfy { verdict.batches[$0] == .all } }

    /// The newest usable epoch, under which new batches are encrypted; nil when none is usable.
    package var currentEpoch: Epoch? { verdict.currentEpoch.flatMap(epoch) }

    /// True while a record freezes: this device then admits nobody and starts no epoch, and goes on
    /// in all else, removals too.
    package var upgradeNeeded: Bool { !freezing.isEmpty }

    /// The oldest epoch, whose data key names the scopes.
    package var firstEpoch: Epoch? {
        let first = epochs.last?.number
        return epochs.first { $0.number == first }
    }

    /// The active member of this name.
    package func member(_ device: DeviceID) -> Member? {
        members.first { $0.device == device }
    }

    /// The active member that proves itself by this handshake key.
    package func member(noiseKey: Bytes32) -> Member? {
        members.first { $0.certificate.noiseKey == noiseKey }
    }

    /// The device that proves itself by this handshake key and belongs to the group no more.
    package func former(noiseKey: Bytes32) -> Certificate? {
        member(noiseKey: noiseKey) == nil ? former.first { $0.noiseKey == noiseKey } : nil
    }

    /// The epoch of this identifier, unless its record is void.
    package func epoch(_ id: EpochID) -> Epoch? { places[id].map { epochs[$0] } }

    /// The epoch of this identifier, be its record void or not.
    func anyEpoch(_ id: EpochID) -> Epoch? { epoch(id) ?? voidEpochs.first { $0.id == id } }

    /// Returns the reason for which an epoch is not usable; nil when it is, or when it is none.
    package func fault(of epoch: Epoch) -> EpochFault? { verdict.judgedEpochs[epoch.id]?.fault }

    /// The members that have a box of the right size, in the epoch's own record or, where that has
    /// none for them, in an admission or a share of it; of a void one those with a box in its
    /// record.
    package func holders(of epoch: Epoch) -> OrderedSet<DeviceID> {
        verdict.judgedEpochs[epoch.id]?.holders
            ?? OrderedSet(members.map(\.device).filter { epoch.payload.boxes[$0] != nil })
    }

    /// The members that have a box of an epoch and do not call it bad, or got one by a share;
    /// of the boxes of a void one nothing says whether they open.
    func keyHolders(of epoch: Epoch) -> OrderedSet<DeviceID> {
        let callers = callers(of: epoch)
        var all = OrderedSet(holders(of: epoch).elements.filter { !callers.contains($0) })
        for device in voidShares[epoch.id]?.elements ?? [] where member(device) != nil {
            all.insert(device)
        }
        return all
    }

    /// The members that have a box of an epoch and say that it does not open.
    func callers(of epoch: Epoch) -> OrderedSet<DeviceID> {
        verdict.judgedEpochs[epoch.id]?.callers ?? OrderedSet()
    }

    /// True when a member has a box of the right size of an epoch.
    package func isHeld(_ epoch: Epoch, by member: Member) -> Bool {
        holders(of: epoch).contains(member.device)
    }

    /// True when none but members and the recovery key has keys of an epoch.
    func isSealedToMembersAlone(_ epoch: Epoch) -> Bool {
        verdict.judgedEpochs[epoch.id]?.isSealed ?? false
    }

    /// The certificate that already uses one of the keys, if any.
    func owner(ofAnyKeyIn certificate: Certificate) -> Certificate? {
        if let recovery, recovery.sharesKey(with: certificate) { return recovery }
        return members.first { $0.certificate.sharesKey(with: certificate) }?.certificate
            ?? former.first { $0.sharesKey(with: certificate) }
    }
}
