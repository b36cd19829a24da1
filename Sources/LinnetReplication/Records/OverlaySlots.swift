import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The slots of an overlay: an open hash table over an arena. It is walked in key order only, so
/// that the places, which depend on a seed, never show.
struct OverlaySlots {
    struct Slot {
        let key: OverlayKey
        let record: RecordID
        /// Nil while the record is being changed, and in a free slot.
        var state: RecordState?
        /// The number of the record's row; nil when it has none.
        var row: Int64?
        var weight = 0
        /// The bytes that were merged into it since it was measured.
        var growth = 0
        var isHeld = true
        /// False while the state holds only what was merged since the row, which was not read yet.
        var isWhole = true
        var isDirty = false
        /// The call in which it changed last.
        var changedIn: UInt64 = 0
        var wasUsed = true
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// The slots by hash, -1 where there is none; their number is a power of two, and at most half
    /// are taken.
    private var places = [Int32](repeating: -1, count: 64)

    /// The number of slots that hold a record.
    var count: Int { slots.count - free.count }
    /// The slot after the last one, whether they hold records or not.
    var end: Int { slots.count }

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        _modify { yield &slots[slot] }
    }

    /// Returns the slot of a record; nil when there is none.
    func find(_ key: OverlayKey, _ record: RecordID) -> Int? {
        var place = Int(truncatingIfNeeded: key.hash) & (places.count - 1)
        while places[place] >= 0 {
            let slot = Int(places[place])
            if slots[slot].key == key, key.isWhole || slots[slot].record == record { return slot }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Makes a slot for a record that has none.
    mutating func add(_ key: OverlayKey, _ record: RecordID) -> Int {
        let added = Slot(key: key, record: record)
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot] = added
        } else {
            slot = slots.count
            slots.append(added)
        }
        if 2 * count > places.count { grow() } else { enter(slot) }
        return slot
    }

    private mutating func enter(_ slot: Int) {
        var place = Int(truncatingIfNeeded: slots[slot].key.hash) & (places.count - 1)
        while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(slot)
    }

    private mutating func grow() {
        places = [Int32](repeating: -1, count: 2 * places.count)
        for slot in slots.indices where slots[slot].isHeld { enter(slot) }
    }

    /// Frees a slot.
    mutating func remove(_ slot: Int) {
        slots[slot].state = nil
        slots[slot].isHeld = false
        free.append(slot)
        let mask = places.count - 1
        var hole = Int(truncatingIfNeeded: slots[slot].key.hash) & mask
        while places[hole] != Int32(slot) { hole = (hole + 1) & mask }
        // Entries that follow in the same run move up when they may stand that far ahead.
        var next = hole
        while true {
            next = (next + 1) & mask
            guard places[next] >= 0 else { break }
            let home = Int(truncatingIfNeeded: slots[Int(places[next])].key.hash) & mask
            if (next - home) & mask >= (next - hole) & mask {
                places[hole] = places[next]
                hole = next
            }
        }
        places[hole] = -1
    }

    /// Returns slots in the order of their records; long identifiers are compared only when they
    /// begin alike.
    func sorted(_ unordered: [Int]) -> [Int] {
        var entries = unordered.map { (key: slots[$0].key, slot: $0) }
        entries.sort { left, right in
            if left.key.collection != right.key.collection {
                return left.key.collection < right.key.collection
            }
            if left.key.first != right.key.first { return left.key.first < right.key.first }
            if left.key.second != right.key.second { return left.key.second < right.key.second }
            return slots[left.slot].record < slots[right.slot].record
        }
        return entries.map(\.slot)
    }
}
