import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The contents of lost batches, as far as records show them, by their places.
struct SalvagedBatches {
    private var batches: OrderedTable<ChainKey, OrderedTable<UInt64, SalvagedBatch>> =
        OrderedTable()

    subscript(key: ChainKey, seq: UInt64) -> SalvagedBatch? {
        get { batches[key]?[seq] }
        set { batches[key, default: OrderedTable()][seq] = newValue }
    }
}

/// The contents of one lost batch, as far as records show them.
struct SalvagedBatch {
    private let operations: [SalvagedOperation]
    /// The first time that is known of its ops; nil when none is.
    let written: Timestamp?
    private let base: Timestamp
    private let place: Restatement

    /// - Parameters:
    ///   - place: the batch that is said again.
    ///   - now: the time of ops of which it is not known.
    init(_ found: [SalvagedOperation], saying place: Restatement, at now: Timestamp) {
        self.place = place
        let known = found.filter { $0.position != nil }.sorted {
            ($0.position?.index ?? 0) < ($1.position?.index ?? 0)
        }
        let all = known + found.filter { $0.position == nil }
        operations = Array(all.prefix(Limits.operationsPerBatch))
        written = operations.compactMap(\.stamp).min()
        base = written ?? now
    }

    /// Returns the batch that says it again. Ops of which only the effect is known stand behind all
    /// places that a batch has.
    func body(_ schemaVersion: UInt32) -> BatchBody {
        var indices: [UInt32] = []
        var next = UInt32(Limits.operationsPerBatch)
        var placed: [Operation] = []
        for salvaged in operations {
            var operation = salvaged.operation
            let steps = (salvaged.stamp ?? base).rawValue - base.rawValue
            operation.stampDelta = UInt64(max(0, steps))
            placed.append(operation)
            indices.append(salvaged.position?.index ?? next)
            if salvaged.position == nil { next += 1 }
        }
        return BatchBody(
            attributes: BatchAttributes(
                commit: .zero, schemaVersion: schemaVersion, baseStamp: base),
            operations: Operations(placed),
            restates: Restatement(
                incarnation: place.incarnation, seq: place.seq, indices: indices))
    }
}

extension BatchAttributes {
    /// The same for a batch that is no part of a commit any more.
    var alone: BatchAttributes {
        var alone = self
        (alone.commit, alone.part, alone.parts, alone.partScopes) = (.zero, 1, 1, [])
        return alone
    }

    /// Leaves out the dependencies on some chains, and adds those of another batch that go further.
    mutating func join(_ other: BatchAttributes, without left: OrderedSet<ChainKey>) {
        struct Named { let seq: UInt64, prefix: Bytes8 }
        var scopes: OrderedTable<ScopeID, OrderedTable<AuthorID, Named>> = OrderedTable()
        for (attributes, isOther) in [(self, false), (other, true)] {
            for scope in attributes.dependencies {
                for head in scope.heads {
                    let name = attributes.authors[head.author]
                    let isLeft = left.contains(ChainKey(scope: scope.scope, chain: name))
                    if isLeft, !isOther { continue }
                    let known = scopes[scope.scope]?[name]?.seq ?? 0
                    guard head.seq > known else { continue }
                    scopes[scope.scope, default: OrderedTable()][name] = Named(
                        seq: head.seq, prefix: head.prefix)
                }
            }
        }
        let table = OrderedSet(scopes.values.flatMap(\.keys))
        authors = table.elements
        dependencies = scopes.map { scope, heads in
            ScopeDependencies(
                scope: scope,
                heads: heads.map { name, named in
                    Dependency(
                        author: table.lowerBound(of: name), seq: named.seq, prefix: named.prefix)
                })
        }
    }
}
