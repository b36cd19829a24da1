import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

extension ReplicaReading {
    /// Returns who belongs, who is connected, and which batches wait for what.
    package func status() throws(ReplicaError) -> ReplicaStatus {
        try storage { () throws(StorageError) in
            let totals = try log.store.batchTotals(chain: nil)
            return ReplicaStatus(
                members: try memberStatuses(), batches: totals.count, batchBytes: totals.bytes,
                pending: log.store.pendingTotals.count, waiting: waitingReasons(),
                late: try lateBatches(),
                quarantined: try log.store.quarantineCount(),
                upgradeNeeded: log.group?.log.state.upgradeNeeded ?? false)
        }
    }

    private func memberStatuses() throws(StorageError) -> [MemberStatus] {
        let kept = try log.store.peers()
        let heard = try log.store.peerKnowledge()
        let pairs = heard.compactMap(\.knowledge.statements).filter(\.agrees)
        let held = try heldByAuthor()
        var statuses: [MemberStatus] = []
        for member in log.group?.log.state.members ?? [] {
            let row = try records.state(
                of: RecordKey(
                    collection: Replica.devices, record: Replica.recordID(of: member.device)))
            let open = sessions.informed(of: member.device)
            let lacks = lack(of: member.device, heard)?.reduce(0) { $0 + UInt64($1.seqs.count) }
            statuses.append(
                MemberStatus(
                    device: member.device, name: text(row, 1), kind: text(row, 2),
                    role: member.role, scopes: scopeNames(of: member.scopes),
                    isSelf: member.device == device,
                    isConnected: open != nil,
                    lastHeardWallMilliseconds: sessions.peers.lastHeard(member.device)
                        ?? kept.filter { $0.device == member.device }
                        .map(\.lastHeardWallMilliseconds).max(),
                    lacks: lacks,
                    agreedWallMilliseconds: pairs.map(\.theirs)
                        .first { $0.device == member.device }?.wallMilliseconds,
                    held: held[member.device] ?? Totals(count: 0, bytes: 0)))
        }
        return statuses.sorted { $0.device < $1.device }
    }

    /// Returns the batches that are stored of a device.
    func heldTotals(of device: DeviceID) throws(StorageError) -> Totals {
        var held = Totals(count: 0, bytes: 0)
        for row in log.chains.rows.values where row.device == device {
            let more = try log.store.batchTotals(chain: row.index)
            held = Totals(count: held.count + more.count, bytes: held.bytes + more.bytes)
        }
        return held
    }

    /// Returns the batches that are stored of each device.
    private func heldByAuthor() throws(StorageError) -> OrderedTable<DeviceID, Totals> {
        var held: OrderedTable<DeviceID, Totals> = OrderedTable()
        for row in log.chains.rows.values {
            let more = try log.store.batchTotals(chain: row.index)
            let known = held[row.device] ?? Totals(count: 0, bytes: 0)
            held[row.device] = Totals(
                count: known.count + more.count, bytes: known.bytes + more.bytes)
        }
        return held
    }

    /// Returns the amounts that a device brought here today.
    package func arrivals(of device: DeviceID, at now: Moment) -> Arrivals {
        sessions.arrivals.today(of: device, at: now)
    }

    private func text(_ state: RecordState, _ field: UInt32) -> String {
        guard state.isLive, let shown = state.visible(field: field),
            case .text(let text)? = try? Value.decode(shown.payload)
        else { return "" }
        return text
    }

    private func waitingReasons() -> [String] {
        var reasons: [String] = []
        for (key, row) in log.chains.rows where row.applied < row.stored {
            let count = row.stored - row.applied
            let device = row.device.description.prefix(8)
            let reason =
                if sessions.arrivals.holdsSomething(of: row.device) {
                    "another day, since the device sent too much today"
                } else if hidden.isBlocked(key) {
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
}
