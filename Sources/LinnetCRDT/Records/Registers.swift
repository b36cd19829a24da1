import LinnetWire

/// The winning changes of a record's single values and groups, in two arrays however many they are.
struct Registers: Sendable {
    /// One change, and where its payload is.
    struct Entry: Sendable {
        let slot: FieldSlot
        var precedence: Precedence
        var payload: Range<Int>
    }

    /// Ascending by slot.
    private(set) var entries: [Entry] = []
    /// The payloads, and what longer ones left behind.
    private(set) var bytes: [UInt8] = []
    /// How many of the bytes belong to no entry.
    private var unused = 0

    /// How many bytes the payloads have.
    var payloadBytes: Int { bytes.count - unused }

    /// Makes room for as many more changes with as many bytes together.
    mutating func reserve(_ count: Int, bytes size: Int) {
        entries.reserveCapacity(entries.count + count)
        bytes.reserveCapacity(bytes.count + size)
    }

    /// Position of the first entry that is not before `slot`.
    func lowerBound(of slot: FieldSlot) -> Int {
        guard let last = entries.last, slot <= last.slot else { return entries.count }
        var low = 0
        var high = entries.count - 1
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].slot < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Position of the entry of `slot`; nil if there is none.
    func index(of slot: FieldSlot) -> Int? {
        let position = lowerBound(of: slot)
        return holds(slot, at: position) ? position : nil
    }

    /// Whether the entry at a position is that of `slot`.
    func holds(_ slot: FieldSlot, at position: Int) -> Bool {
        position < entries.count && entries[position].slot == slot
    }

    /// The change at a position.
    func state(at position: Int) -> FieldState {
        let entry = entries[position]
        return FieldState(
            generation: entry.precedence.generation, stamp: entry.precedence.stamp,
            position: entry.precedence.position, payload: Array(bytes[entry.payload]))
    }

    /// The payload at a position.
    func payload(at position: Int) -> ArraySlice<UInt8> { bytes[entries[position].payload] }

    /// Keeps a change of a slot that has none, at the position that ``lowerBound(of:)`` gives; its
    /// payload is a part of `source`.
    mutating func insert(
        _ precedence: Precedence, of slot: FieldSlot, at position: Int, payload: Range<Int>,
        of source: [UInt8]
    ) {
        let start = bytes.count
        bytes.append(contentsOf: source[payload])
        let entry = Entry(slot: slot, precedence: precedence, payload: start..<bytes.count)
        if position == entries.count {
            entries.append(entry)
        } else {
            entries.insert(entry, at: position)
        }
    }

    /// Keeps a change over the one at a position.
    mutating func replace(
        at position: Int, with precedence: Precedence, payload: Range<Int>, of source: [UInt8]
    ) {
        let old = entries[position].payload
        entries[position].precedence = precedence
        guard payload.count > old.count else {
            for offset in 0..<payload.count {
                bytes[old.lowerBound + offset] = source[payload.lowerBound + offset]
            }
            entries[position].payload = old.lowerBound..<old.lowerBound + payload.count
            return give(old.count - payload.count)
        }
        let start = bytes.count
        bytes.append(contentsOf: source[payload])
        entries[position].payload = start..<bytes.count
        give(old.count)
    }

    /// Forgets the change at a position.
    mutating func remove(at position: Int) {
        give(entries.remove(at: position).payload.count)
    }

    /// Counts bytes that nobody needs any more, and makes them go when they are the most.
    private mutating func give(_ count: Int) {
        unused += count
        if entries.isEmpty || (unused > 64 && unused > bytes.count / 2) { compact() }
    }

    private mutating func compact() {
        var kept: [UInt8] = []
        kept.reserveCapacity(payloadBytes)
        for index in entries.indices {
            let start = kept.count
            kept.append(contentsOf: bytes[entries[index].payload])
            entries[index].payload = start..<kept.count
        }
        bytes = kept
        unused = 0
    }
}

extension Registers: Equatable {
    /// Whether they hold the same changes, wherever their payloads lie.
    static func == (left: Registers, right: Registers) -> Bool {
        left.entries.count == right.entries.count
            && left.entries.indices.allSatisfy { index in
                let (mine, other) = (left.entries[index], right.entries[index])
                return mine.slot == other.slot && mine.precedence == other.precedence
                    && left.bytes[mine.payload] == right.bytes[other.payload]
            }
    }
}
