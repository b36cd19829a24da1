/// The tree of a text, whose scalars are gathered in runs and found by id and by place.
///
/// Runs are never taken out, only split. Each step that reads or changes one run takes O(log n) for
/// n runs. An insertion beside siblings, which come from concurrent insertions at one place, also
/// looks at them and at the shorter edge of their subtrees.
struct TextTree: Sendable {
    /// The place of a scalar: its run, and the number of scalars of that run before it.
    struct Place: Equatable, Sendable {
        var run: Int32
        var offset: Int
    }

    /// The runs by number.
    private(set) var runs: [TextRun] = []
    // This is the text of the runs; that of deleted ones is no longer read.
    private var scalars: [Unicode.Scalar] = []
    /// The runs in the order of the text.
    var order = BalancedOrder()
    /// The right child of the start of the text with the greatest id.
    private(set) var firstRight = BalancedOrder.none
    /// True once the runs have measures: there was a run that is not even.
    var isMeasured = false
    /// The text before each visible run; empty until the runs have measures.
    var marks: [CharacterState?] = []
    // These are the runs by id.
    private var ids = BalancedOrder()

    /// The run with a number.
    subscript(run: Int32) -> TextRun { runs[Int(run)] }

    /// Returns the place of a scalar; nil if the tree does not hold it.
    func find(_ id: TextID) -> Place? {
        let run = ids.last { self[$0].first <= id }
        guard run >= 0, let offset = self[run].place(of: id) else { return nil }
        return Place(run: run, offset: offset)
    }

    /// Returns true when the tree holds the op that stands at a position.
    func contains(_ position: Position) -> Bool {
        find(TextID(position: position, offset: 0)) != nil
    }

    /// True when the tree holds nothing.
    var isEmpty: Bool { runs.isEmpty }

    /// Returns the text of a run that is not deleted.
    func text(of run: TextRun) -> ArraySlice<Unicode.Scalar> {
        scalars[run.textStart..<run.textStart + run.count]
    }

    /// The number of scalars whose text was ever kept.
    var stored: Int { scalars.count }

    /// Keeps text for runs to come and returns where it starts.
    mutating func store(_ text: some Sequence<Unicode.Scalar>) -> Int {
        defer { scalars.append(contentsOf: text) }
        return scalars.count
    }

    /// Hangs new scalars, which the tree does not hold, on a scalar or the start of the text.
    mutating func attach(_ newRun: TextRun, to parent: Place?, side: TextSide) {
        var rest = newRun
        if rest.isDeleted || text(of: rest).allSatisfy(\.isEven) {
            return attachPiece(rest, to: parent, side: side)
        }
        var (parent, side) = (parent, side)
        while true {
            var piece = rest
            let (count, isEven) = self.piece(of: rest)
            piece.keep(count)
            piece.isEven = isEven
            attachPiece(piece, to: parent, side: side)
            if count == rest.count { return }
            rest = rest.dropping(count)
            parent = find(piece.last)
            side = .right
        }
    }

    private mutating func attachPiece(_ run: TextRun, to parent: Place?, side: TextSide) {
        if side == .right, let parent, extend(parent, by: run) { return }
        var anchor = BalancedOrder.none
        if let parent {
            anchor = parent.run
            if side == .right, parent.offset + 1 < self[anchor].count {
                _ = split(anchor, at: parent.offset + 1)
            } else if side == .left, parent.offset > 0 {
                anchor = split(anchor, at: parent.offset)
            }
        }
        let node = Int32(truncatingIfNeeded: runs.count)
        runs.append(run)
        let (lower, higher) = enlist(node, below: anchor, side: side)
        place(node, below: anchor, side: side, after: lower, before: higher)
        if isMeasured {
            marks.append(nil)
            if !run.isDeleted { measure(new: node) }
        } else if !run.isDeleted, !run.isEven {
            measureAll()
        }
        let isNew = register(node)
        precondition(isNew, "scalars are attached once")
    }

    /// Deletes those scalars of a range that the insertion has; false if none was visible.
    mutating func delete(_ range: TextRange) -> Bool {
        var changed = false
        var next = range.start.offset
        while next < range.offsets.upperBound {
            let id = TextID(position: range.start.position, offset: next)
            guard let place = find(id) else { return changed }
            let run = self[place.run]
            let many = run.step == .offset ? run.count - place.offset : 1
            let count = min(many, Int(range.offsets.upperBound - next))
            if !run.isDeleted {
                delete(count, from: place)
                changed = true
            }
            next += UInt32(truncatingIfNeeded: count)
        }
        return changed
    }

