import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The reading of all that a replica shows, batch by batch, for another group.
///
/// It begins with what the replica shows when it is made, and gives each batch after those that it
/// builds on.
package struct MergeSource {
    /// The most batches of one step.
    private static let stepBatches = 256

    /// The group that is read.
    package let group: GroupID
    /// The batches that are here and do not show yet, which are not given.
    package let waiting: UInt64
    /// The number of batches that show, and are given.
    package let total: UInt64
    /// The group to which all goes.
    private let target: GroupID
    private let names: OrderedTable<ScopeID, String>
    private var replay: LogReplay
    /// The last number of each chain that was given, and the last one that will be.
    private var given: OrderedTable<ChainKey, UInt64> = OrderedTable()
    private let ends: OrderedTable<ChainKey, UInt64>

    /// Begins to read what a replica shows, for the group `target`.
    ///
    /// Throws where that is the same group, and where an author of it wrote two histories.
    package init(_ replica: borrowing Replica, to target: GroupID) throws(ReplicaError) {
        guard let state = replica.group else { throw .notAMember }
        guard state.log.group != target else { throw .merge(.sameGroup) }
        let (log, own) = (replica.log, state.scope(named: Schema.devices.scope.name))
        let rows = log.chains.rows.values.filter { $0.scope != own }
        if let fork = rows.first(where: { $0.forkedAt != nil || $0.parent != nil }) {
            throw .merge(.forked(fork.device))
        }
        group = state.log.group
        self.target = target
        var named = try storage { () throws(StorageError) in try ScopeNames(log, rows).names }
        if log.hasBase { throw .merge(.compacted) }
        // The devices of a group are its own matter.
        if let own { named[own] = nil }
        names = named
        let kept = rows.filter { [names] in names[$0.scope] != nil }
        replay = LogReplay(kept) { $0.start + 1 }
        var ends: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for row in kept where row.applied >= row.first { ends[row.key] = row.applied }
        self.ends = ends
        total = kept.reduce(0) { $0 + ($1.applied + 1 - min($1.first, $1.applied + 1)) }
        waiting = rows.reduce(0) { $0 + ($1.stored - $1.applied) }
    }

    /// Returns the next batches, of about so many bytes; none when all were given.
    package mutating func next(
        of replica: borrowing Replica, bytes: Int
    ) throws(ReplicaError) -> [BroughtBatch] {
        let log = replica.log
        var (found, size): ([BroughtBatch], Int) = ([], 0)
        while size < bytes, found.count < Self.stepBatches {
            let step = try storage { () throws(StorageError) in try replay.next(log) }
            guard let step else {
                try finish(log, &found)
                break
            }
            guard let body = step.body else { throw .merge(.damaged(step.row.device)) }
            try fill(step.row, before: step.stored.seq, &found)
            given[step.row.key] = step.stored.seq
            try give(body, step, log, &found)
            size += found.last?.plaintext.count ?? 0
        }
        return found
    }

    /// Gives a batch under its own place, and, where it says another one again, under that one's.
    private func give(
        _ body: BatchBody, _ step: LogReplay.Step, _ log: BatchLog, _ found: inout [BroughtBatch]
    ) throws(ReplicaError) {
        let (row, seq) = (step.row, step.stored.seq)
        guard let restates = body.restates else {
            found.append(try brought(body, in: row, saying: name(row, seq)))
            return
        }
        found.append(try nothing(row, seq))
        let place = log.chains.place(of: body, in: row, at: seq, BranchNames()) { _, _ in false }
        guard place != nil, restates.origin?.group != target else { return }
        var alone = body
        alone.attributes = body.attributes.alone
        found.append(
            try brought(
                alone, in: row,
                saying: Restatement(
                    origin: restates.origin
                        ?? Restatement.Origin(group: group, device: row.device),
                    incarnation: restates.incarnation, seq: restates.seq,
                    indices: restates.indices)))
    }

    /// Gives batches without effect as such, since later ones may name them.
    private func fill(
        _ row: ChainRow, before seq: UInt64, _ found: inout [BroughtBatch]
    ) throws(ReplicaError) {
        let next = given[row.key].map { $0 + 1 } ?? row.first
        guard next < seq else { return }
        for seq in next..<seq { found.append(try nothing(row, seq)) }
    }

    private mutating func finish(
        _ log: BatchLog, _ found: inout [BroughtBatch]
    ) throws(ReplicaError) {
        for (key, end) in ends where given[key] ?? 0 < end {
            guard let row = log.chains[key] else { continue }
            try fill(row, before: end + 1, &found)
            given[key] = end
        }
    }

    private func name(_ row: ChainRow, _ seq: UInt64) -> Restatement {
        Restatement(
            origin: Restatement.Origin(group: group, device: row.device),
            incarnation: row.incarnation, seq: seq, indices: nil)
    }

    private func nothing(_ row: ChainRow, _ seq: UInt64) throws(ReplicaError) -> BroughtBatch {
        let attributes = BatchAttributes(
            commit: .zero, schemaVersion: 0, baseStamp: Timestamp(rawValue: 0) ?? .ceiling)
        return try brought(
            BatchBody(attributes: attributes, operations: Operations()), in: row,
            saying: name(row, seq))
    }

    private func brought(
        _ body: BatchBody, in row: ChainRow, saying restates: Restatement
    ) throws(ReplicaError) -> BroughtBatch {
        let known = body.attributes.renamed { names[$0] == nil ? nil : $0 }
        let body = BatchBody(
            attributes: known, operations: body.operations, restates: restates)
        let used = OrderedSet(
            known.dependencies.map(\.scope) + known.partScopes.map(\.scope)
        ).elements
        do throws(CRDTError) {
            return BroughtBatch(
                scope: names[row.scope] ?? "",
                names: used.map { BroughtBatch.ScopeName(id: $0, name: names[$0] ?? "") },
                plaintext: try body.encodePlaintext())
        } catch {
            throw .merge(.tooLarge(row.device))
        }
    }
}

/// The names of the scopes in which a replica holds batches, as the records in them show.
private struct ScopeNames {
    private(set) var names: OrderedTable<ScopeID, String> = OrderedTable()

    init(_ log: BatchLog, _ rows: [ChainRow]) throws(StorageError) {
        for (name, id) in log.group?.scopes.sorted ?? [] { names[id] = name }
        for row in rows where names[row.scope] == nil && row.applied >= row.first {
            for seq in row.first...row.applied {
                guard let stored = try log.store.batch(chain: row.index, seq: seq),
                    let body = log.group?.body(of: stored, in: row),
                    let name = Self.name(of: row.scope, body.operations, log)
                else { continue }
                names[row.scope] = name
                break
            }
        }
    }

    private static func name(
        of scope: ScopeID, _ operations: Operations, _ log: BatchLog
    ) -> String? {
        for operation in operations {
            let rule = log.schema.collection(id: operation.collection)?.scope
            if let name = rule?.scope(of: operation.record), log.group?.scope(named: name) == scope
            {
                return name
            }
        }
        return nil
    }
}
