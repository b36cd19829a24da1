import LinnetWire

extension TextDocument {
    /// The most ranges of one deletion, far below what a payload holds.
    private static var rangesAtOnce: Int { 1_000 }

    /// Adds the insertions that were lost, and the deletions. Of scalars that were inserted and
    /// deleted again nobody knows any more which they were; each is a space that is deleted.
    func salvage(beyond known: TextDocument, into field: inout FieldSalvage) {
        var pieces: OrderedTable<Position, LostInsertion> = OrderedTable()
        let waiting = OrderedSet(known.waiting.keys.map(\.position))
        var deleted: [TextRange] = []
        var walk = TextTreeWalk(tree, joining: false)
        while let visit = walk.next() {
            var text = visit.run.isDeleted ? [][...] : tree.text(of: visit.run)
            for place in 0..<visit.run.count {
                let id = visit.run.id(at: place)
                let scalar = text.popFirst()
                let there = known.tree.find(id)
                if there == nil, Self.isLost(id.position, field.lost),
                    !waiting.contains(id.position)
                {
                    let parent = place == 0 ? visit.parent : visit.run.id(at: place - 1)
                    pieces[id.position, default: LostInsertion()].add(
                        scalar, at: id, under: parent, place == 0 ? visit.side : .right)
                }
                let isNews = there.map { !known.tree[$0.run].isDeleted } ?? true
                if scalar == nil, isNews, let range = TextRange(start: id, count: 1) {
                    deleted.append(range)
                }
            }
        }
        for (position, piece) in pieces {
            let (insertion, isCopy) = (piece.insertion, !field.lost.areOf(position.chain))
            if isCopy {
                // Without all of its text a copy has no name.
                guard !piece.isDamaged else { continue }
                let copy = TextCopy(name: position.chain, insertion: insertion)
                if let payload = try? copy.encoded() { field.add(.textCopy, payload) }
            } else if let payload = try? insertion.encoded() {
                field.add(.textInsert, payload, at: position)
            }
        }
        let ranges = TextDeletion(deleted).ranges
        for start in stride(from: 0, to: ranges.count, by: Self.rangesAtOnce) {
            let end = min(start + Self.rangesAtOnce, ranges.count)
            guard let payload = try? TextDeletion(Array(ranges[start..<end])).encoded() else {
                continue
            }
            field.add(.textDelete, payload)
        }
    }

    /// Returns true when an insertion was lost, or is a copy, which is named by what it says.
    private static func isLost(_ position: Position, _ lost: LostBatches) -> Bool {
        lost.contain(position)
            || !lost.areOf(position.chain) && position.seq == 1 && position.index == 0
    }
}

/// The scalars of an insertion, as a text still has them.
private struct LostInsertion {
    private var parent: TextID?
    private var side = TextSide.right
    private var scalars: OrderedTable<UInt32, Unicode.Scalar> = OrderedTable()
    /// True when some of its scalars were deleted.
    private(set) var isDamaged = false

    mutating func add(
        _ scalar: Unicode.Scalar?, at id: TextID, under parent: TextID?, _ side: TextSide
    ) {
        if id.offset == 0 { (self.parent, self.side) = (parent, side) }
        if scalar == nil { isDamaged = true }
        scalars[id.offset] = scalar ?? " "
    }

    var insertion: TextInsertion {
        var string = ""
        for scalar in scalars.values { string.unicodeScalars.append(scalar) }
        return TextInsertion(parent: parent, side: side, string: string)
    }
}
