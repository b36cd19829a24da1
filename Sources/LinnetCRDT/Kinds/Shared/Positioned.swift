/// An entry that one op put into a field and that another op can take out by its position.
protocol Positioned: Equatable {
    /// The op.
    var position: Position { get }
}

extension Position: Positioned {
    var position: Position { self }
}

/// These functions keep entries in ascending order of their positions.
extension Array where Element: Positioned {
    /// Adds an entry at its place.
    mutating func insert(inOrder entry: Element) {
        insert(entry, at: place(of: entry.position))
    }

    /// Takes out the entry of an op if it is here.
    mutating func remove(_ position: Position) {
        let place = place(of: position)
        guard place < count, self[place].position == position else { return }
        remove(at: place)
    }

    /// Keeps the entries that both sides hold, and those of one side that the other has not
    /// replaced.
    mutating func merge(
        _ other: [Element], of key: ByteString, ours: ObservedOps, theirs: ObservedOps,
        overlap: Overlap
    ) {
        let mine = self
        removeAll { entry in
            !other.holds(entry.position)
                && theirs.hasReplaced(entry.position, of: key, overlap: overlap)
        }
        for entry in other where !mine.holds(entry.position) {
            if !ours.hasReplaced(entry.position, of: key, overlap: overlap) {
                insert(inOrder: entry)
            }
        }
    }

    /// Returns true when the positions ascend strictly and the context covers them all.
    func isWellFormed(in context: CausalContext) -> Bool {
        PositionList.isAscending(map(\.position))
            && allSatisfy { context.covers($0.position) }
    }

    private func holds(_ position: Position) -> Bool {
        let place = place(of: position)
        return place < count && self[place].position == position
    }

    private func place(of position: Position) -> Int {
        if let last, last.position < position { return count }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].position < position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
