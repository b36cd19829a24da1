import LinnetWire

/// A text that several replicas edit at the same time without interleaving: Fugue.
///
/// The algorithm is that of Weidner and Kleppmann, "The Art of the Fugue", Algorithm 1, in its tree
/// form. The state is a function of the set of ops, whatever the order in which they came. An op
/// changes it in place in O(log n) steps while nobody else holds the value. An owner that keeps it
/// in a table takes it out, changes it and puts it back, since a change of a value that is shared
/// copies all of it.
package struct TextDocument: Sendable {
    /// The insertions whose parents are known.
    var tree = TextTree()
    /// Insertions that hang on scalars not known yet.
    var waiting = OrderedTable<WaitingPlace, TextInsertion>()
    /// Deleted scalars of insertions not known yet, each list ascending and disjoint.
    var early = OrderedTable<Position, [TextRange]>()

    /// Makes an empty text.
    package init() {}

    /// The text.
    package var string: String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(scalarCount)
        for node in tree.order.nodes {
            let run = tree[node]
            if !run.isDeleted { utf8.append(utf8Of: tree.text(of: run)) }
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// The memory of the text, of what was deleted and of what waits, in bytes, approximately.
    var memory: Int {
        128 + 4 * tree.stored + (tree.isMeasured ? 96 : 64) * tree.runs.count
            + waiting.values.reduce(0) { $0 + 96 + $1.string.utf8.count }
            + early.values.reduce(0) { $0 + 32 + 48 * $1.count }
    }

    /// The number of Unicode scalars.
    package var scalarCount: Int { tree.order.total }

    /// The number of characters as people count them (extended grapheme clusters).
    package var characterCount: Int { tree.characterCount }

    /// Returns the length in a unit.
    package func count(in unit: TextUnit) -> Int {
        switch unit {
        case .characters: tree.characterCount
        case .scalars: tree.order.total
        case .utf16: tree.utf16Count
        }
    }

    /// Merges the insertion that stands at a position; false if it was known or is empty.
    package mutating func insert(_ insertion: TextInsertion, at position: Position) -> Bool {
        guard !insertion.string.isEmpty, !tree.contains(position) else { return false }
        let known = insertion.parent.flatMap { tree.find($0) }
        if let parent = insertion.parent, known == nil {
            let place = WaitingPlace(parent: parent, position: position)
            guard waiting[place] == nil else { return false }
            waiting[place] = insertion
            return true
        }
        integrate(insertion, at: position, below: known)
        return true
    }

    /// Merges a deletion; false if nothing changed.
    package mutating func delete(_ deletion: TextDeletion) -> Bool {
        var changed = false
        var unknown: [TextRange] = []
        for range in deletion.ranges {
            if !tree.contains(range.start.position) {
                unknown.append(range)
            } else if tree.delete(range) {
                changed = true
            }
        }
        return remember(unknown) || changed
    }

    /// Merges the op that a local edit asked for and that now stands at a position.
    package mutating func apply(_ edit: TextEdit, at position: Position) -> Bool {
        switch edit {
        case .insert(let insertion): insert(insertion, at: position)
        case .delete(let deletion): delete(deletion)
        }
    }
}

extension TextDocument {
    /// The place of an insertion that waits: the scalar that it hangs on, and its own position.
    struct WaitingPlace: Comparable, Sendable {
        let parent: TextID
        let position: Position

        static func < (left: WaitingPlace, right: WaitingPlace) -> Bool {
            if left.parent != right.parent { return left.parent < right.parent }
            return left.position < right.position
        }
    }

    /// Keeps ranges, which ascend, for insertions to come; false if all were kept already.
    private mutating func remember(_ ranges: [TextRange]) -> Bool {
        var changed = false
        var rest = ranges[...]
        while let position = rest.first?.start.position {
            let same = rest.prefix { $0.start.position == position }
            rest = rest.dropFirst(same.count)
            let known = early[position] ?? []
            let joined = TextDeletion.joined(known + same)
            if joined != known {
                early[position] = joined
                changed = true
            }
        }
        return changed
    }

    /// Takes in an insertion that hangs on a scalar or on the start of the text, and all
    /// insertions that waited for it.
    private mutating func integrate(
        _ insertion: TextInsertion, at position: Position, below parent: TextTree.Place?
    ) {
        attach(insertion, at: position, below: parent)
        var ready = takeReady(below: position)
        while let (insertion, position) = ready.popLast() {
            if tree.contains(position) { continue }
            attach(
                insertion, at: position, below: insertion.parent.flatMap { tree.find($0) })
            ready.append(contentsOf: takeReady(below: position))
        }
    }

    private mutating func attach(
        _ insertion: TextInsertion, at position: Position, below parent: TextTree.Place?
    ) {
        let start = tree.store(insertion.string.unicodeScalars)
        let run = TextRun(
            first: TextID(position: position, offset: 0), count: tree.stored - start,
            textStart: start, isDeleted: false)
        tree.attach(run, to: parent, side: insertion.side)
        // Scalars may have been deleted before their insertion came.
        guard !early.isEmpty, let ranges = early.removeValue(forKey: position) else { return }
        for range in ranges {
            _ = tree.delete(range)
        }
    }

    /// Takes out and returns the insertions that waited for a scalar of the op at a position.
    private mutating func takeReady(below position: Position) -> [(TextInsertion, Position)] {
        var ready: [(TextInsertion, Position)] = []
        guard !waiting.isEmpty else { return ready }
        let start = WaitingPlace(
            parent: TextID(position: position, offset: 0),
            position: Position(chain: .zero, seq: 0, index: 0))
        var next = waiting.lowerBound(of: start)
        while let (place, insertion) = waiting.entry(at: next), place.parent.position == position {
            if tree.find(place.parent) == nil {
                next += 1
            } else {
                waiting.removeValue(forKey: place)
                ready.append((insertion, place.position))
            }
        }
        return ready
    }

    /// Takes in all that waited for scalars, after some came by another way than `insert`.
    mutating func settleAll() {
        for position in early.keys where tree.contains(position) {
            guard let ranges = early.removeValue(forKey: position) else { continue }
            for range in ranges { _ = tree.delete(range) }
        }
        for (place, insertion) in waiting {
            if tree.contains(place.position) {
                waiting.removeValue(forKey: place)
            } else if let parent = tree.find(place.parent),
                waiting.removeValue(forKey: place) != nil
            {
                integrate(insertion, at: place.position, below: parent)
            }
        }
    }
}

extension [UInt8] {
    /// Appends scalars as UTF-8.
    mutating func append(utf8Of scalars: ArraySlice<Unicode.Scalar>) {
        for scalar in scalars {
            if scalar.value < 0x80 {
                append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}
