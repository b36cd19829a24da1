import LinnetWire

/// The contents of a record's fields by slot: single values and groups flat, since most fields are
/// such, and every other kind for itself.
package struct FieldContents: Equatable, Sendable {
    private(set) var registers = Registers()
    /// None of them a register, and no slot that the registers have.
    private var others = OrderedTable<FieldSlot, FieldContent>()

    /// No content.
    init() {}

    /// How many slots have content.
    package var count: Int { registers.entries.count + others.count }

    /// Whether every content is a single value or a group.
    var areRegisters: Bool { others.isEmpty }

    /// How much memory the contents take, about, in bytes.
    var footprint: Int {
        others.values.reduce(112 * registers.entries.count + registers.payloadBytes) {
            $0 + 112 + $1.footprint
        }
    }

    /// Makes room for as many more single values and groups with as many bytes together.
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

    /// Takes the content of a slot out.
    mutating func removeValue(forKey slot: FieldSlot) -> FieldContent? {
        if let place = registers.index(of: slot) {
            defer { registers.remove(at: place) }
            return .register(registers.state(at: place))
        }
        return others.removeValue(forKey: slot)
    }

    /// The slots, ascending.
    package var keys: [FieldSlot] { map(\.key) }

    /// Whether a slot holds something other than a single value or a group.
    func holdsOther(_ slot: FieldSlot) -> Bool {
        !others.isEmpty && others.index(of: slot) != nil
    }

    /// What the change of a single value or a group wins by; nil where there is none.
    func precedence(of slot: FieldSlot) -> Precedence? {
        registers.index(of: slot).map { registers.entries[$0].precedence }
    }

    /// Merges a change of a single value or a group, of which the slot holds nothing else; true if
    /// it wins. Its payload is a part of `source`.
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
    /// Walks over the contents in the order of their slots.
    package struct Iterator: IteratorProtocol {
        private let contents: FieldContents
        private var register = 0
        private var other = 0

        init(_ contents: FieldContents) { self.contents = contents }

        /// The next content and its slot.
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
