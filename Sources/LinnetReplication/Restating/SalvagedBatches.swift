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

/// A lost batch, and the ops that it must have held.
struct LostBatch {
    /// The place at which its ops count, and how that is named.
    struct Place {
        let chain: ChainKey
        let seq: UInt64
        let restates: Restatement
    }

    let chain: ChainKey
    let seq: UInt64
    let place: Place
    /// The time of the batch next to it in its chain that can be read, zero where there is none.
    let neighbour: Timestamp
    var found: [SalvagedOperation] = []

    /// Returns true when it was written before another one, as far as is known.
    func comes(before other: LostBatch) -> Bool { (last, seq) < (other.last, other.seq) }

    private var last: Timestamp { max(neighbour, found.compactMap(\.stamp).max() ?? .zero) }

    /// Takes those ops that stood at its place.
    mutating func take(from all: [SalvagedOperation]) {
        found = all.filter {
            $0.position?.chain == place.chain.chain && $0.position?.seq == place.seq
        }
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
    /// places that a batch has, and behind those of the same kind that it held.
    func body(_ schemaVersion: UInt32) -> BatchBody {
        var indices: [UInt32] = []
        let end = operations.compactMap(\.position?.index).max().map { $0 + 1 } ?? 0
        var next = max(end, UInt32(Limits.operationsPerBatch))
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

    /// Adds the dependencies of another batch, as far as they go further.
    mutating func join(_ other: BatchAttributes) {
        struct Named { let seq: UInt64, prefix: Bytes8 }
        var scopes: OrderedTable<ScopeID, OrderedTable<AuthorID, Named>> = OrderedTable()
        for attributes in [self, other] {
            for scope in attributes.dependencies {
                for head in scope.heads {
                    let name = attributes.authors[head.author]
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
