import LinnetWire

extension TextDocument {
    /// Merges another state of the same text, as if the ops of both had come here.
    package mutating func merge(_ other: TextDocument) {
        if tree.isEmpty, waiting.isEmpty, early.isEmpty {
            self = other
            return
        }
        var walk = TextTreeWalk(other.tree, joining: false)
        while let visit = walk.next() {
            graft(visit, of: other.tree)
        }
        for ranges in other.early.values {
            _ = delete(TextDeletion(ranges))
        }
        for (place, insertion) in other.waiting {
            _ = insert(insertion, at: place.position)
        }
        settleAll()
    }

    /// Takes over the scalars of a run that are unknown here, and its deletions; its parent is
    /// known.
    private mutating func graft(_ visit: TextTreeWalk.Visit, of other: TextTree) {
        let run = visit.run
        var place = 0
        while place < run.count {
            if let here = tree.find(run.id(at: place)) {
                let known = tree[here.run]
                let together =
                    known.step == run.step
                    ? min(known.count - here.offset, run.count - place) : 1
                if run.isDeleted, !known.isDeleted { tree.delete(together, from: here) }
                place += together
            } else {
                let count = unknownCount(of: run, from: place)
                let parent = place == 0 ? visit.parent : run.id(at: place - 1)
                var piece = run.dropping(place)
                piece.keep(count)
                piece.firstRight = BalancedOrder.none
                if !piece.isDeleted { piece.textStart = tree.store(other.text(of: piece)) }
                tree.attach(
                    piece, to: parent.flatMap { tree.find($0) },
                    side: place == 0 ? visit.side : .right)
                place += count
            }
        }
    }

    /// Returns the number of scalars of a run, from a place on, that are unknown here; the first
    /// one is unknown.
    private func unknownCount(of run: TextRun, from place: Int) -> Int {
        var end = place + 1
        while end < run.count, tree.find(run.id(at: end)) == nil { end += 1 }
        return end - place
    }
}

extension TextDocument: Equatable {
    /// Returns true when both hold the same ops, and so have equal canonical bytes.
    package static func == (left: TextDocument, right: TextDocument) -> Bool {
        left.scalarCount == right.scalarCount && left.identity == right.identity
    }
}
