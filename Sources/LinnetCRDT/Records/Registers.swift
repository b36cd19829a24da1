import LinnetWire

/// The winning changes of a record's single values, groups and places, in two arrays however many
/// there are.
struct Registers: Sendable {
    /// One change, with the place of its payload.
    struct Entry: Sendable {
        let slot: FieldSlot
        var precedence: Precedence
        var payload: Range<Int>
    }

    /// The changes, ascending by slot.
    private(set) var entries: [Entry] = []
    /// The payloads, and bytes that earlier ones left behind.
    private(set) var bytes: [UInt8] = []
    /// The number of bytes that belong to no entry.
    private var unused = 0

    /// The number of bytes that the payloads have.
    var payloadBytes: Int { bytes.count - unused }

    /// The memory that the payloads take, in bytes.
    var payloadMemory: Int { bytes.capacity }

    /// Makes room for `count` more changes, whose payloads have `size` bytes together.
    mutating func reserve(_ count: Int, bytes size: Int) {
        entries.reserveCapacity(entries.count + count)
        bytes.reserveCapacity(bytes.count + size)
    }

    /// Returns the index of the first entry that is not before `slot`.
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

    /// Returns the index of the entry of `slot`; nil if there is none.
    func index(of slot: FieldSlot) -> Int? {
        let position = lowerBound(of: slot)
        return holds(slot, at: position) ? position : nil
    }

    /// Returns true when the entry at an index is that of `slot`.
    func holds(_ slot: FieldSlot, at position: Int) -> Bool {
        position < entries.count && entries[position].slot == slot
    }

    /// Returns the change at an index.
    func state(at position: Int) -> FieldState {
        let entry = entries[position]
        return FieldState(
            generation: entry.precedence.generation, stamp: entry.precedence.stamp,
            position: entry.precedence.position, payload: Array(bytes[entry.payload]))
    }

    /// Returns the payload at an index.
    func payload(at position: Int) -> ArraySlice<UInt8> { bytes[entries[position].payload] }

    /// The slots of either whose changes are not the same in both, ascending.
    func slotsDiffering(from other: Registers) -> [FieldSlot] {
        if Self.isSameCopy(self, other) { return [] }
        var slots: [FieldSlot] = []
        var (mine, theirs) = (0, 0)
        while mine < entries.count || theirs < other.entries.count {
            if theirs == other.entries.count
                || mine < entries.count && entries[mine].slot < other.entries[theirs].slot
            {
                slots.append(entries[mine].slot)
                mine += 1
            } else if mine == entries.count || other.entries[theirs].slot < entries[mine].slot {
                slots.append(other.entries[theirs].slot)
                theirs += 1
            } else {
                if !holdsSame(at: mine, as: other, at: theirs) { slots.append(entries[mine].slot) }
                (mine, theirs) = (mine + 1, theirs + 1)
            }
        }
        return slots
    }

    private func holdsSame(at place: Int, as other: Registers, at there: Int) -> Bool {
        entries[place].precedence == other.entries[there].precedence
            && bytes[entries[place].payload] == other.bytes[other.entries[there].payload]
    }

    /// Keeps a change of a slot that has none, at the index that ``lowerBound(of:)`` gives. The
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

    /// Keeps a change in place of the one at an index. The payload is a part of `source`.
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

    /// Forgets the change at an index.
    mutating func remove(at position: Int) {
        give(entries.remove(at: position).payload.count)
    }

    /// Counts bytes that are no longer needed, and drops them when they are more than half of all.
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
    /// Returns true when both hold the same changes, wherever their payloads lie.
    static func == (left: Registers, right: Registers) -> Bool {
        guard left.entries.count == right.entries.count else { return false }
        if isSameCopy(left, right) { return true }
        return left.entries.indices.allSatisfy { index in
            left.entries[index].slot == right.entries[index].slot
                && left.holdsSame(at: index, as: right, at: index)
        }
    }

    /// Returns true when both are copies of one value that neither changed since: no payload
    /// changes but together with its entry.
    private static func isSameCopy(_ left: Registers, _ right: Registers) -> Bool {
        unsafe left.entries.withUnsafeBufferPointer { mine in
            unsafe right.entries.withUnsafeBufferPointer { other in
                unsafe mine.baseAddress == other.baseAddress
            }
        }
    }
}
