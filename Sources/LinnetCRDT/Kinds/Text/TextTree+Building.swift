import LinnetWire

extension TextTree {
    /// Children of one run that are still to be read.
    private struct Frame {
        // They hang on this run; `none` is the start of the text.
        var parent: Int32
        var side: TextSide
        var count: Int
        var left: Int
        // All their subtrees stand before this run; `none` is the end of the text.
        var bound: Int32
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
                left: reader.rootCount, bound: BalancedOrder.none)
        ]
        var visible = 0
        while var frame = stack.popLast() {
            if frame.left == 0 { continue }
            frame.left -= 1
            let visit = try reader.next()
            try check(visit, in: frame)
            visible += visit.run.weight
            let bound = frame.side == .left ? frame.parent : frame.bound
            let node = append(visit.run, to: frame.parent, side: frame.side, after: frame.last)
            order(node, before: bound)
            frame.last = node
            stack.append(frame)
            stack.append(
                Frame(
                    parent: node, side: .right, count: visit.rightCount, left: visit.rightCount,
                    bound: bound))
            stack.append(
                Frame(
                    parent: node, side: .left, count: visit.leftCount, left: visit.leftCount,
                    bound: bound))
        }
        guard reader.isAtEnd else { throw .trailingBytes }
        guard assign(text, visible: visible) else { throw .badLength }
        for node in runs.indices {
            guard register(Int32(truncatingIfNeeded: node)) else { throw .nonCanonical }
        }
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
