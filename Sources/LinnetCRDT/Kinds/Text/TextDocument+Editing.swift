import LinnetWire

extension TextDocument {
    /// Returns the ops that delete a part of the text and insert another in its place, deletions
    /// first.
    ///
    /// Characters (extended grapheme clusters), unless `unit` is another one, are deleted whole
    /// and never split; offsets in smaller units may tear them. Nothing is applied. Long texts and
    /// many deleted pieces become several ops. Throws `outOfRange` for offsets that the text does
    /// not have, and `insideSurrogatePair` for those within a scalar.
    package func edit(
        at offset: Int, deleting count: Int, inserting text: String,
        in unit: TextUnit = .characters
    ) throws(TextError) -> [TextEdit] {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard offset >= 0, count >= 0, !overflow else { throw .outOfRange }
        let first = try scalars(before: offset, unit)
        let last = count == 0 ? first : try scalars(before: end, unit)
        return edits([TextHunk(deleted: first..<last, text: text)])
    }

    /// Returns the number of scalars before a place.
    private func scalars(before offset: Int, _ unit: TextUnit) throws(TextError) -> Int {
        switch unit {
        case .characters:
            guard let found = tree.scalarOffset(ofCharacter: offset) else { throw .outOfRange }
            return found
        case .scalars:
            guard offset <= scalarCount else { throw .outOfRange }
            return offset
        case .utf16: return try tree.scalarOffset(ofUTF16: offset)
        }
    }

    /// Returns the ops that turn the text into another one; unchanged characters stay as they are.
    ///
    /// They make the smallest difference by characters, or one large piece where the texts are too
    /// far apart to look for it.
    package func edit(to newText: String) -> [TextEdit] {
        edits(TextDiff(from: string, to: newText).hunks)
    }

    /// The largest number of ranges that one deletion names, so that its payload keeps within its
    /// limit.
    private static let rangesPerDeletion = 1_500
    /// The largest number of UTF-8 bytes of text in one insertion, which leaves room for the rest
    /// of it.
    private static let bytesPerInsertion = Limits.valueBytes - 64

    /// Returns the ops for changes of separate parts, whose offsets count scalars.
    private func edits(_ hunks: [TextHunk]) -> [TextEdit] {
        var deleted: [TextRange] = []
        var insertions: [TextEdit] = []
        for hunk in hunks {
            appendRanges(hunk.deleted, to: &deleted)
            insertions += self.insertions(
                of: hunk.text, after: place(before: hunk.deleted.lowerBound))
        }
        return deletions(of: deleted) + insertions
    }

    /// Returns the deletions of ranges, in pieces that a payload can hold.
    func deletions(of deleted: [TextRange]) -> [TextEdit] {
        let ranges = TextDeletion(deleted).ranges
        let starts = stride(from: 0, to: ranges.count, by: TextDocument.rangesPerDeletion)
        return starts.map { start in
            let end = min(start + TextDocument.rangesPerDeletion, ranges.count)
            return TextEdit.delete(TextDeletion(Array(ranges[start..<end])))
        }
    }

    private func appendRanges(_ offsets: Range<Int>, to ranges: inout [TextRange]) {
        guard !offsets.isEmpty, var (node, place) = tree.order.find(offsets.lowerBound)
        else { return }
        var rest = offsets.count
        while rest > 0, node >= 0 {
            let run = tree[node]
            if !run.isDeleted {
                let count = min(rest, run.count - place)
                run.appendRanges(of: place..<place + count, to: &ranges)
                rest -= count
            }
            place = 0
            node = tree.order.next(after: node)
        }
    }

    /// Returns the insertions of a text after a scalar or at the start, in pieces that a payload
    /// can hold.
    ///
    /// All pieces are siblings: the ops of one author ascend, and none of another's come between.
    func insertions(of text: String, after place: TextTree.Place?) -> [TextEdit] {
        if text.isEmpty { return [] }
        let (parent, side) = parent(after: place)
        return text.pieces(bytes: TextDocument.bytesPerInsertion).map {
            .insert(TextInsertion(parent: parent, side: side, string: $0))
        }
    }

    /// Returns the place of the visible scalar before another one; nil at the start.
    private func place(before offset: Int) -> TextTree.Place? {
        guard offset > 0 else { return nil }
        return tree.order.find(offset - 1).map { TextTree.Place(run: $0.node, offset: $0.offset) }
    }

    /// Returns the scalar that new text after another one hangs on, and its side, as Algorithm 1
    /// has it.
    private func parent(after place: TextTree.Place?) -> (TextID?, TextSide) {
        guard let place else {
            let first = tree.order.first
            return first < 0 ? (nil, .right) : (tree[first].first, .left)
        }
        let run = tree[place.run]
        if place.offset + 1 < run.count { return (run.id(at: place.offset + 1), .left) }
        if run.firstRight < 0 { return (run.id(at: place.offset), .right) }
        return (tree[tree.order.next(after: place.run)].first, .left)
    }
}

extension TextRun {
    /// Appends the scalars at these places as ranges of insertions.
    func appendRanges(of places: Range<Int>, to ranges: inout [TextRange]) {
        let count = UInt32(truncatingIfNeeded: places.count)
        if step == .offset {
            if let range = TextRange(start: id(at: places.lowerBound), count: count) {
                ranges.append(range)
            }
            return
        }
        for place in places {
            if let range = TextRange(start: id(at: place), count: 1) { ranges.append(range) }
        }
    }
}

extension String {
    /// Returns the text in pieces of at most so many UTF-8 bytes, cut between characters if
    /// possible.
    fileprivate func pieces(bytes: Int) -> [String] {
        if utf8.count <= bytes { return [self] }
        var pieces: [String] = []
        var piece = ""
        var room = bytes
        for character in self {
            let size = character.utf8.count
            if size > room, !piece.isEmpty {
                pieces.append(piece)
                piece = ""
                room = bytes
            }
            for scalar in character.unicodeScalars {
                let size = UTF8.width(scalar)
                if size > room {
                    pieces.append(piece)
                    piece = ""
                    room = bytes
                }
                piece.unicodeScalars.append(scalar)
                room -= size
            }
        }
        pieces.append(piece)
        return pieces
    }
}
