package import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension ReplicaReading {
    /// The number of ops of a field that are looked at to explain it.
    private static var explainedOps: Int { 64 }

    /// Returns the ops on a record, or on one field of it, newest first, with losers and those
    /// without effect.
    ///
    /// This opens the batches of the record's scope from the newest back until `limit` ops were
    /// found; for a record with fewer ops, it opens all of them. Of those that are folded only what
    /// shows is found, as far as records tell who wrote it and when.
    package func history(
        of key: RecordKey, field: UInt32? = nil, limit: Int
    ) throws(ReplicaError) -> [LoggedOp] {
        guard let collection = log.schema.collection(id: key.collection) else {
            throw .unknownCollection(key.collection)
        }
        guard let name = collection.scope.scope(of: key.record),
            let scope = log.group?.scope(named: name)
        else { return [] }
        return try storage { () throws(StorageError) in
            var walk = try LogWalk(log, scope: scope)
            var fates = OpFates(try records.existing(key))
            var branches = BranchReader()
            var found: [LoggedOp] = []
            while found.count < limit, let step = try walk.next(log) {
                let names = try branches.names(for: step.row, at: step.seq, log)
                for index in step.body.operations.indices.reversed() {
                    let operation = step.body.operations[index]
                    guard operation.collection == key.collection, operation.record == key.record
                    else { continue }
                    let logged = logged(operation, UInt32(index), in: step, names, &fates)
                    if field ?? operation.field == operation.field { found.append(logged) }
                }
            }
            if found.count < limit {
                found += try FoldedOps(records: records).of(key, in: scope).filter {
                    field ?? $0.operation.field == $0.operation.field
                }
            }
            return Array(found.prefix(max(0, limit)))
        }
    }

    private func logged(
        _ operation: Operation, _ index: UInt32, in step: LogWalk.Step, _ names: BranchNames,
        _ fates: inout OpFates
    ) -> LoggedOp {
        let home = log.chains.place(of: step.body, in: step.row, at: step.seq, names) {
            damaged.contains($1, of: $0)
        }
        let position = (home ?? BatchPlace(step.row, step.seq)).position(of: Int(index))
        let fate: LoggedOp.Fate
        switch log.admission(of: operation, in: step.row.scope) {
        case .quarantined(let reason): fate = .quarantined(reason)
        case .unknown: fate = .unknown
        case .admitted where step.seq > step.row.applied:
            fate = .waiting(hidden.reasonToWait(step.row, log.chains))
        case .admitted: fate = fates.fate(of: operation, at: position, names: names)
        }
        let origin = step.body.restates?.origin
        return LoggedOp(
            position: position, device: origin?.device ?? step.row.device,
            broughtBy: origin == nil ? nil : step.row.device,
            written: step.body.attributes.baseStamp,
            stamp: step.body.stamp(of: operation), operation: operation, fate: fate)
    }

    /// Returns the ops that explain a field, the devices that have what shows, and the batches that
    /// wait. This reads as much as `history` does.
    package func report(
        of key: RecordKey, field: UInt32
    ) throws(ReplicaError) -> FieldReport {
        guard let collection = log.schema.collection(id: key.collection) else {
            throw .unknownCollection(key.collection)
        }
        guard collection.field(id: field) != nil else {
            throw .schema(.unknownField("\(field)"))
        }
        let ops = try history(
            of: key, field: collection.kind == .log ? 0 : field, limit: Self.explainedOps)
        let winners = ops.filter { $0.fate == .shows }
        return FieldReport(
            winners: winners, others: ops.filter { $0.fate != .shows },
            holders: try holders(
                of: winners.isEmpty ? log.floors(of: key) : winners.map(\.position),
                in: collection, key.record),
            waiting: try waiting(in: collection, key.record))
    }

    private func holders(
        of positions: [Position], in collection: Collection, _ record: RecordID
    ) throws(ReplicaError) -> [FieldReport.Holder] {
        guard
            let scope = collection.scope.scope(of: record).flatMap({ log.group?.scope(named: $0) })
        else { return [] }
        let kept = try storage { () throws(StorageError) in try log.store.peerKnowledge() }
        var holders = [FieldReport.Holder(device: device, holds: true)]
        for member in log.group?.log.state.members ?? [] where member.device != device {
            let open = sessions.informed(of: member.device)
            let heard = kept.first { $0.device == member.device }?.knowledge
            var holds: Bool? = true
            for position in positions {
                let (key, seq) = log.chains.home(of: position, in: scope)
                // The device that wrote it has it, unless that life of the device is over.
                if log.chains[key]?.device == member.device { continue }
                // This is what it said last, now or in an earlier session.
                guard let held = open.map({ $0.peer[key]?.seq ?? 0 }) ?? heard?.seq(of: key) else {
                    holds = nil
                    break
                }
                if held < seq {
                    holds = false
                    break
                }
            }
            holders.append(FieldReport.Holder(device: member.device, holds: holds))
        }
        return holders
    }

    /// Says which batches of a record's scope are stored but not visible, and which wait to be
    /// stored.
    private func waiting(
        in collection: Collection, _ record: RecordID
    ) throws(ReplicaError) -> [String] {
        guard
            let scope = collection.scope.scope(of: record).flatMap({ log.group?.scope(named: $0) })
        else { return [] }
        var reasons: [String] = []
        for row in log.chains.rows.values where row.scope == scope && row.applied < row.stored {
            let count = row.stored - row.applied
            reasons.append(
                Plural.batches(count) + " of device \(row.device.shortName)"
                    + " \(count == 1 ? "waits" : "wait")"
                    + " for \(hidden.reasonToWait(row, log.chains))")
        }
        for chain in try storage({ () throws(StorageError) in try log.store.pendingChains() })
        where chain.scope == scope {
            let count = chain.totals.count
            reasons.append(
                Plural.batches(count) + " of device \(chain.device.shortName)"
                    + (count == 1
                        ? " waits for the one before it" : " wait for the ones before them"))
        }
        return reasons
    }
}

extension DeviceID {
    /// The beginning of the name, for people.
    var shortName: Substring { description.prefix(8) }
}
