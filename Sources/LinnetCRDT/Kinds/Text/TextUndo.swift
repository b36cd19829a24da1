import LinnetWire

/// The edits that one editor can take back, and those that it took back.
///
/// Taking back deletes what was inserted, as far as it is there still, and inserts again what was
/// deleted, where it stood; what others wrote stays. What is inserted again has new names, under
/// which older edits find it.
package struct TextUndo: Sendable {
    /// The outcome of an edit: what came, and what went.
    package struct Effect: Sendable {
        var inserted = TextOutline()
        var deleted = TextOutline()
        /// The scalars that went.
        var text: [Unicode.Scalar] = []

        var isEmpty: Bool { inserted.count == 0 && deleted.count == 0 }
    }

    private struct Entry {
        var effects: [Effect]
        /// The place at which the last of its edits ended, in scalars, and its time, in
        /// milliseconds.
        var end: Int
        var time: Int64
    }

    /// The direction of a step.
    package enum Direction: Sendable {
        /// Takes an edit back.
        case undo
        /// Makes an edit again that was taken back.
        case redo
    }

    /// The most steps that can be taken back.
    package static let limit = 200
    /// The longest time between two edits of one step, in milliseconds.
    package static let pause: Int64 = 500

    private var done: [Entry] = []
    private var undone: [Entry] = []
    /// The names under which scalars stand that were deleted and inserted again.
    private var names: OrderedTable<TextID, TextID> = OrderedTable()

    /// Begins without any.
    package init() {}

    /// True when there is something to take back.
    package var canUndo: Bool { !done.isEmpty }
    /// True when something that was taken back can be made again.
    package var canRedo: Bool { !undone.isEmpty }

    /// Notes an edit, which changed scalars at an offset. Typing on, or deleting on, is one step
    /// until there is a pause.
    package mutating func note(_ effect: Effect, at offset: Int, time: Int64) {
        guard !effect.isEmpty else { return }
        undone = []
        let end = offset + effect.inserted.count
        if let last = done.last, let before = last.effects.last,
            (0...Self.pause).contains(time - last.time), effect.continues(before),
            offset == last.end || offset + effect.deleted.count == last.end
        {
            done[done.count - 1].effects.append(effect)
            done[done.count - 1].end = end
            done[done.count - 1].time = time
            return
        }
        done.append(Entry(effects: [effect], end: end, time: time))
        if done.count > Self.limit { done.removeFirst() }
        if done.count == 1 { names = OrderedTable() }
    }

    /// Returns the edit that makes the next step, and takes it out; nil when there is none that
    /// would change anything. Give what it did to `finish`.
    package mutating func step(
        _ direction: Direction, in document: TextDocument
    ) -> TextUndoStep? {
        while let entry = direction == .undo ? done.popLast() : undone.popLast() {
            var step = TextUndoStep(direction)
            for effect in entry.effects.reversed() {
                step.add(taking: effect, names, document.tree)
            }
            step.place(in: document.tree)
            if !step.splice.isEmpty { return step }
        }
        return nil
    }

    /// Notes a step that was carried out and changed one text into another.
    package mutating func finish(
        _ step: TextUndoStep, from before: TextNames, to after: TextDocument
    ) {
        let added = before.additions(in: after)
        let old = step.restored.runs.flatMap { run in (0..<run.count).map(run.id) }
        let new = added.runs.flatMap { run in (0..<run.count).map(run.id) }
        if old.count == new.count {
            for (old, new) in zip(old, new) { names[old] = new }
        }
        let effect = Effect(inserted: added, deleted: step.removed, text: step.removedText)
        let entry = Entry(effects: [effect], end: -1, time: .min / 2)
        if step.direction == .undo { undone.append(entry) } else { done.append(entry) }
    }
}

extension TextUndo.Effect {
    /// Returns true when both only insert, or both only delete.
    fileprivate func continues(_ other: TextUndo.Effect) -> Bool {
        (inserted.count == 0) == (other.inserted.count == 0)
            && (deleted.count == 0) == (other.deleted.count == 0)
            && (inserted.count == 0 || deleted.count == 0)
    }
}
