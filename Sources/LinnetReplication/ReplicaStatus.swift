import LinnetCRDT
package import LinnetCrypto
package import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A member as this replica sees it.
package struct MemberStatus: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The name that people gave it; empty until its own row has arrived.
    package let name: String
    /// The kind of device: phone, watch, laptop, hub or other.
    package let kind: String
    /// The role, which says what it may do.
    package let role: Role
    /// True when it is this device.
    package let isSelf: Bool
    /// True when a session with it is open.
    package let isConnected: Bool
    /// The time at which it was last heard, in Unix milliseconds; nil when it never was.
    package let lastHeardWallMilliseconds: Int64?
    /// The number of batches that it lacks as far as this replica knows; nil when it never said
    /// what it holds.
    package let lacks: UInt64?
    /// The time at which it last signed that it holds and shows what this device does, in Unix
    /// milliseconds.
    package let agreedWallMilliseconds: Int64?
}

/// A replica at one moment, for people.
package struct ReplicaStatus: Equatable, Sendable {
    /// The members in the order of their devices.
    package let members: [MemberStatus]
    /// The number of batches that are stored.
    package let batches: Int
    /// The bytes of the batches that are stored.
    package let batchBytes: Int
    /// The number of batches that wait for a predecessor or a member.
    package let pending: Int
    /// The batches that are stored but not visible yet, and what they wait for, in sentences.
    package let waiting: [String]
    /// The number of operations that have no effect.
    package let quarantined: Int
    /// True when a newer version is needed before devices are admitted here and keys change.
    package let upgradeNeeded: Bool
}

extension Replica {
    /// Returns who belongs, who is connected, and which batches wait for what.
    package func status() throws(ReplicaError) -> ReplicaStatus {
        try storage { () throws(StorageError) in
            let totals = try store.batchTotals()
            return ReplicaStatus(
                members: try memberStatuses(), batches: totals.count, batchBytes: totals.bytes,
                pending: store.pendingTotals.count, waiting: waitingReasons(),
                quarantined: try store.quarantineCount(),
                upgradeNeeded: group?.log.state.upgradeNeeded ?? false)
        }
    }

    private func memberStatuses() throws(StorageError) -> [MemberStatus] {
        let kept = try store.peers()
        let pairs = try peerKnowledge().compactMap(\.knowledge.statements).filter(\.agrees)
        var statuses: [MemberStatus] = []
        for member in group?.log.state.members ?? [] {
            let row = try reader.state(
                of: RecordKey(
                    collection: Self.devices, record: Self.recordID(of: member.device)))
            let open = sessions.informed(of: member.device)
            var lacks: UInt64?
            if let open { lacks = lacking(open) }
            statuses.append(
                MemberStatus(
                    device: member.device, name: text(row, 1), kind: text(row, 2),
                    role: member.role, isSelf: member.device == device,
                    isConnected: open != nil,
                    lastHeardWallMilliseconds: peers.lastHeard(member.device)
                        ?? kept.filter { $0.device == member.device }
                        .map(\.lastHeardWallMilliseconds).max(),
                    lacks: lacks,
                    agreedWallMilliseconds: pairs.map(\.theirs)
                        .first { $0.device == member.device }?.wallMilliseconds))
        }
        return statuses.sorted { $0.device < $1.device }
    }

    private func lacking(_ state: OpenState) -> UInt64 {
        chains.rows.values.reduce(0) { total, row in
            let held = max(state.peer[row.key]?.seq ?? 0, row.first - 1)
            return total + (row.stored > held ? row.stored - held : 0)
        }
    }

    private func text(_ state: RecordState, _ field: UInt32) -> String {
        guard state.isLive, let shown = state.visible(field: field),
            case .text(let text)? = try? Value.decode(shown.payload)
        else { return "" }
        return text
    }

    private func waitingReasons() -> [String] {
        var reasons: [String] = []
        for (key, row) in chains.rows where row.applied < row.stored {
            let count = row.stored - row.applied
            let device = row.device.description.prefix(8)
            let reason =
                if arrivals.holdsSomething(of: row.device) {
                    "another day, since the device sent too much today"
                } else if chains.hidden.isBlocked(key) {
                    "a change that it builds on"
                } else {
                    "the rest of a commit, or the keys of an epoch"
                }
            reasons.append(
                Plural.batches(count) + " of device \(device) \(count == 1 ? "waits" : "wait")"
                    + " for \(reason)")
        }
        return reasons
    }

