import LinnetCRDT

/// A text as an editor shows it, and what it can take back, as docs/text.md says it: by the names
/// of scalars alone, in lists that are gone through from end to end.
struct ReferenceEditor {
    typealias Letter = ReferenceText.Letter

    /// The scalars that the editor shows, in order.
    private(set) var shown: [Letter]
    private var history = ReferenceUndo()

    init(showing text: [Letter]) { shown = text.filter { !$0.isDeleted } }

    var string: String { Self.string(shown) }

    static func string(_ letters: [Letter]) -> String {
        var view = String.UnicodeScalarView()
        for letter in letters where !letter.isDeleted { view.append(letter.scalar) }
        return String(view)
    }

    /// An edit by names, for the text as it is by then.
    struct Edit {
        var deleted: Set<TextID> = []
        /// The texts that come, each after a scalar; nil stands for the start.
        var pieces: [(after: TextID?, text: [Unicode.Scalar])] = []

        /// True when a text has all the scalars after which something comes.
        func isKnown(in text: [Letter]) -> Bool {
            pieces.allSatisfy { piece in
                piece.after.map { name in text.contains { $0.id == name } } ?? true
            }
        }

        /// Returns the content of a text after the edit.
        func applied(to text: [Letter]) -> String {
            var view = String.UnicodeScalarView()
            for piece in pieces where piece.after == nil { view.append(contentsOf: piece.text) }
            for letter in text {
                if !letter.isDeleted, !deleted.contains(letter.id) { view.append(letter.scalar) }
                for piece in pieces where piece.after == letter.id {
                    view.append(contentsOf: piece.text)
                }
            }
            return String(view)
        }
    }
}

// The shown text is measured in units.
extension ReferenceEditor {
    private static func width(_ letter: Letter, _ unit: TextUnit) -> Int {
        unit == .utf16 && letter.scalar.value > 0xffff ? 2 : 1
    }

    /// The length of the first so many scalars in a unit.
    private func length(of count: Int, _ unit: TextUnit) -> Int {
        shown.prefix(count).reduce(0) { $0 + Self.width($1, unit) }
    }

    func length(in unit: TextUnit) -> Int { length(of: shown.count, unit) }

    /// The scalars between two offsets; nil when one of them is within a scalar.
    func scalars(at offset: Int, count: Int, in unit: TextUnit) -> Range<Int>? {
        let ends = (0...shown.count).map { length(of: $0, unit) }
        guard let first = ends.firstIndex(of: offset),
            let last = ends.firstIndex(of: offset + count)
        else { return nil }
        return first..<last
    }

    /// True when a text has all that is shown, in its order; otherwise it is another text.
    private func isShown(of text: [Letter]) -> Bool {
        let own = Set(shown.map(\.id))
        return text.map(\.id).filter(own.contains) == shown.map(\.id)
    }

    /// The steps that lead from what is shown to a text.
    func change(to text: [Letter], in unit: TextUnit) -> [TextDelta.Step] {
        let own = Set(shown.map(\.id))
        guard isShown(of: text) else {
            let new = Self.string(text)
            return [.delete(length(in: unit))] + (new.isEmpty ? [] : [.insert(new)])
        }
        var steps: [TextDelta.Step] = []
        var (kept, gone, come) = (0, 0, String.UnicodeScalarView())
        func close() {
            if gone > 0 { steps.append(.delete(gone)) }
            if !come.isEmpty { steps.append(.insert(String(come))) }
            (gone, come) = (0, String.UnicodeScalarView())
        }
        for letter in text {
            switch (own.contains(letter.id), letter.isDeleted) {
            case (true, false):
                close()
                kept += Self.width(letter, unit)
                continue
            case (false, true): continue
            case (true, true), (false, false): break
            }
            if kept > 0 { steps.append(.keep(kept)) }
            kept = 0
            if letter.isDeleted {
                gone += Self.width(letter, unit)
            } else {
                come.append(letter.scalar)
            }
        }
        close()
        return steps
    }

    /// A cursor at an offset: it sticks to the scalar before it or after it.
    func cursor(at offset: Int, _ side: TextCursor.Side, in unit: TextUnit) -> TextCursor? {
        guard let place = scalars(at: offset, count: 0, in: unit)?.lowerBound else { return nil }
        let index = side == .after ? place - 1 : place
        return TextCursor(side, shown.indices.contains(index) ? shown[index].id : nil)
    }

