package import LinnetWire

/// The branches of the authors of a scope that wrote two histories. An op that refers to such an
/// author by its name means one of them.
///
/// There are none where no author forked, which is nearly always so.
package struct BranchNames: Equatable, Sendable {
    /// The place where a history divided, and the branch that a reference past it means.
    package struct Branch: Equatable, Sendable {
        /// The first sequence number that the branch holds.
        package let first: UInt64
        /// The name of the branch.
        package let name: AuthorID

        /// Names a branch.
        package init(first: UInt64, name: AuthorID) {
            self.first = first
            self.name = name
        }
    }

    /// A chain that a branch left, and the last sequence number before it did.
    package struct Trunk: Equatable, Sendable {
        /// The name of the chain.
        package let name: AuthorID
        /// Its last sequence number; 0 if the fork is at its first batch.
        package let last: UInt64

        /// Names a chain that was left.
        package init(name: AuthorID, last: UInt64) {
            self.name = name
            self.last = last
        }
    }

    /// The branches that continue a chain one after the other, by their first sequence numbers.
    private let branches: OrderedTable<AuthorID, [Branch]>
    /// The chain that each branch left.
    private let trunks: OrderedTable<AuthorID, Trunk>

    /// Takes the branches that each name means, and the trunk of every branch; by default there
    /// are none.
    package init(
        _ branches: OrderedTable<AuthorID, [Branch]> = OrderedTable(),
        trunks: OrderedTable<AuthorID, Trunk> = OrderedTable()
    ) {
        self.branches = branches
        self.trunks = trunks
    }

    /// Returns the place of the op that a payload means.
    package func resolve(_ position: Position) -> Position {
        guard let branch = branches[position.chain]?.last(where: { $0.first <= position.seq })
        else { return position }
        return Position(chain: branch.name, seq: position.seq, index: position.index)
    }

    func resolve(_ positions: [Position]) -> [Position] {
        branches.isEmpty ? positions : positions.map { resolve($0) }.sorted()
    }

    /// Returns the context that a payload means: whoever has seen a branch has seen what its trunk
    /// held before the fork.
    func resolve(_ context: CausalContext) -> CausalContext {
        guard !trunks.isEmpty else { return context }
        var resolved = CausalContext()
        for last in context.lasts {
            let meant = resolve(last)
            resolved.insert(meant)
            // Writers that know of the fork name branches themselves.
            var branch = meant.chain
            while let trunk = trunks[branch] {
                if trunk.last > 0 {
                    resolved.insert(Position(chain: trunk.name, seq: trunk.last, index: .max))
                }
                branch = trunk.name
            }
        }
        return resolved
    }

    func resolve(_ id: TextID) -> TextID {
        TextID(position: resolve(id.position), offset: id.offset)
    }

    func resolve(_ insertion: TextInsertion) -> TextInsertion {
        guard !branches.isEmpty else { return insertion }
        return TextInsertion(
            parent: insertion.parent.map { resolve($0) }, side: insertion.side,
            string: insertion.string)
    }

    func resolve(_ deletion: TextDeletion) -> TextDeletion {
        guard !branches.isEmpty else { return deletion }
        return TextDeletion(
            deletion.ranges.compactMap { TextRange(start: resolve($0.start), count: $0.count) })
    }
}