    /// Remembers the time at which a peer was heard.
    mutating func heard(_ peer: DeviceID, at now: Moment) throws(StorageError) {
        var row = try peers.row(of: peer, in: store)
        row.lastHeardWallMilliseconds = now.wallMilliseconds
        peers.note(row)
        // Relaxed writes of the application become durable then, and can be sent to the peer.
        if !chains.unsynced.isEmpty { try turn.writing() }
    }

    /// Keeps an address as a hint for the next time; at most eight for a device, newest first.
    package mutating func rememberAddress(
        _ address: String, of peer: DeviceID
    ) throws(ReplicaError) {
        do throws(StorageError) {
            var row = try peers.row(of: peer, in: store)
            guard row.addresses.first != address else { return }
            row.addresses = Array(
                ([address] + row.addresses.filter { $0 != address }).prefix(8))
            peers.note(row)
            try turn.writing()
            try peers.save(in: store)
            try store.commit()
        } catch {
            store.rollback()
            peers.reload()
            throw .storage(error)
        }
    }

    /// Returns the addresses at which peers were reached before.
    package func rememberedAddresses() throws(ReplicaError) -> [(DeviceID, [String])] {
        try storage { () throws(StorageError) in
            try store.peers().map { ($0.device, $0.addresses) }
        }
    }

    /// Keys that recognise members on the network, newest epoch first but for the first one, which
    /// is the one in use and announces.
    package func discoveryKeys() -> [(epoch: EpochID, key: SharedSecret)] {
        guard let group else { return [] }
        let first = (group.ring.writing ?? group.ring.current(in: group.log))?.id
        let held = group.ring.epochs
        return (held.filter { $0.id == first } + held.filter { $0.id != first }).compactMap {
            epoch in
            epoch.networkKey.map {
                (epoch.id, SharedSecret(KeyDerivation.derive($0.bytes, .disc, [])))
            }
        }
    }

    /// The number of batches that this device and the connected peers lack of each other, as far as
    /// is known; those that several peers have for this device count once.
    package var batchesToExchange: UInt64 {
        var (incoming, outgoing): (UInt64, UInt64) = (0, 0)
        for (_, state) in sessions.open {
            guard state.heardHave else { continue }
            var lacked: UInt64 = 0
            for (key, head) in state.peer where holds(key.scope) {
                let stored = chains[key]?.stored ?? 0
                // A peer may list impossible numbers, so that the sum is kept far from an overflow.
                lacked += head.seq > stored ? min(head.seq - stored, 1 << 40) : 0
            }
            incoming = max(incoming, lacked)
            for (key, row) in chains.rows where state.greeting.scopes.holds(key.scope) {
                let held = max(state.peer[key]?.seq ?? 0, row.first - 1)
                outgoing += row.stored > held ? row.stored - held : 0
            }
        }
        return incoming + outgoing
    }

    /// The number of batches that are stored here and do not show.
    package var batchesHidden: UInt64 {
        chains.rows.reduce(0) { $0 + ($1.1.stored - min($1.1.stored, $1.1.applied)) }
    }

    /// The number of batches that are stored here.
    package var batchesStored: UInt64 {
        chains.rows.reduce(0) { $0 + ($1.1.stored - min($1.1.stored, $1.1.first - 1)) }
    }

    /// The peers that hold the same batches as this device, as far as both know.
    package var devicesInStep: [DeviceID] {
        sessions.open.filter(\.state.saidInStep).map(\.state.device)
    }

    /// Makes relaxed writes durable and sends them.
    package mutating func flush(at now: Moment) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            try store.flush()
            chains.unsynced.madeDurable(&turn)
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }

    /// True when a power cut could still take some writes.
    package var hasRelaxedWrites: Bool { !chains.unsynced.isEmpty }

    /// Closes the store; nothing of the replica can be used after it.
    package consuming func close() throws(ReplicaError) {
        try foldEverything()
        do {
            try store.close()
        } catch {
            throw .storage(error)
        }
    }
}
