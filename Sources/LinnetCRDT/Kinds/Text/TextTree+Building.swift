import LinnetWire

extension TextTree {
    /// Children of one run that are still to be read.
    private struct Frame {
        // They hang on this run; `none` is the start of the text.
        var parent: Int32
        var side: TextSide
        var count: Int
        var left: Int
        var last = BalancedOrder.none
    }

    /// Builds the tree of a column of runs and the visible text; throws for bytes that no tree
    /// writes.
    init(_ column: [UInt8], text: String, chains: [AuthorID]) throws(WireError) {
        self.init()
        var reader = try TextRunReader(column, chains: chains)
        var stack = [
            Frame(
                parent: BalancedOrder.none, side: .right, count: reader.rootCount,
                left: reader.rootCount)
        ]
        var visible = 0
        var ordered: [Int32] = []
        // A run is seldom shorter.
        ordered.reserveCapacity(column.count / 8)
        reserve(runs: column.count / 8)
        while var frame = stack.popLast() {
            if frame.left == 0 {
                // A run stands after all that hangs on its left.
                if frame.side == .left { ordered.append(frame.parent) }
                continue
            }
            frame.left -= 1
            let visit = try reader.next()
            try check(visit, in: frame)
            visible += visit.run.weight
            let node = append(visit.run, to: frame.parent, side: frame.side, after: frame.last)
            frame.last = node
            stack.append(frame)
            stack.append(
                Frame(
                    parent: node, side: .right, count: visit.rightCount, left: visit.rightCount))
            stack.append(
                Frame(parent: node, side: .left, count: visit.leftCount, left: visit.leftCount))
        }
        guard reader.isAtEnd else { throw .trailingBytes }
        guard assign(text, visible: visible, to: ordered) else { throw .badLength }
        guard registerAll(chains) else { throw .nonCanonical }
    }

    /// Makes all runs known by id, in one pass over their order; false if an id is there twice.
    private mutating func registerAll(_ chains: [AuthorID]) -> Bool {
        // Runs whose ids lie between those of another one have it cut.
        var (apart, mixed): ([Int32], [Int32]) = ([], [])
        apart.reserveCapacity(runs.count)
        var last: TextID?
        for node in RunSort.byName(runs, chains: chains) {
            let run = self[node]
            if let last, run.first <= last {
                mixed.append(node)
            } else {
                apart.append(node)
                last = run.last
            }
        }
        return registerAll(apart, then: mixed)
    }

    /// Throws unless the run may hang there, and is as long as it can be.
    private func check(_ visit: TextTreeWalk.Visit, in frame: Frame) throws(WireError) {
        let run = visit.run
        if frame.last >= 0, self[frame.last].first >= run.first { throw .nonCanonical }
        let onlyRight = frame.side == .right && frame.count == 1 && frame.parent >= 0
        if onlyRight, visit.leftCount == 0, self[frame.parent].isDeleted == run.isDeleted,
            self[frame.parent].step(to: run.first) != nil
        {
            throw .nonCanonical
        }
        guard run.first.offset > 0 else { return }
        let before = TextID(position: run.first.position, offset: run.first.offset - 1)
        guard frame.side == .right, frame.parent >= 0, self[frame.parent].last == before
        else { throw .nonCanonical }
    }
}
