package import LinnetWire

/// A text as an editor shows it: what it says, and the names of its scalars.
///
/// The editor may have missed what others wrote. What it asks for by offsets into what it shows is
/// said by names here, so that it means the same in the text as it is by now.
package struct ShownText: Sendable {
    /// The text.
    package private(set) var string = ""
    private var outline = TextOutline()

    /// Shows nothing.
    package init() {}

    /// Shows a text as it is.
    package init(_ document: TextDocument) {
        string = document.string
        outline = TextOutline(document.tree)
    }

    /// Returns the length of what is shown.
    package func length(in unit: TextUnit) -> Int { string.length(in: unit) }

    /// Returns what leads from what is shown to a text as it is by now, in a unit. When that is
    /// another text, all is replaced.
    package func delta(to document: TextDocument, in unit: TextUnit) -> TextDelta {
        var hunks: [TextHunk] = []
        var (passed, deleted) = (0, 0)
        var text = String.UnicodeScalarView()
        func close() {
            guard deleted > 0 || !text.isEmpty else { return }
            hunks.append(
                TextHunk(deleted: passed - deleted..<passed, text: String(text)))
            (deleted, text) = (0, String.UnicodeScalarView())
        }
        let tree = document.tree
        let isSame = outline.walk(tree) { run, places, isShown in
            switch (isShown, run.isDeleted) {
            case (true, true):
                passed += places.count
                deleted += places.count
            case (true, false):
                close()
                passed += places.count
            case (false, false):
                let start = tree.text(of: run).startIndex
                text.append(
                    contentsOf: tree.text(of: run)[
                        start + places.lowerBound..<start + places.upperBound])
            case (false, true): break
            }
        }
        if isSame {
            close()
        } else {
            hunks = [TextHunk(deleted: 0..<outline.count, text: document.string)]
        }
        return TextDelta(hunks, of: string, in: unit)
    }

    /// Returns the scalars that an edit of what is shown replaces. Throws `outOfRange` for offsets
    /// that it does not have, and `insideSurrogatePair` for those within a scalar.
    package func scalars(
        at offset: Int, count: Int, in unit: TextUnit
    ) throws(TextError) -> Range<Int> {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard offset >= 0, count >= 0, !overflow else { throw .outOfRange }
        let first = try string.scalarOffset(of: offset, in: unit)
        let last = count == 0 ? first : try string.scalarOffset(of: end, in: unit)
        return first..<last
    }

    /// Returns the edit that puts a text in the place of some scalars.
    package func splice(_ scalars: Range<Int>, with text: String) -> TextSplice {
        TextSplice(
            deleting: outline.part(scalars).ranges,
            inserting: text.isEmpty
                ? [] : [.init(after: outline.id(at: scalars.lowerBound - 1), text)])
    }

    /// Shows an edit of its own, which was carried out and changed one text into another.
    ///
    /// Returns what it did, for an undo.
    package mutating func take(
        _ scalars: Range<Int>, with text: String, from before: TextNames, to after: TextDocument
    ) -> TextUndo.Effect {
        let added = before.additions(in: after)
        let removed = outline.part(scalars)
        var view = string.unicodeScalars
        let start = view.index(view.startIndex, offsetBy: scalars.lowerBound)
        let end = view.index(start, offsetBy: scalars.count)
        let deleted = Array(view[start..<end])
        view.replaceSubrange(start..<end, with: text.unicodeScalars)
        string = String(view)
        outline.replace(scalars, with: added)
        return TextUndo.Effect(inserted: added, deleted: removed, text: deleted)
    }

    /// Returns a cursor at an offset into what is shown. It sticks to the character before it or
    /// after it, or to an end of the text when there is none.
    package func cursor(
        at offset: Int, sticking side: TextCursor.Side, in unit: TextUnit
    ) throws(TextError) -> TextCursor {
        let place = try scalars(at: offset, count: 0, in: unit).lowerBound
        return TextCursor(side, outline.id(at: side == .after ? place - 1 : place))
    }

    /// Returns where a cursor is in what is shown; nil when it names a scalar that the text as it
    /// is by now does not have. An offset within a character is that of its start.
    package func place(
        of cursor: TextCursor, in document: TextDocument, _ unit: TextUnit
    ) -> CursorPlace? {
        guard let anchor = cursor.anchor else {
            return CursorPlace(
                offset: cursor.side == .after ? 0 : string.length(in: unit), isDeleted: false)
        }
        guard let place = document.tree.find(anchor) else { return nil }
        var (before, isPassed, isShown) = (0, false, false)
        let isSame = outline.walk(document.tree) { run, places, isOutlined in
            guard !isPassed else { return }
            if let own = run.place(of: anchor), places.contains(own) {
                if isOutlined { before += own - places.lowerBound }
                (isPassed, isShown) = (true, isOutlined)
            } else if isOutlined {
                before += places.count
            }
        }
        guard isSame else { return nil }
        if isShown, cursor.side == .after { before += 1 }
        return CursorPlace(
            offset: string.length(ofScalars: before, in: unit),
            isDeleted: document.tree[place.run].isDeleted)
    }
}

/// The names of the scalars that a text shows, kept to see later what an author added to it.
package struct TextNames: Sendable {
    private let outline: TextOutline
    private let author: AuthorID

    /// Takes those of a text that an author is about to edit.
    package init(_ document: TextDocument, before author: AuthorID) {
        (outline, self.author) = (TextOutline(document.tree), author)
    }

    /// Returns the scalars of the author that a later state shows besides, be it of another text.
    func additions(in document: TextDocument) -> TextOutline {
        outline.additions(in: document.tree, by: author)
    }
}