    /// Deletes visible scalars of one run.
    mutating func delete(_ count: Int, from place: Place) {
        if giveAway(count, from: place) { return }
        var node = place.run
        if place.offset + count < self[node].count { _ = split(node, at: place.offset + count) }
        if place.offset > 0 { node = split(node, at: place.offset) }
        runs[Int(node)].isDeleted = true
        order.setWeight(of: node, to: 0)
        if isMeasured { remeasure(node) }
    }
}

extension TextTree {
    /// Lets the parent's run grow if the new scalars continue it; false if they do not.
    private mutating func extend(_ parent: Place, by run: TextRun) -> Bool {
        let old = self[parent.run]
        guard parent.offset == old.count - 1, old.firstRight < 0, old.isDeleted == run.isDeleted,
            run.isDeleted || old.textStart + old.count == run.textStart,
            let step = old.step(to: run)
        else { return false }
        let isEven = old.isEven && run.isEven
        let count = old.count + run.count
        guard run.isDeleted || isEven || count <= TextTree.unevenRunLength else { return false }
        let next = ids.next(after: parent.run)
        guard next < 0 || run.last < self[next].first else { return false }
        let node = Int(parent.run)
        runs[node].step = step
        runs[node].count = count
        runs[node].isEven = isEven
        order.setWeight(of: parent.run, to: runs[node].weight)
        if run.isDeleted { return true }
        if isMeasured {
            remeasure(parent.run)
        } else if !isEven {
            measureAll()
        }
        return true
    }

    /// Splits a run before one of its scalars and returns the number of the second part.
    private mutating func split(_ node: Int32, at place: Int) -> Int32 {
        let tail = cut(node, at: place)
        ids.insert(tail, weight: 0, after: node)
        return tail
    }

    /// Splits a run, and leaves the second part unknown by id.
    private mutating func cut(_ node: Int32, at place: Int) -> Int32 {
        let tail = Int32(truncatingIfNeeded: runs.count)
        runs.append(self[node].dropping(place))
        runs[Int(node)].keep(place)
        runs[Int(node)].firstRight = tail
        order.divide(node, at: self[node].weight, divideMark(of: node), to: tail)
        return tail
    }

    /// Puts a run among its siblings and returns its neighbours of lower and of higher id.
    private mutating func enlist(
        _ node: Int32, below anchor: Int32, side: TextSide
    ) -> (lower: Int32, higher: Int32) {
        let first = self[node].first
        var previous = BalancedOrder.none
        var next = firstRight
        if anchor >= 0 { next = side == .right ? self[anchor].firstRight : self[anchor].firstLeft }
        while next >= 0, (self[next].first < first) == (side == .left) {
            previous = next
            next = self[next].nextSibling
        }
        runs[Int(node)].nextSibling = next
        if previous >= 0 {
            runs[Int(previous)].nextSibling = node
        } else if anchor < 0 {
            firstRight = node
        } else if side == .right {
            runs[Int(anchor)].firstRight = node
        } else {
            runs[Int(anchor)].firstLeft = node
        }
        return side == .right ? (next, previous) : (previous, next)
    }

    /// Puts a run in its place in the text, between the subtrees of its neighbours.
    private mutating func place(
        _ node: Int32, below anchor: Int32, side: TextSide, after lower: Int32,
        before higher: Int32
    ) {
        let weight = self[node].weight
        if side == .right, lower < 0 {
            return order.insert(node, weight: weight, after: anchor)
        }
        if side == .left, higher < 0 {
            return order.insert(node, weight: weight, before: anchor)
        }
        // The edge that ends first decides, so that a deep one is not walked again and again.
        var (end, start) = (lower, higher)
        while true {
            if end >= 0 {
                let next = self[end].firstRight
                if next < 0 { return order.insert(node, weight: weight, after: end) }
                end = next
            }
            if start >= 0 {
                let next = self[start].firstLeft
                if next < 0 { return order.insert(node, weight: weight, before: start) }
                start = next
            }
        }
    }

    /// Makes room for so many runs.
    mutating func reserve(runs count: Int) { runs.reserveCapacity(count) }

