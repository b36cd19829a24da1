/// A local edit of a text that names what it deletes, and after what it inserts.
///
/// It says the same whatever others have written meanwhile, unlike one that counts.
package struct TextSplice: Equatable, Sendable {
    /// A text that is inserted.
    package struct Piece: Equatable, Sendable {
        /// The scalar after which it comes, which may be deleted; nil for the start.
        package let anchor: TextID?
        /// The text.
        package let text: String

        /// Joins the parts.
        package init(after anchor: TextID?, _ text: String) {
            self.anchor = anchor
            self.text = text
        }
    }

    /// The scalars that are deleted, if they are there still.
    package var deleted: [TextRange]
    /// The texts that are inserted, each after another scalar.
    package var inserted: [Piece]

    /// Joins the parts.
    package init(deleting deleted: [TextRange] = [], inserting inserted: [Piece] = []) {
        self.deleted = deleted
        self.inserted = inserted
    }

    /// True when it changes nothing.
    package var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty }
}

extension TextDocument {
    /// Returns the ops of an edit, deletions first. Throws `outOfRange` when it inserts after a
    /// scalar that the text does not have.
    package func edit(_ splice: TextSplice) throws(TextError) -> [TextEdit] {
        var insertions: [TextEdit] = []
        for piece in splice.inserted {
            var place: TextTree.Place?
            if let anchor = piece.anchor {
                place = tree.find(anchor)
                guard place != nil else { throw .outOfRange }
            }
            insertions += self.insertions(of: piece.text, after: place)
        }
        var left: [TextRange] = []
        for range in TextDeletion(splice.deleted).ranges {
            for segment in tree.segments(of: range) where !tree[segment.node].isDeleted {
                tree[segment.node].appendRanges(of: segment.places, to: &left)
            }
        }
        return deletions(of: left) + insertions
    }
}

/// A part of a run in a tree.
struct TextSegment: Equatable {
    /// The number of the run.
    let node: Int32
    /// The places in it.
    let places: Range<Int>
}

extension TextTree {
    /// Returns the parts of runs that hold the scalars of a range, as far as they are there, in the
    /// order of their names.
    func segments(of range: TextRange) -> [TextSegment] {
        var segments: [TextSegment] = []
        var next = range.start.offset
        while next < range.offsets.upperBound {
            let id = TextID(position: range.start.position, offset: next)
            guard let place = find(id) else { return segments }
            let run = self[place.run]
            let many = run.step == .offset ? run.count - place.offset : 1
            let count = min(many, Int(range.offsets.upperBound - next))
            segments.append(
                TextSegment(node: place.run, places: place.offset..<place.offset + count))
            next += UInt32(truncatingIfNeeded: count)
        }
        return segments
    }
}
