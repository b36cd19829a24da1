/// A walk over the runs of a tree: each comes before its children, and siblings by ascending id.
///
/// A walk that joins runs which the tree keeps apart, although one rule describes them, depends on
/// the ops alone and not on how they came.
struct TextTreeWalk {
    /// One run and how it hangs in the tree.
    struct Visit {
        /// The scalars; their links and text are right only if runs are not joined.
        var run: TextRun
        /// The scalar that it hangs on; nil for the start of the text.
        var parent: TextID?
        /// The side of its parent.
        var side: TextSide
        /// The number of left children of its first scalar.
        var leftCount = 0
        /// The number of right children of its last scalar.
        var rightCount = 0
    }

    private struct Entry {
        var node: Int32
        // An earlier run took so many scalars of the node.
        var taken: Int
        var parent: TextID?
        var side: TextSide
        // The visible text of the runs from `node` to this one comes here; `none` for a visit.
        var textEnd = BalancedOrder.none
    }

    private let tree: TextTree
    private let joining: Bool
    private var stack: [Entry] = []
    /// The number of runs that hang on the start of the text.
    private(set) var rootCount = 0
    /// The visible text of what was walked over, if it is gathered.
    private(set) var text: [UInt8] = []
    private let gathersText: Bool

    /// Starts a walk; without joining, every run is met as the tree keeps it, text and all.
    init(_ tree: TextTree, joining: Bool, gatheringText: Bool = false) {
        self.tree = tree
        self.joining = joining
        gathersText = gatheringText
        if gatheringText { text.reserveCapacity(tree.order.total) }
        rootCount = pushRight(tree.firstRight, below: nil)
    }

    /// Returns the next run; nil at the end.
    mutating func next() -> Visit? {
        guard let entry = popVisit() else { return nil }
        let first = tree[entry.node]
        let firstLeft = entry.taken == 0 ? first.firstLeft : BalancedOrder.none
        var visit = Visit(
            run: entry.taken == 0 ? first : first.dropping(entry.taken), parent: entry.parent,
            side: entry.side)
        var end = entry.node
        while let (next, step) = continuation(of: visit.run, after: end) {
            visit.run.step = step
            if tree[next].count > 1, tree[next].step != step {
                visit.run.count += 1
                visit.rightCount = 1
                stack.append(
                    Entry(node: next, taken: 1, parent: visit.run.last, side: .right))
                gather(entry, upTo: next, isAfterOthers: firstLeft >= 0)
                pushLeft(firstLeft, for: &visit)
                return visit
            }
            visit.run.count += tree[next].count
            end = next
        }
        visit.rightCount = pushRight(tree[end].firstRight, below: visit.run.last)
        gather(entry, upTo: end, isAfterOthers: firstLeft >= 0)
        pushLeft(firstLeft, for: &visit)
        return visit
    }

    /// Returns the next entry that is a visit, and gathers the text that comes before it.
    private mutating func popVisit() -> Entry? {
        while let entry = stack.popLast() {
            guard entry.textEnd >= 0 else { return entry }
            append(entry, upTo: entry.textEnd)
        }
        return nil
    }

    /// Gathers the text of a visit, now or once all that hangs on its left was walked over.
    private mutating func gather(_ entry: Entry, upTo end: Int32, isAfterOthers: Bool) {
        guard gathersText, !tree[end].isDeleted else { return }
        guard isAfterOthers else { return append(entry, upTo: end) }
        var later = entry
        later.textEnd = end
        stack.append(later)
    }

    /// Appends the text of the runs from that of an entry on, each the right child of the one
    /// before it; a run of which some was taken is there already.
    private mutating func append(_ entry: Entry, upTo end: Int32) {
        var node = entry.node
        if entry.taken == 0 { text.append(utf8Of: tree.text(of: tree[node])) }
        while node != end {
            node = tree[node].firstRight
            text.append(utf8Of: tree.text(of: tree[node]))
        }
    }

    /// Returns the run whose first scalar continues another run, if nothing else hangs between
    /// them.
    private func continuation(
        of run: TextRun, after node: Int32
    ) -> (node: Int32, step: TextRun.Step)? {
        let next = tree[node].firstRight
        guard joining, next >= 0, tree[next].nextSibling < 0, tree[next].firstLeft < 0,
            tree[next].isDeleted == run.isDeleted, let step = run.step(to: tree[next].first)
        else { return nil }
        return (next, step)
    }

    /// Puts right children on the stack; they are listed from the greatest id down, as it takes
    /// them.
    private mutating func pushRight(_ first: Int32, below parent: TextID?) -> Int {
        let before = stack.count
        var node = first
        while node >= 0 {
            stack.append(Entry(node: node, taken: 0, parent: parent, side: .right))
            node = tree[node].nextSibling
        }
        return stack.count - before
    }

    private mutating func pushLeft(_ first: Int32, for visit: inout Visit) {
        let before = stack.count
        var node = first
        while node >= 0 {
            stack.append(
                Entry(node: node, taken: 0, parent: visit.run.first, side: .left))
            node = tree[node].nextSibling
        }
        visit.leftCount = stack.count - before
        stack[before...].reverse()
    }
}