    /// The place of a cursor; nil when its scalar is not in the text, or when it is another text.
    func place(of cursor: TextCursor, in text: [Letter], _ unit: TextUnit) -> CursorPlace? {
        guard let name = cursor.anchor else {
            return CursorPlace(
                offset: cursor.side == .after ? 0 : length(in: unit), isDeleted: false)
        }
        let own = Set(shown.map(\.id))
        guard let index = text.firstIndex(where: { $0.id == name }), isShown(of: text)
        else { return nil }
        var before = text[..<index].count { own.contains($0.id) }
        if own.contains(name), cursor.side == .after { before += 1 }
        return CursorPlace(offset: length(of: before, unit), isDeleted: text[index].isDeleted)
    }
}

// Edits are made, and taken back.
extension ReferenceEditor {
    /// The edit that puts a text in the place of some scalars that are shown.
    func edit(_ scalars: Range<Int>, with text: String) -> Edit {
        let before = scalars.lowerBound > 0 ? shown[scalars.lowerBound - 1].id : nil
        return Edit(
            deleted: Set(shown[scalars].map(\.id)),
            pieces: text.isEmpty ? [] : [(before, Array(text.unicodeScalars))])
    }

    /// Shows a text as it is from now on.
    mutating func show(_ text: [Letter]) { shown = text.filter { !$0.isDeleted } }

    /// Shows an edit of its own, whose text got these names, and can take it back.
    mutating func take(_ scalars: Range<Int>, with new: [Letter], time: Int64) {
        let old = Array(shown[scalars])
        shown.replaceSubrange(scalars, with: new)
        history.note(old, new, at: scalars.lowerBound, time: time)
    }

    /// The next step of an undo or a redo; nil when there is none that changes anything.
    mutating func step(
        _ direction: TextUndo.Direction, in text: [Letter]
    ) -> ReferenceUndo.Step? {
        history.step(direction, in: text)
    }

    /// Notes that such a step was made, and the names of what it brought back.
    mutating func finish(_ step: ReferenceUndo.Step, with new: [Letter]) {
        history.finish(step, with: new)
    }
}

/// The edits that an editor can take back, and those that it took back.
struct ReferenceUndo {
    typealias Letter = ReferenceText.Letter

    /// The scalars that the edits of one step deleted and inserted.
    private struct Entry {
        var old: [Letter]
        var new: [Letter]
        /// The place at which the last of them ended, and its time.
        var end: Int
        var time: Int64
    }

    struct Step {
        let direction: TextUndo.Direction
        var edit = ReferenceEditor.Edit()
        fileprivate var removed: [Letter] = []
        fileprivate var restored: [TextID] = []
    }

    private var done: [Entry] = []
    private var undone: [Entry] = []
    /// The names that scalars got when they came back.
    private var newer: [TextID: TextID] = [:]

    private func latest(_ name: TextID) -> TextID {
        var name = name
        while let next = newer[name] { name = next }
        return name
    }

    /// Typing on and deleting on is one step, until there is a pause.
    mutating func note(_ old: [Letter], _ new: [Letter], at place: Int, time: Int64) {
        guard !old.isEmpty || !new.isEmpty else { return }
        undone = []
        let end = place + new.count
        if let last = done.last, (0...500).contains(time - last.time),
            place == last.end || place + old.count == last.end,
            old.isEmpty && last.old.isEmpty || new.isEmpty && last.new.isEmpty
        {
            done[done.count - 1] = Entry(
                old: last.old + old, new: last.new + new, end: end, time: time)
        } else {
            done.append(Entry(old: old, new: new, end: end, time: time))
        }
    }

    mutating func step(_ direction: TextUndo.Direction, in text: [Letter]) -> Step? {
        while let entry = direction == .undo ? done.popLast() : undone.popLast() {
            let comes = Set(entry.new.map { latest($0.id) })
            let goes = Set(entry.old.map { latest($0.id) })
            var step = Step(direction: direction)
            step.removed = text.filter { comes.contains($0.id) && !$0.isDeleted }
            step.edit.deleted = Set(step.removed.map(\.id))
            var isParted = true
            for letter in text {
                if !letter.isDeleted { isParted = true }
                guard letter.isDeleted, goes.contains(letter.id) else { continue }
                if isParted { step.edit.pieces.append((letter.id, [])) }
                isParted = false
                // It stands after the last of those that stand together.
                step.edit.pieces[step.edit.pieces.count - 1].after = letter.id
                step.edit.pieces[step.edit.pieces.count - 1].text.append(letter.scalar)
                step.restored.append(letter.id)
            }
            if !step.removed.isEmpty || !step.restored.isEmpty { return step }
        }
        return nil
    }

    mutating func finish(_ step: Step, with new: [Letter]) {
        for (old, letter) in zip(step.restored, new) { newer[old] = letter.id }
        let entry = Entry(old: step.removed, new: new, end: -1, time: .min / 2)
        if step.direction == .undo { undone.append(entry) } else { done.append(entry) }
    }
}
