import LinnetWire

/// The contents of a record's fields by slot. Single values, groups and places lie flat, since most
/// fields are such, and every content of another kind stands for itself.
package struct FieldContents: Equatable, Sendable {
    private(set) var registers = Registers()
    /// The contents that are no registers, none in a slot that the registers have.
    private var others = OrderedTable<FieldSlot, FieldContent>()

    /// Makes the contents of a record without fields.
    init() {}

    /// The number of slots that have content.
    package var count: Int { registers.entries.count + others.count }

    /// True when every content is a single value, a group or a place.
    var areRegisters: Bool { others.isEmpty }

    /// The memory that the contents take, in bytes, approximately.
    var footprint: Int {
        others.values.reduce(112 * registers.entries.count + registers.payloadMemory) {
            $0 + 112 + $1.footprint
        }
    }

    /// The bytes of the contents in a row, or more; nil where only writing them tells.
    var rowBytesAtMost: Int? {
        var bytes = 128 * registers.entries.count + registers.payloadBytes
        for content in others.values {
            guard let more = content.rowBytesAtMost else { return nil }
            bytes += 32 + more
        }
        return bytes
    }

    /// The text that takes the most memory, and its slot; nil when there is none.
    var largestText: (slot: FieldSlot, text: TextDocument)? {
        var largest: (slot: FieldSlot, text: TextDocument)?
        for (slot, content) in others {
            guard case .text(let text) = content, text.memory > largest?.text.memory ?? 0
            else { continue }
            largest = (slot, text)
        }
        return largest
    }

    /// Makes room for `count` more registers, whose payloads have `bytes` bytes together.
    mutating func reserve(registers count: Int, bytes: Int) {
        registers.reserve(count, bytes: bytes)
    }

    /// The content of a slot; assigning nil removes it.
    package internal(set) subscript(slot: FieldSlot) -> FieldContent? {
        get {
            if let place = registers.index(of: slot) {
                return .register(registers.state(at: place))
            }
            return others.isEmpty ? nil : others[slot]
        }
        set {
            guard case .register(let state)? = newValue else {
                if let place = registers.index(of: slot) { registers.remove(at: place) }
                if newValue != nil || !others.isEmpty { others[slot] = newValue }
                return
            }
            if !others.isEmpty { others[slot] = nil }
            let place = registers.lowerBound(of: slot)
            let (payload, precedence) = (state.payload, state.precedence)
            if registers.holds(slot, at: place) {
                registers.replace(
                    at: place, with: precedence, payload: payload.indices, of: payload)
            } else {
                registers.insert(
                    precedence, of: slot, at: place, payload: payload.indices, of: payload)
            }
        }
    }

    /// Takes out the content of a slot and returns it.
    mutating func removeValue(forKey slot: FieldSlot) -> FieldContent? {
        if let place = registers.index(of: slot) {
            defer { registers.remove(at: place) }
            return .register(registers.state(at: place))
        }
        return others.removeValue(forKey: slot)
    }

    /// The slots, ascending.
    package var keys: [FieldSlot] { map(\.key) }

    /// Returns true when a slot holds a content other than a single value, a group or a place.
    func holdsOther(_ slot: FieldSlot) -> Bool {
        !others.isEmpty && others.index(of: slot) != nil
    }

    /// The slots whose contents are not the same as in others, nil for none; ascending, each with
    /// what was there and what is here.
    package func changes(
        since others: FieldContents?
    ) -> [(slot: FieldSlot, before: FieldContent?, after: FieldContent?)] {
        let before = others ?? FieldContents()
        var slots = registers.slotsDiffering(from: before.registers)
        if !self.others.isEmpty || !before.others.isEmpty {
            let known = OrderedSet(slots)
            for slot in OrderedSet(self.others.keys + before.others.keys)
            where !known.contains(slot) && self[slot] != before[slot] {
                slots.append(slot)
            }
            slots.sort()
        }
        return slots.map { ($0, before[$0], self[$0]) }
    }

    /// Returns the precedence of a slot's single value, group or place; nil where there is none.
    func precedence(of slot: FieldSlot) -> Precedence? {
        registers.index(of: slot).map { registers.entries[$0].precedence }
    }

    /// Merges a change of a single value, a group or a place; true if it wins. The slot holds
    /// nothing of another kind. The payload is a part of `source`.
    mutating func merge(
        _ precedence: Precedence, of slot: FieldSlot, payload: Range<Int>, of source: [UInt8]
    ) -> Bool {
        let place = registers.lowerBound(of: slot)
        guard registers.holds(slot, at: place) else {
            registers.insert(precedence, of: slot, at: place, payload: payload, of: source)
            return true
        }
        guard precedence.wins(over: registers.entries[place].precedence) else { return false }
        registers.replace(at: place, with: precedence, payload: payload, of: source)
        return true
    }
}

extension FieldContents: Sequence {
    /// A walk over the contents in the order of their slots.
    package struct Iterator: IteratorProtocol {
        private let contents: FieldContents
        private var register = 0
        private var other = 0

        init(_ contents: FieldContents) { self.contents = contents }

        /// Returns the next content and its slot; nil at the end.
        package mutating func next() -> (key: FieldSlot, value: FieldContent)? {
            let entries = contents.registers.entries
            let rest = contents.others.entry(at: other)
            if register < entries.count, rest.map({ entries[register].slot < $0.key }) ?? true {
                defer { register += 1 }
                return (entries[register].slot, .register(contents.registers.state(at: register)))
            }
            other += 1
            return rest
        }
    }

    /// Begins with the first slot.
    package func makeIterator() -> Iterator { Iterator(self) }
}
