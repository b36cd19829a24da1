import LinnetWire

/// One step of an undo or a redo, as the text is by now.
package struct TextUndoStep: Sendable {
    /// The direction in which it goes.
    package let direction: TextUndo.Direction
    /// The edit that makes it.
    package private(set) var splice = TextSplice()
    /// The scalars that it deletes, and what they say.
    private(set) var removed = TextOutline()
    private(set) var removedText: [Unicode.Scalar] = []
    /// The scalars that it inserts again, by the names that they had, in the order of the text.
    private(set) var restored = TextOutline()

    private var segments: [Segment] = []

    /// Deleted scalars of one run that are to stand again.
    private struct Segment {
        let node: Int32
        let place: Int
        let scalar: Unicode.Scalar
    }

    init(_ direction: TextUndo.Direction) { self.direction = direction }

    /// Adds the opposite of an effect, as far as it can be seen in the text.
    mutating func add(
        taking effect: TextUndo.Effect, _ names: OrderedTable<TextID, TextID>, _ tree: TextTree
    ) {
        for id in effect.inserted.ids(names) {
            guard let place = tree.find(id), !tree[place.run].isDeleted else { continue }
            let run = tree[place.run]
            removed.append(run.part(place.offset..<place.offset + 1))
            let text = tree.text(of: run)
            removedText.append(text[text.startIndex + place.offset])
        }
        for (id, scalar) in zip(effect.deleted.ids(names), effect.text) {
            guard let place = tree.find(id), tree[place.run].isDeleted else { continue }
            segments.append(Segment(node: place.run, place: place.offset, scalar: scalar))
        }
    }

    /// Makes the edit: what stood together stands together again, unless others wrote in between.
    mutating func place(in tree: TextTree) {
        splice.deleted = removed.ranges
        guard !segments.isEmpty else { return }
        var ranks: OrderedTable<Int32, Int> = OrderedTable()
        for segment in segments { ranks[segment.node] = 0 }
        for (rank, node) in tree.order.nodes.enumerated() where ranks[node] != nil {
            ranks[node] = rank
        }
        segments.sort { left, right in
            (ranks[left.node] ?? 0, left.place) < (ranks[right.node] ?? 0, right.place)
        }
        var text = String.UnicodeScalarView()
        var last: (anchor: TextID, before: Int)?
        func close() {
            guard let last else { return }
            splice.inserted.append(.init(after: last.anchor, String(text)))
            text = String.UnicodeScalarView()
        }
        for segment in segments {
            let run = tree[segment.node]
            let before = tree.order.offset(of: segment.node)
            if let known = last, known.before != before { close() }
            text.append(segment.scalar)
            last = (run.id(at: segment.place), before)
            restored.append(run.part(segment.place..<segment.place + 1))
        }
        close()
        segments = []
    }
}

extension TextOutline {
    /// Returns the names of the scalars, the latest of each.
    fileprivate func ids(_ names: OrderedTable<TextID, TextID>) -> [TextID] {
        var ids: [TextID] = []
        for run in runs {
            for place in 0..<run.count {
                var id = run.id(at: place)
                while let newer = names[id] { id = newer }
                ids.append(id)
            }
        }
        return ids
    }
}
