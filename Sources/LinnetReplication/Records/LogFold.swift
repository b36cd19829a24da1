import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The records that the batches come to, merged apart from those that the replica holds.
struct LogFold {
    /// The choice of records, by their names or by their place in the order.
    enum Choice {
        case these(OrderedSet<RecordKey>)
        /// The records after one and up to another; nil stands for no bound.
        case range(after: RecordKey?, upTo: RecordKey?)

        fileprivate func contains(_ key: RecordKey) -> Bool {
            switch self {
            case .these(let keys): return keys.contains(key)
            case .range(let after, let last):
                if let after, key <= after { return false }
                return last.map { key <= $0 } ?? true
            }
        }
    }

    private let choice: Choice
    /// The scopes whose chains are read; nil for all.
    private let scopes: OrderedSet<ScopeID>?
    /// Says which records are too large to be held.
    private let policy: FoldPolicy
    private var replay: LogReplay
    private var records: Overlay
    private var branches = BranchReader()
    /// The damaged batches, which are left out.
    private(set) var losses: [LogReplay.Step] = []

    /// Begins with the batches that are visible now.
    init(
        _ log: BatchLog, _ choice: Choice, scopes: OrderedSet<ScopeID>?, _ policy: FoldPolicy
    ) {
        self.choice = choice
        self.policy = policy
        self.scopes = scopes
        replay = LogReplay(log.chains.rows.values.filter { scopes?.contains($0.scope) ?? true }) {
            $0.start + 1
        }
        records = Overlay(seed: 0)
        records.know(rowsOf: [])
    }

    /// True when all that is visible was merged.
    var isDone: Bool { replay.isDone }

    /// The records that were met, in order.
    var keys: [RecordKey] { records.changed(in: nil).map { RecordKey($0.state) } }

    /// Returns the record as the batches make it, those that are gone included, or one that was
    /// never written.
    func state(of key: RecordKey, _ log: BatchLog) throws(StorageError) -> RecordState {
        if let state = records.held(key)?.state { return state }
        return try log.base(of: key)
            ?? RecordState(collection: key.collection, record: key.record)
    }

    /// Goes on with the batches that became visible meanwhile.
    mutating func extend(_ log: BatchLog) {
        replay.extend(
            to: log.chains.rows.values.filter { scopes?.contains($0.scope) ?? true })
    }

    /// Merges batches until so many operations were read, or all; returns the number of batches.
    mutating func run(_ log: BatchLog, operations: Int) throws(StorageError) -> Int {
        var left = operations
        var batches = 0
        while left > 0, let step = try replay.next(log) {
            batches += 1
            guard let body = step.body else {
                losses.append(step)
                continue
            }
            try merge(body, of: step, log)
            left -= body.operations.count + policy.batchWork
        }
        return batches
    }

    /// Merges a batch that is read apart from the others.
    mutating func merge(_ step: LogReplay.Step, _ log: BatchLog) throws(StorageError) {
        if let body = step.body { try merge(body, of: step, log) }
    }

    private mutating func merge(
        _ body: BatchBody, of step: LogReplay.Step, _ log: BatchLog
    ) throws(StorageError) {
        let names = try branches.names(for: step.row, at: step.stored.seq, log)
        let place = log.chains.place(of: body, in: step.row, at: step.stored.seq, names) {
            (key, seq) in losses.contains { $0.row.key == key && $0.stored.seq == seq }
        }
        guard let place else { return }
        var rules = MergeRules(body.operations.shapes.count)
        var index = 0
        while index < body.operations.count {
            let run = index..<body.operations.endOfRun(from: index)
            let key = body.operations.key(at: index)
            index = run.upperBound
            guard choice.contains(key) else { continue }
            log.enter(key, in: step.row.scope, &rules)
            try merge(body, run, into: key, rules, at: place, names, log)
        }
    }

    private mutating func merge(
        _ body: BatchBody, _ run: Range<Int>, into key: RecordKey, _ rules: MergeRules,
        at home: BatchPlace, _ names: BranchNames, _ log: BatchLog
    ) throws(StorageError) {
        let place = records.place(of: key)
        let known = records.claim(place, key.record)
        var state: RecordState
        let claim: Overlay.Claim
        if let known {
            state = records.take(known)
            claim = known
        } else {
            state =
                try log.base(of: key)
                ?? RecordState(collection: key.collection, record: key.record)
            claim = records.reserve(place, key.record, row: nil)
        }
        for index in run {
            let operation = body.operations[index]
            guard case .admitted = rules.admission(of: operation) else { continue }
            _ = state.apply(
                operation, stamp: body.stamp(of: operation), at: home.position(of: index),
                policy: rules.policy, names: names)
        }
        _ = records.limit(&state, at: claim, after: body.operations.weight(of: run), policy)
        _ = records.put(state, at: claim, isChanged: true)
    }
}
