import LinnetWire

extension TextDocument {
    /// The most ranges of one deletion, far below what a payload holds.
    private static var rangesAtOnce: Int { 1_000 }

    /// Adds the insertions that were lost, and the deletions. Of scalars that were inserted and
    /// deleted again nobody knows any more which they were; each is a space that is deleted.
    ///
    /// - Throws: `CRDTError.valueTooLarge` for an op that has no encoding, which none has that was
    ///   read.
    func salvage(
        beyond known: TextDocument, into field: inout FieldSalvage
    ) throws(CRDTError) {
        var pieces: OrderedTable<Position, LostInsertion> = OrderedTable()
        let waitingThere = OrderedSet(known.waiting.keys.map(\.position))
        var (deleted, shown): ([TextRange], [TextRange]) = ([], [])
        var walk = TextTreeWalk(tree, joining: false)
        while let visit = walk.next() {
            var text = visit.run.isDeleted ? [][...] : tree.text(of: visit.run)
            for place in 0..<visit.run.count {
                let id = visit.run.id(at: place)
                let scalar = text.popFirst()
                let there = known.tree.find(id)
                let isOut = field.lost.contain(id.position) || field.lost.isCopy(id.position)
                if there == nil, isOut, !waitingThere.contains(id.position) {
                    let parent = place == 0 ? visit.parent : visit.run.id(at: place - 1)
                    pieces[id.position, default: LostInsertion()].add(
                        scalar, at: id, under: parent, place == 0 ? visit.side : .right)
                }
                guard let range = TextRange(start: id, count: 1) else { continue }
                if scalar != nil {
                    shown.append(range)
                } else if there.map({ !known.tree[$0.run].isDeleted }) ?? true {
                    deleted.append(range)
                }
            }
        }
        deleted += early.filter { known.early[$0.key] != $0.value }.flatMap(\.value)
        // Without all of its text a copy has no name, and what hangs on it would wait for ever.
        let isNamed = try say(pieces, into: &field)
        if !isNamed { deleted += shown }
        try sayDeleted(deleted, into: &field)
        if isNamed { return }
        for edit in TextDocument().insertions(of: string, after: nil) {
            field.add(.textInsert, try edit.encoded())
        }
    }

    /// Adds the insertions; returns false when one of them is a copy that has no name any more.
    private func say(
        _ pieces: OrderedTable<Position, LostInsertion>, into field: inout FieldSalvage
    ) throws(CRDTError) -> Bool {
        var isNamed = true
        for (position, piece) in pieces {
            let insertion = piece.insertion
            if !field.lost.isCopy(position) {
                field.add(.textInsert, try insertion.encoded(), at: position)
            } else if piece.isDamaged {
                isNamed = false
            } else {
                let copy = TextCopy(name: position.chain, insertion: insertion)
                field.add(.textCopy, try copy.encoded())
            }
        }
        for (place, insertion) in waiting where field.lost.contain(place.position) {
            field.add(.textInsert, try insertion.encoded(), at: place.position)
        }
        return isNamed
    }

    /// Adds deletions of scalars.
    private func sayDeleted(
        _ deleted: [TextRange], into field: inout FieldSalvage
    ) throws(CRDTError) {
        let ranges = TextDeletion(deleted).ranges
        for start in stride(from: 0, to: ranges.count, by: Self.rangesAtOnce) {
            let end = min(start + Self.rangesAtOnce, ranges.count)
            field.add(.textDelete, try TextDeletion(Array(ranges[start..<end])).encoded())
        }
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
