import LinnetWire

/// A record as the merge of all its ops.
///
/// The generation is a causal length (Deshpande et al., "Conflict-free replicated data types for
/// SQLite", cr-sqlite): 0 before the first op, odd while the record lives, even while it is
/// deleted; the largest one wins. A write in a new odd generation begins without what was there
/// before. A restore continues the generation before the delete, so that late changes of that one
/// count too. Ops of one chain come in ascending order; applying one again changes nothing.
package struct RecordState: Equatable, Sendable {
    /// The number of the collection.
    package let collection: UInt32
    /// The record.
    package let record: RecordID
    /// The causal length of creations and deletions.
    package internal(set) var generation: UInt32
    /// The generations that restores brought about, ascending.
    package internal(set) var restored: [UInt32]
    /// The knowledge of the deletes, while the generation is theirs.
    package internal(set) var deletion: Deletion?
    /// The last generation whose contents were set aside for their size; 0 for none. What is
    /// written in a life that began by then has no effect on this device.
    package internal(set) var setAsideUpTo: UInt32
    /// The states that the ops on every field merged into, those of earlier generations too.
    package internal(set) var contents: FieldContents

    /// Makes a record of which no op is known.
    package init(collection: UInt32, record: RecordID) {
        self.collection = collection
        self.record = record
        generation = 0
        restored = []
        deletion = nil
        setAsideUpTo = 0
        contents = FieldContents()
    }

    /// Makes room for `count` more registers, whose payloads have `bytes` bytes together.
    package mutating func reserve(registers count: Int, bytes: Int) {
        contents.reserve(registers: count, bytes: bytes)
    }

    /// The generation that a reader sees; nil when the record is not live.
    package var visibleGeneration: UInt32? {
        if !generation.isMultiple(of: 2) { return generation }
        return outlivesDeletion ? generation - 1 : nil
    }

    /// True when the record exists and is not deleted.
    package var isLive: Bool { visibleGeneration != nil }

    /// True when a write is known that the deletes had not seen; writes are counted only where
    /// updates win.
    private var outlivesDeletion: Bool {
        guard let deletion,
            case .writes(let writes)? = contents[
                FieldSlot(field: 0, beginning: beginning(of: generation - 1))]
        else { return false }
        return !deletion.context.covers(writes)
    }

    /// Returns the generation from which the record continues up to `generation` by restores alone.
    package func beginning(of generation: UInt32) -> UInt32 {
        guard !restored.isEmpty else { return generation }
        var beginning = generation
        while beginning > 2, restored.contains(beginning) { beginning -= 2 }
        return beginning
    }

    /// Returns the contents of one beginning, by field; those of the record as a whole are under 0.
    package func contents(
        beginning: UInt32
    ) -> [(field: UInt32, content: FieldContent)] {
        contents.compactMap { slot, content in
            slot.beginning == beginning ? (slot.field, content) : nil
        }
    }

    /// True when two different records of a log have this identifier.
    package var isCollision: Bool {
        if case .log(let log)? = content(of: 0) { log.isCollision } else { false }
    }

    /// The fields of the living record, ascending, without what belongs to the record as a whole.
    package var visibleContents: [(field: UInt32, content: FieldContent)] {
        guard let visible = visibleGeneration else { return [] }
        return contents(beginning: beginning(of: visible)).filter { $0.field != 0 }
    }

    /// The fields as they were when the record was deleted, with changes that came later; empty
    /// while it lives.
    package var deletedContents: [(field: UInt32, content: FieldContent)] {
        guard !isLive, generation > 1 else { return [] }
        return contents(beginning: beginning(of: generation - 1)).filter { $0.field != 0 }
    }

    /// Returns the content that a reader of the field sees; nil if there is none. Field 0 is a
    /// log's record.
    package func content(of field: UInt32) -> FieldContent? {
        guard let visible = visibleGeneration else { return nil }
        return contents[FieldSlot(field: field, beginning: beginning(of: visible))]
    }

    /// Returns the change that a reader of a single value, a group or a place sees; nil if there is
    /// none.
    package func visible(field: UInt32) -> FieldState? {
        if case .register(let state)? = content(of: field) { state } else { nil }
    }

    /// Returns the precedence of that change, without its payload.
    package func visiblePrecedence(field: UInt32) -> Precedence? {
        guard let visible = visibleGeneration else { return nil }
        return contents.precedence(
            of: FieldSlot(field: field, beginning: beginning(of: visible)))
    }

    /// The generation for a write: the living one, or the next one when the record is not live.
    package var writeGeneration: UInt32 { visibleGeneration ?? generation | 1 }

    /// The generation for a delete; nil when the record is not live or the numbers have run out.
    package var deleteGeneration: UInt32? {
        guard let visible = visibleGeneration, visible < .max else { return nil }
        return visible + 1
    }

    /// The generation for a restore; nil unless the record is deleted and the numbers suffice.
    package var restoreGeneration: UInt32? {
        !isLive && generation > 1 && generation < .max - 1 ? generation + 1 : nil
    }

    @discardableResult
    mutating func raise(to other: UInt32) -> Bool {
        guard other > generation else { return false }
        generation = other
        deletion = nil
        return true
    }

    /// Keeps a delete while the record is in the generation that the delete moved it to.
    mutating func note(_ new: Deletion, of generation: UInt32) {
        guard generation == self.generation, generation.isMultiple(of: 2) else { return }
        deletion?.merge(new)
        if deletion == nil { deletion = new }
    }

    /// Joins a generation to the one before the delete; false if the two were joined already.
    @discardableResult
    mutating func restore(_ generation: UInt32) -> Bool {
        raise(to: generation)
        guard !restored.contains(generation) else { return false }
        let earlier = beginning(of: generation - 2)
        restored.append(generation)
        restored.sort()
        for (slot, content) in contents where slot.beginning == generation {
            let home = FieldSlot(field: slot.field, beginning: earlier)
            contents[slot] = nil
            if var there = contents[home] {
                there.adopt(content)
                contents[home] = there
            } else {
                contents[home] = content
            }
        }
        return true
    }
}
