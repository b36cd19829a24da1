import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The parts of one commit as they fill up, before they are sealed.
struct CommitBuilder {
    /// The content of one batch that is not sealed yet.
    struct Part {
        let scope: ScopeID
        let seq: UInt64
        private(set) var operations = Operations()
        private(set) var bytes: Int

        /// Begins with room for a first operation, however many bytes it takes.
        fileprivate init(scope: ScopeID, seq: UInt64, bytes: Int) {
            self.scope = scope
            self.seq = seq
            self.bytes = bytes
        }

        /// Keeps room for another operation and returns its place; nil when the batch is full.
        fileprivate mutating func reserve(_ bytes: Int) -> (seq: UInt64, index: UInt32)? {
            guard operations.count < Limits.operationsPerBatch,
                self.bytes + bytes <= Limits.commitBatchBytes
            else { return nil }
            self.bytes += bytes
            return (seq, UInt32(operations.count))
        }

        fileprivate mutating func fill(_ operation: Operation) { operations.append(operation) }
    }

    let base: Timestamp
    private(set) var parts: [Part] = []
    /// The changes of it that do not show.
    var hidden = HiddenOperations()
    /// The index of the open part of each scope.
    private var open: OrderedTable<ScopeID, Int> = OrderedTable()
    /// The bytes that were merged into the record at hand.
    private var merged = 0

    init(base: Timestamp) {
        self.base = base
    }

    var operationCount: Int { parts.reduce(0) { $0 + $1.operations.count } }

    /// The number of parts in each scope; empty when there is only one scope.
    var partScopes: [BatchAttributes.PartScope] {
        var counts: OrderedTable<ScopeID, UInt32> = OrderedTable()
        for part in parts { counts[part.scope, default: 0] += 1 }
        if counts.count < 2 { return [] }
        return counts.map { BatchAttributes.PartScope(scope: $0.key, parts: $0.value) }
    }

    /// Keeps room for a chain's next operation, which takes so many bytes, and returns its place.
    private mutating func reserve(
        _ bytes: Int, in chain: ChainKey, of log: BatchLog
    ) -> (part: Int, seq: UInt64, index: UInt32) {
        let latest = openPart(of: chain.scope)
        // The part is asked in place, since a copy of it costs as much as the operation.
        if let latest, let place = parts[latest].reserve(bytes) {
            return (latest, place.seq, place.index)
        }
        let last = latest.map { parts[$0].seq } ?? log.chains.rows[chain]?.stored ?? 0
        let part = Part(scope: chain.scope, seq: last + 1, bytes: bytes)
        parts.append(part)
        open[chain.scope] = parts.count - 1
        return (parts.count - 1, part.seq, 0)
    }

    /// Returns the part that a scope fills, which mostly is the last one.
    private func openPart(of scope: ScopeID) -> Int? {
        if !parts.isEmpty, parts[parts.count - 1].scope == scope { return parts.count - 1 }
        return open[scope]
    }

    private mutating func note(_ placed: PlacedOperation, obstacle: HiddenReason?) {
        guard let obstacle else { return }
        let operation = placed.operation
        let key = RecordKey(collection: operation.collection, record: operation.record)
        hidden.note(HiddenOperation(key: key, field: operation.field, reason: obstacle))
    }
}

extension CommitBuilder {
    /// Adds the changes of one record, which the author writes into the scopes that are held.
    mutating func add(
        _ write: Write, to records: inout RecordBook, by author: AuthorID, _ held: ScopeFilter,
        _ log: BatchLog, _ turn: inout Turn
    ) throws(ReplicaError) {
        let key = write.key
        guard let collection = log.schema.collection(id: key.collection) else {
            throw .unknownCollection(key.collection)
        }
        guard let name = collection.scope.scope(of: key.record) else {
            throw .schema(
                .wrongIdentifier(key.record.description, expected: collection.scope.expected))
        }
        guard let scope = log.group?.scope(named: name) else { throw .noEpochKey }
        guard log.group?.rights.own.holds(scope) ?? true else {
            throw .scopeNotGranted(collection.scope.name)
        }
        guard held.holds(scope) else { throw .notSubscribed(scope: name) }
        log.group?.note(root: collection.scope.name, of: scope)
        var (state, claim) = try storage { () throws(StorageError) in try records.take(key, log) }
        let chain = ChainKey(scope: scope, chain: author)
        let editor = RecordEditor(collection: collection, base: base)
        let policy = collection.deletePolicy
        var isChanged = false
        for change in write.changes {
            // Most changes come to one operation, which needs no list.
            if case .set(let written) = change {
                let operation = try checked { () throws(SchemaError) in
                    try editor.operation(setting: written, of: state)
                }
                let placed = append(operation, to: &state, in: chain, policy: policy, log)
                note(placed, obstacle: state.obstacle(to: placed, policy: policy))
                isChanged = true
                continue
            }
            let operations = try checked { () throws(SchemaError) in
                try editor.operations(for: change, of: state)
            }
            var placed: [PlacedOperation] = []
            for operation in operations {
                placed.append(
                    append(operation, to: &state, in: chain, policy: policy, log))
                isChanged = true
            }
            // This is done only now, since a later operation of one change may hide an earlier one.
            for operation in placed {
                note(operation, obstacle: state.obstacle(to: operation, policy: policy))
            }
            if placed.isEmpty, let reason = state.obstacle(toIdle: change) {
                hidden.note(HiddenOperation(key: key, field: 0, reason: reason))
            }
        }
        let fits = records.putBack(
            consume state, at: claim, isChanged: isChanged, after: merged,
            within: records.policy.forOwnWrites, &turn)
        merged = 0
        guard fits else { throw .recordTooLarge(key) }
    }

    private mutating func append(
        _ operation: Operation, to state: inout RecordState, in chain: ChainKey,
        policy: DeletePolicy, _ log: BatchLog
    ) -> PlacedOperation {
        let bytes = operation.encodedCount
        merged += 64 + operation.payload.count
        let place = reserve(bytes, in: chain, of: log)
        parts[place.part].fill(operation)
        let stamp = base.advanced(by: operation.stampDelta) ?? .ceiling
        let position = Position(chain: chain.chain, seq: place.seq, index: place.index)
        // This device names branches as they are called now.
        let hasContext = OperationKind(rawValue: operation.kind)?.hasContext ?? false
        let names =
            hasContext
            ? BranchNames(trunks: log.chains.trunks(in: chain.scope)) : BranchNames()
        return PlacedOperation(
            operation: operation, stamp: stamp, position: position,
            outcome: state.apply(
                operation, stamp: stamp, at: position, policy: policy, names: names))
    }
}

/// A transaction that was opened and has not ended.
struct OpenCommit {
    var builder: CommitBuilder
    let durability: Durability
    /// The clock as it was before.
    let clockBefore: HybridLogicalClock
    /// The memory of changed records when it began, or when rows of it were written last.
    var weightBefore = 0
}

/// Makes a call that the schema may refuse.
private func checked<Result>(
    _ body: () throws(SchemaError) -> Result
) throws(ReplicaError) -> Result {
    do {
        return try body()
    } catch {
        throw .schema(error)
    }
}
