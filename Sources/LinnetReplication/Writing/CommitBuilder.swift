import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The parts of one commit as they fill up, before they are sealed.
struct CommitBuilder {
    /// One batch to be.
    struct Part {
        let scope: ScopeID
        let seq: UInt64
        var operations = Operations()
        var bytes = 0
    }

    let base: Timestamp
    private(set) var parts: [Part] = []
    /// What of it does not show.
    var hidden = HiddenOperations()
    /// The open part of each scope, and the last sequence that the scope's chain has.
    private var open: OrderedTable<ScopeID, Int> = OrderedTable()

    init(base: Timestamp) {
        self.base = base
    }

    var operationCount: Int { parts.reduce(0) { $0 + $1.operations.count } }

    /// How many parts each scope has; empty when there is one scope alone.
    var partScopes: [BatchAttributes.PartScope] {
        var counts: OrderedTable<ScopeID, UInt32> = OrderedTable()
        for part in parts { counts[part.scope, default: 0] += 1 }
        if counts.count < 2 { return [] }
        return counts.map { BatchAttributes.PartScope(scope: $0.key, parts: $0.value) }
    }

    /// Where the next operation of a scope goes, when it takes this many bytes; `storedSeq` is
    /// asked for with the first one of the scope.
    mutating func slot(
        _ scope: ScopeID, bytes: Int, storedSeq: @autoclosure () -> UInt64
    ) -> (part: Int, seq: UInt64, index: UInt32) {
        let latest = openPart(of: scope)
        // Looked at in place: a copy of a part costs as much as the operation.
        if let latest, parts[latest].operations.count < Limits.operationsPerBatch,
            parts[latest].bytes + bytes <= Limits.commitBatchBytes
        {
            return (latest, parts[latest].seq, UInt32(parts[latest].operations.count))
        }
        let seq = (latest.map { parts[$0].seq } ?? storedSeq()) + 1
        parts.append(Part(scope: scope, seq: seq))
        open[scope] = parts.count - 1
        return (parts.count - 1, seq, 0)
    }

    /// The part that a scope fills, which mostly is the last one.
    private func openPart(of scope: ScopeID) -> Int? {
        if !parts.isEmpty, parts[parts.count - 1].scope == scope { return parts.count - 1 }
        return open[scope]
    }

    mutating func note(_ placed: PlacedOperation, obstacle: HiddenReason?) {
        guard let obstacle else { return }
        let operation = placed.operation
        let key = RecordKey(collection: operation.collection, record: operation.record)
        hidden.note(HiddenOperation(key: key, field: operation.field, reason: obstacle))
    }

    mutating func add(_ operation: Operation, bytes: Int, to part: Int) {
        parts[part].operations.append(operation)
        parts[part].bytes += bytes
    }
}

/// A transaction that was opened and has not ended.
struct OpenCommit {
    var builder: CommitBuilder
    let durability: Durability
    /// The clock as it was before.
    let clockBefore: HybridLogicalClock
}
