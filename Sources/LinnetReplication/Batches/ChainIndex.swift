import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The chains that a replica holds, in memory as the store keeps them.
struct ChainIndex {
    private(set) var rows: OrderedTable<ChainKey, ChainRow> = OrderedTable()
    /// The chains that differ from their rows in the store.
    private var changed: OrderedSet<ChainKey> = OrderedSet()
    /// The visible batches that say others again.
    var restatements: Restatements

    init(_ stored: [ChainRow], _ restatements: Restatements = Restatements()) {
        self.restatements = restatements
        for row in stored { rows[row.key] = row }
    }

    subscript(key: ChainKey) -> ChainRow? {
        get { rows[key] }
        set {
            rows[key] = newValue
            changed.insert(key)
        }
    }

    /// Takes in a chain that the store holds in the same form.
    mutating func insert(_ row: ChainRow) { rows[row.key] = row }

    /// Takes out the chains that have to be written before the next commit, in order.
    mutating func takeChanged() -> [ChainKey] {
        defer { changed = OrderedSet() }
        return changed.elements
    }

    /// Notes that a chain shows what it holds up to a sequence number.
    mutating func advance(_ key: ChainKey, to seq: UInt64) {
        guard var row = rows[key] else { return }
        row.applied = seq
        self[key] = row
    }

    /// Notes that rows of records hold nothing, so that all that shows is merged again.
    mutating func forgetFolded() {
        for var row in rows.values where row.folded > row.start {
            row.folded = row.start
            self[row.key] = row
        }
    }

    /// Returns the names of all authors and branches of a scope, also of those of which others say
    /// again what they wrote.
    func names(in scope: ScopeID) -> [AuthorID] {
        rows.values.filter { $0.scope == scope }.flatMap { [$0.chain, $0.author] }
            + restatements.lives.filter { $0.scope == scope }.map(\.chain)
    }

    /// Returns all chains that one author wrote in a scope: one, or after a fork one for the trunk
    /// and each branch.
    func family(_ scope: ScopeID, author: AuthorID) -> [ChainRow] {
        guard let row = rows[ChainKey(scope: scope, chain: author)] else { return [] }
        guard row.forkedAt != nil else { return [row] }
        return rows.values.filter {
            $0.scope == scope && $0.device == row.device && $0.incarnation == row.incarnation
        }
    }

    /// Returns the chain of this name, or all chains of its author when it divided.
    func family(named chain: AuthorID, scope: ScopeID) -> [ChainRow] {
        guard let row = rows[ChainKey(scope: scope, chain: chain)] else { return [] }
        guard row.forkedAt != nil else { return [row] }
        return family(scope, author: row.author)
    }

    /// Returns a chain and those that it left, up to the one that begins its author's history.
    func lineage(of row: ChainRow) -> [ChainRow] {
        var lineage = [row]
        var last = row
        while let parent = last.parent.flatMap({ self.row(at: $0) }) {
            lineage.append(parent)
            last = parent
        }
        return lineage
    }

    /// Returns the branches that continue a divided chain one after the other: those in `chosen`
    /// where it has one, else those with the smallest name, which is the same choice on every
    /// replica.
    func branches(of trunk: ChainRow, preferring chosen: [Int64]) -> [BranchNames.Branch] {
        var path: [BranchNames.Branch] = []
        var current = trunk
        while let next = branch(of: current, preferring: chosen) {
            path.append(BranchNames.Branch(first: next.first, name: next.chain))
            current = next
        }
        return path
    }

    /// Returns the chain that each branch of a scope left.
    func trunks(in scope: ScopeID) -> OrderedTable<AuthorID, BranchNames.Trunk> {
        var trunks: OrderedTable<AuthorID, BranchNames.Trunk> = OrderedTable()
        for row in rows.values where row.scope == scope {
            guard let trunk = row.parent.flatMap({ self.row(at: $0) }) else { continue }
            trunks[row.chain] = BranchNames.Trunk(name: trunk.chain, last: row.first - 1)
        }
        return trunks
    }

    private func row(at index: Int64) -> ChainRow? {
        rows.values.first { $0.index == index }
    }

    private func branch(of trunk: ChainRow, preferring lineage: [Int64]) -> ChainRow? {
        var found: ChainRow?
        for row in rows.values where row.parent == trunk.index {
            if lineage.contains(row.index) { return row }
            if found.map({ row.chain < $0.chain }) ?? true { found = row }
        }
        return found
    }

    /// True when batches of any chain are gone.
    var hasFloors: Bool { rows.values.contains(where: \.isFolded) }

    /// Returns true when an author of the scope wrote two histories.
    func hasForks(in scope: ScopeID) -> Bool {
        rows.values.contains { $0.forkedAt != nil && $0.scope == scope }
    }

    /// The chains that have more batches stored than shown, in order.
    var behind: [ChainKey] {
        rows.lazy.filter { $0.value.applied < $0.value.stored }.map(\.key)
    }

    /// Returns true when a batch is the first of an empty branch whose trunk is held up to it.
    /// Several branches may leave their trunk at one place, and their first batches name them.
    func begins(_ branch: ChainRow, with batch: SealedBatch) -> Bool {
        let name = BatchName.branch(
            author: batch.author, scope: branch.scope, seq: batch.header.seq, first: batch.id)
        guard branch.chain == name, let trunk = branch.parent.flatMap({ row(at: $0) }) else {
            return false
        }
        return trunk.stored == branch.first - 1
    }

    /// Returns true when anything of the chain is stored.
    static func holdsAny(_ row: ChainRow) -> Bool { row.stored >= row.first }
}

extension ChainRow {
    /// True when this is a branch of which nothing is held, as after its scope was left.
    var isEmptyBranch: Bool { parent != nil && stored < first }

    var key: ChainKey { ChainKey(scope: scope, chain: chain) }

    /// The author of the chain; a branch has a name of its own.
    var author: AuthorID {
        parent == nil ? chain : AuthorName.author(device: device, incarnation: incarnation)
    }

    /// Returns an empty chain that begins with its author's first batch.
    static func root(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation
    ) -> NewChain {
        NewChain(
            scope: scope,
            chain: AuthorName.author(device: device, incarnation: incarnation), device: device,
            incarnation: incarnation, first: 1, head: .zero, parent: nil)
    }

    /// Returns an empty branch that leaves this chain at `seq`, after the batch `previous`.
    func branch(at seq: UInt64, after previous: BatchID, beginningWith first: BatchID) -> NewChain {
        NewChain(
            scope: scope,
            chain: BatchName.branch(author: author, scope: scope, seq: seq, first: first),
            device: device, incarnation: incarnation, first: seq, head: previous, parent: index)
    }
}
