extension TextTree {
    /// The largest number of scalars in a visible run that is not even, so that a place within one
    /// is found in few steps.
    static let unevenRunLength = 32

    /// The number of characters.
    var characterCount: Int { isMeasured ? Int(order.measure.characters) : order.total }

    /// The number of UTF-16 code units.
    var utf16Count: Int { isMeasured ? Int(order.measure.utf16) : order.total }

    /// Returns the number of scalars in the first `offset` characters; nil if there are fewer.
    func scalarOffset(ofCharacter offset: Int) -> Int? {
        guard offset >= 0, offset <= characterCount else { return nil }
        guard isMeasured else { return offset }
        guard let (node, rest, before) = order.find(offset, by: { $0.characters })
        else { return order.total }
        let run = self[node]
        if run.isEven {
            let first = run.count - Int(order.measure(of: node).characters)
            return before + first + rest
        }
        var state = marks[Int(node)] ?? .start
        var left = rest + 1
        let place = text(of: run).firstIndex { scalar in
            if state.starts(scalar) { left -= 1 }
            return left == 0
        }
        return before + (place.map { $0 - run.textStart } ?? run.count)
    }

    /// Returns the number of scalars in the first `offset` UTF-16 code units.
    func scalarOffset(ofUTF16 offset: Int) throws(TextError) -> Int {
        guard offset >= 0, offset <= utf16Count else { throw .outOfRange }
        guard isMeasured else { return offset }
        guard let (node, rest, before) = order.find(offset, by: { $0.utf16 })
        else { return order.total }
        let run = self[node]
        if run.isEven { return before + rest }
        var (place, units) = (0, 0)
        for scalar in text(of: run) where units < rest {
            units += UTF16.width(scalar)
            place += 1
        }
        guard units == rest else { throw .insideSurrogatePair }
        return before + place
    }

    /// Returns how many scalars of an uneven run may stay together, and if these are even.
    func piece(of run: TextRun) -> (count: Int, isEven: Bool) {
        let even = text(of: run).prefix { $0.isEven }.count
        if even == run.count || even >= TextTree.unevenRunLength { return (even, true) }
        return (min(run.count, TextTree.unevenRunLength), false)
    }

    /// Measures all runs, each of which has its place in the text.
    mutating func measureAll() {
        isMeasured = true
        marks = Array(repeating: nil, count: runs.count)
        var measures = Array(repeating: TextMeasure(), count: runs.count)
        var state = CharacterState.start
        var node = order.first
        while node >= 0 {
            if !self[node].isDeleted {
                marks[Int(node)] = state
                measures[Int(node)] = measure(self[node], after: &state)
            }
            node = order.next(after: node)
        }
        order.setMeasures(measures)
    }

    /// Measures a new run, which has its place, and those after it as far as it changes them.
    mutating func measure(new node: Int32) {
        // The run that follows knows the text before it, unless there is none.
        let next = visible(after: node)
        if next >= 0, let state = marks[Int(next)] { return remeasure(node, after: state) }
        var state = CharacterState.start
        let start = order.offset(of: node)
        if start > 0, let (last, _) = order.find(start - 1) {
            state = marks[Int(last)] ?? .start
            _ = measure(self[last], after: &state)
        }
        remeasure(node, after: state)
    }

    /// Measures a run whose text changed, and those after it as far as that changes them.
    mutating func remeasure(_ node: Int32) {
        guard let state = marks[Int(node)] else { return }
        remeasure(node, after: state)
    }

    private mutating func remeasure(_ first: Int32, after before: CharacterState) {
        var state = before
        var node = first
        marks[Int(node)] = nil
        if self[node].isDeleted {
            order.setMeasure(of: node, to: TextMeasure())
            node = visible(after: node)
        }
        // From a run on before which the text is as it was, nothing changes.
        while node >= 0, marks[Int(node)] != state {
            marks[Int(node)] = state
            order.setMeasure(of: node, to: measure(self[node], after: &state))
            node = visible(after: node)
        }
    }

    /// Returns the next run that is not deleted; `none` if there is none.
    private func visible(after node: Int32) -> Int32 {
        let next = order.next(after: node)
        if next < 0 || !self[next].isDeleted { return next }
        // There may be many deleted ones in a row.
        let end = order.offset(of: node) + self[node].weight
        return order.find(end)?.node ?? BalancedOrder.none
    }

    /// Notes the text before the second part, the newest, of a run that was split, and returns the
    /// measure of the first part.
    mutating func divideMark(of node: Int32) -> TextMeasure {
        guard isMeasured else { return TextMeasure() }
        guard !self[node].isDeleted, var state = marks[Int(node)] else {
            marks.append(nil)
            return TextMeasure()
        }
        let head = measure(self[node], after: &state)
        marks.append(state)
        return head
    }

    /// Returns the measure of a visible run, and takes its text in.
    private func measure(_ run: TextRun, after state: inout CharacterState) -> TextMeasure {
        let text = text(of: run)
        var measure = TextMeasure()
        if run.isEven, let first = text.first, let last = text.last {
            measure.utf16 = UInt32(truncatingIfNeeded: run.count)
            measure.characters = state.starts(first) ? measure.utf16 : measure.utf16 - 1
            if run.count > 1 { state = .plain(last) }
            return measure
        }
        for scalar in text {
            if state.starts(scalar) { measure.characters += 1 }
            measure.utf16 += UInt32(truncatingIfNeeded: UTF16.width(scalar))
        }
        return measure
    }
}
