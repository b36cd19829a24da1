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
            insertions += self.insertions(of: hunk.text, at: hunk.deleted.lowerBound)
        }
        let ranges = TextDeletion(deleted).ranges
        let starts = stride(from: 0, to: ranges.count, by: TextDocument.rangesPerDeletion)
        let deletions = starts.map { start in
            let end = min(start + TextDocument.rangesPerDeletion, ranges.count)
            return TextEdit.delete(TextDeletion(Array(ranges[start..<end])))
        }
        return deletions + insertions
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

    /// Returns the insertions of a text before a visible scalar, in pieces that a payload can hold.
    ///
    /// All pieces are siblings: the ops of one author ascend, and none of another's come between.
    private func insertions(of text: String, at offset: Int) -> [TextEdit] {
        if text.isEmpty { return [] }
        let (parent, side) = parent(at: offset)
        return text.pieces(bytes: TextDocument.bytesPerInsertion).map {
            .insert(TextInsertion(parent: parent, side: side, string: $0))
        }
    }

    /// Returns the scalar that new text before a visible one hangs on, and its side, as Algorithm 1
    /// has it.
    private func parent(at offset: Int) -> (TextID?, TextSide) {
        guard offset > 0, let (node, place) = tree.order.find(offset - 1) else {
            let first = tree.order.first
            return first < 0 ? (nil, .right) : (tree[first].first, .left)
        }
        let run = tree[node]
        if place + 1 < run.count { return (run.id(at: place + 1), .left) }
        if run.firstRight < 0 { return (run.id(at: place), .right) }
        return (tree[tree.order.next(after: node)].first, .left)
    }
}

extension TextRun {
    /// Appends the scalars at these places as ranges of insertions.
    fileprivate func appendRanges(of places: Range<Int>, to ranges: inout [TextRange]) {
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
