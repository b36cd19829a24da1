import LinnetWire

/// The scalars of a text that somebody saw, by name and in their order.
///
/// The order of two scalars is the same in every state of a text, so that two outlines, or an
/// outline and a text, are compared by walking over both once.
struct TextOutline: Sendable {
    /// The scalars, in runs whose links and texts have no meaning.
    private(set) var runs: [TextRun] = []
    /// The number of scalars.
    private(set) var count = 0

    /// Makes an outline of nothing.
    init() {}

    /// Takes the scalars that a tree shows.
    init(_ tree: TextTree) {
        for node in tree.order.nodes where !tree[node].isDeleted { append(tree[node]) }
    }

    /// Adds the scalars of a run at the end.
    mutating func append(_ run: TextRun) {
        count += run.count
        if let last = runs.last, let step = last.step(to: run) {
            runs[runs.count - 1].step = step
            runs[runs.count - 1].count += run.count
            return
        }
        var bare = TextRun(first: run.first, count: run.count, isDeleted: false)
        bare.step = run.step
        runs.append(bare)
    }

    /// Adds the scalars of another outline at the end.
    mutating func append(_ other: TextOutline) {
        for run in other.runs { append(run) }
    }

    /// Returns the name of a scalar; nil outside of the outline.
    func id(at offset: Int) -> TextID? {
        var rest = offset
        for run in runs where rest >= 0 {
            if rest < run.count { return run.id(at: rest) }
            rest -= run.count
        }
        return nil
    }

    /// Returns the scalars at these offsets, which lie within the outline.
    func part(_ offsets: Range<Int>) -> TextOutline {
        var part = TextOutline()
        var start = 0
        for run in runs {
            let lower = max(offsets.lowerBound, start)
            let upper = min(offsets.upperBound, start + run.count)
            if lower < upper { part.append(run.part(lower - start..<upper - start)) }
            start += run.count
        }
        return part
    }

    /// Puts other scalars in the place of some.
    mutating func replace(_ offsets: Range<Int>, with others: TextOutline) {
        var new = part(0..<offsets.lowerBound)
        new.append(others)
        new.append(part(offsets.upperBound..<count))
        self = new
    }

    /// The same scalars as ranges of insertions.
    var ranges: [TextRange] {
        var ranges: [TextRange] = []
        for run in runs { run.appendRanges(of: 0..<run.count, to: &ranges) }
        return ranges
    }

    /// Walks over all scalars of a tree, the deleted ones too, beside those of the outline.
    ///
    /// `body` is given parts of runs and whether they are in the outline. Returns false when not
    /// all of the outline was met in its order: it is of another text.
    func walk(_ tree: TextTree, _ body: (TextRun, Range<Int>, Bool) -> Void) -> Bool {
        var (next, taken) = (0, 0)
        var node = tree.order.first
        while node >= 0 {
            let run = tree[node]
            var place = 0
            while place < run.count {
                guard next < runs.count, let start = run.place(of: runs[next].id(at: taken)),
                    start >= place
                else {
                    body(run, place..<run.count, false)
                    break
                }
                if start > place { body(run, place..<start, false) }
                let own = runs[next]
                let count =
                    own.step == run.step
                    ? min(own.count - taken, run.count - start) : 1
                body(run, start..<start + count, true)
                place = start + count
                taken += count
                if taken == own.count { (next, taken) = (next + 1, 0) }
            }
            node = tree.order.next(after: node)
        }
        return next == runs.count
    }

    /// Returns the scalars of an author that a tree shows and this outline does not have.
    func additions(in tree: TextTree, by author: AuthorID) -> TextOutline {
        var added = TextOutline()
        let isSame = walk(tree) { run, places, isKnown in
            guard !isKnown, !run.isDeleted, run.first.position.chain == author else { return }
            added.append(run.part(places))
        }
        return isSame ? added : additions(inOther: tree, by: author)
    }

    /// Returns those of another text, in which each is looked up by its name.
    private func additions(inOther tree: TextTree, by author: AuthorID) -> TextOutline {
        let known = OrderedSet(runs.flatMap { run in (0..<run.count).map(run.id) })
        var added = TextOutline()
        for node in tree.order.nodes {
            let run = tree[node]
            guard !run.isDeleted, run.first.position.chain == author else { continue }
            for place in 0..<run.count where !known.contains(run.id(at: place)) {
                added.append(run.part(place..<place + 1))
            }
        }
        return added
    }
}

extension TextRun {
    /// Returns the scalars at some places, at least one.
    func part(_ places: Range<Int>) -> TextRun {
        var part = places.lowerBound > 0 ? dropping(places.lowerBound) : self
        part.keep(places.count)
        return part
    }
}