    /// Hangs a run that was read as the next sibling of another one; ids and order are not set.
    mutating func append(
        _ run: TextRun, to parent: Int32, side: TextSide, after sibling: Int32
    ) -> Int32 {
        let node = Int32(truncatingIfNeeded: runs.count)
        runs.append(run)
        if side == .right {
            runs[Int(node)].nextSibling = sibling
            if parent < 0 { firstRight = node } else { runs[Int(parent)].firstRight = node }
        } else if sibling < 0 {
            runs[Int(parent)].firstLeft = node
        } else {
            runs[Int(sibling)].nextSibling = node
        }
        return node
    }

    /// Gives the runs their order and their text; false if the text is not as long as they are.
    mutating func assign(_ text: String, visible: Int, to ordered: [Int32]) -> Bool {
        _ = store(text.unicodeScalars)
        guard scalars.count == visible else { return false }
        let isEven = scalars.allSatisfy(\.isEven)
        var start = 0
        for node in ordered where !self[node].isDeleted {
            runs[Int(node)].textStart = start
            start += self[node].count
            if !isEven {
                runs[Int(node)].isEven = self.text(of: self[node]).allSatisfy(\.isEven)
            }
        }
        order = BalancedOrder(ordered, below: runs.count) { runs[Int($0)].weight }
        return true
    }

    /// Makes all runs known by id, those in `apart` at once, each of which begins after the end of
    /// the one before it, and the others one by one; false if an id is there twice.
    mutating func registerAll(_ apart: [Int32], then mixed: [Int32]) -> Bool {
        ids = BalancedOrder(apart, below: runs.count) { _ in 0 }
        guard mixed.allSatisfy({ register($0) }) else { return false }
        measureRead()
        return true
    }

    /// Measures the runs that were read, if any of them is not even.
    private mutating func measureRead() {
        let uneven = runs.indices.filter { !runs[$0].isDeleted && !runs[$0].isEven }
        if uneven.isEmpty { return }
        for start in uneven {
            var node = Int32(truncatingIfNeeded: start)
            while true {
                let (count, isEven) = piece(of: self[node])
                let isWhole = count == self[node].count
                let tail = isWhole ? node : split(node, at: count)
                runs[Int(node)].isEven = isEven
                if isWhole { break }
                node = tail
            }
        }
        measureAll()
    }

    /// Makes a run known by id, and cuts it or another one where their ids mix.
    ///
    /// Returns false if one of the ids is known already.
    mutating func register(_ newNode: Int32) -> Bool {
        var node = newNode
        while true {
            let first = self[node].first
            let before = ids.last { self[$0].first <= first }
            if before >= 0 {
                let upTo = self[before].count(upTo: first)
                if self[before].id(at: upTo - 1) == first { return false }
                if upTo < self[before].count { _ = split(before, at: upTo) }
            }
            ids.insert(node, weight: 0, after: before)
            let next = ids.next(after: node)
            guard next >= 0 else { return true }
            let below = self[node].count(below: self[next].first)
            if below == self[node].count { return true }
            node = cut(node, at: below)
        }
    }

    /// Moves scalars that are to be deleted into a deleted run beside them; false if there is none.
    private mutating func giveAway(_ count: Int, from place: Place) -> Bool {
        let node = place.run
        let run = self[node]
        guard count < run.count else { return false }
        if place.offset + count == run.count {
            let next = run.firstRight
            guard next >= 0, self[next].isDeleted, continues(next, from: node),
                let step = run.dropping(place.offset).step(to: self[next])
            else { return false }
            runs[Int(next)].first = run.id(at: place.offset)
            runs[Int(next)].count += count
            runs[Int(next)].step = step
            runs[Int(node)].keep(place.offset)
        } else if place.offset == 0 {
            let previous = order.previous(before: node)
            var moved = run
            moved.keep(count)
            guard previous >= 0, self[previous].isDeleted, self[previous].firstRight == node,
                continues(node, from: previous), let step = self[previous].step(to: moved)
            else { return false }
            runs[Int(previous)].count += count
            runs[Int(previous)].step = step
            runs[Int(node)] = run.dropping(count)
        } else {
            return false
        }
        order.setWeight(of: node, to: self[node].weight)
        if isMeasured { remeasure(node) }
        return true
    }

    /// Returns true when nothing stands between a run and another one: the run has no later sibling
    /// and no left children, and no id lies between the two.
    private func continues(_ node: Int32, from parent: Int32) -> Bool {
        self[node].nextSibling < 0 && self[node].firstLeft < 0 && ids.next(after: parent) == node
    }
}
