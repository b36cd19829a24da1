import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The chains a replica holds, as the store keeps them, in memory.
struct ChainIndex {
    private(set) var rows: OrderedTable<ChainKey, ChainRow> = OrderedTable()
    /// Chains that differ from what the store keeps of them.
    private var changed: OrderedSet<ChainKey> = OrderedSet([])

    init(_ stored: [ChainRow]) {
        for row in stored { rows[row.key] = row }
    }

    subscript(key: ChainKey) -> ChainRow? {
        get { rows[key] }
        set {
            rows[key] = newValue
            changed.insert(key)
        }
    }

    /// Takes in a chain that the store has just as it is.
    mutating func insert(_ row: ChainRow) { rows[row.key] = row }

    /// The chains that have to be written before the next commit, in order.
    mutating func takeChanged() -> [ChainKey] {
        defer { changed = OrderedSet([]) }
        return changed.elements
    }

    /// All chains that one author wrote in a scope: one, or, after a fork, one for each branch.
    func family(_ scope: ScopeID, author: AuthorID) -> [ChainRow] {
        guard let row = rows[ChainKey(scope: scope, chain: author)] else { return [] }
        guard row.forkedAt != nil else { return [row] }
        return rows.values.filter {
            $0.scope == scope && $0.device == row.device && $0.incarnation == row.incarnation
        }
    }

    /// The chain of this name, or every branch of the author of this name.
    func family(named chain: AuthorID, scope: ScopeID) -> [ChainRow] {
        guard let row = rows[ChainKey(scope: scope, chain: chain)] else { return [] }
        guard row.forkedAt != nil else { return [row] }
        return family(scope, author: row.author)
    }

    /// The chains of which more is stored than shows, in order.
    var behind: [ChainKey] {
        rows.lazy.filter { $0.value.applied < $0.value.stored }.map(\.key)
    }

    /// Whether anything of the chain is stored.
    static func holdsAny(_ row: ChainRow) -> Bool { row.stored >= row.first }
}

extension ChainRow {
    var key: ChainKey { ChainKey(scope: scope, chain: chain) }

    /// Who wrote the chain; a branch has a name of its own.
    var author: AuthorID {
        parent == nil ? chain : AuthorName.author(device: device, incarnation: incarnation)
    }

    /// An empty chain that begins with its author's first batch.
    static func root(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation
    ) -> NewChain {
        NewChain(
            scope: scope,
            chain: AuthorName.author(device: device, incarnation: incarnation), device: device,
            incarnation: incarnation, first: 1, head: .zero, parent: nil)
    }

    /// An empty branch that leaves `self` at `seq`, after the batch `previous`.
    func branch(at seq: UInt64, after previous: BatchID, beginningWith first: BatchID) -> NewChain {
        NewChain(
            scope: scope,
            chain: BatchName.branch(author: author, scope: scope, seq: seq, first: first),
            device: device, incarnation: incarnation, first: seq, head: previous, parent: index)
    }
}
