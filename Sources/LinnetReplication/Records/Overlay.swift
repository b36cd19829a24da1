import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The decoded records in front of their rows: those that changed since their row was written, and
/// those used lately. Of a record that changed without being read it holds only the changes.
///
/// It is an open hash table over an arena. It is walked in key order only, so that the places,
/// which depend on a seed, never show.
struct Overlay {
    private struct Slot {
        let key: OverlayKey
        let record: RecordID
        /// Nil while the record is being changed, and in a free slot.
        var state: RecordState?
        /// The number of the record's row; nil when it has none.
        var row: Int64?
        var weight = 0
        var isHeld = true
        /// False while the state holds only what was merged since the row, which was not read yet.
        var isWhole = true
        var isDirty = false
        /// The call in which it changed last.
        var changedIn: UInt64 = 0
        var wasUsed = true
    }

    /// The bytes that a record counts for beside its changes while its row was not read.
    private static let unreadWeight = 512
    private let seed: UInt64
    private var slots: [Slot] = []
    private var free: [Int] = []
    /// The slots by hash, -1 where there is none; their number is a power of two, and at most half
    /// are taken.
    private var places = [Int32](repeating: -1, count: 64)
    /// The slots that changed since the running fold began, or since the last one when none runs.
    private var fresh: [Int] = []
    /// The slots that the running fold has yet to write, the last one first.
    private var due: [Int] = []
    private var hand = 0
    /// The number of the replica's call, so that each call names a record once.
    private var call: UInt64 = 1
    /// The memory of the records that equal their rows, in bytes, approximately.
    private(set) var cleanWeight = 0
    /// The memory of the records that differ from their rows, in bytes, approximately.
    private(set) var dirtyWeight = 0
    /// The records that may have rows; nil when that is not known.
    private var filter: RowFilter?

    /// Makes an empty overlay; `seed` keeps those who choose identifiers from choosing places.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// The number of records that it holds.
    var count: Int { slots.count - free.count }
    /// The number of records that differ from their rows.
    var dirtyCount: Int { fresh.count + due.count }
    /// True when the running fold has written all that it is to write.
    var isFoldDone: Bool { due.isEmpty }

    /// A record, or only the changes that were merged since its row was written.
    struct Held: Equatable {
        let state: RecordState
        /// True when the state is all of the record; else its row has the rest.
        let isWhole: Bool

        /// Returns the whole record, given the row that a fold wrote last; nil stands for no row.
        func whole(over row: RecordState?) -> RecordState {
            guard !isWhole, var whole = row else { return state }
            whole.merge(unread: state)
            return whole
        }
    }

    /// Returns what is held of a record; nil when only its row tells.
    func held(_ key: RecordKey) -> Held? {
        find(OverlayKey(key, seed: seed), key.record).flatMap(held)
    }

    /// Returns true when a fold is to write the record's row.
    func isDirty(_ key: RecordKey) -> Bool {
        find(place(of: key), key.record).map { slots[$0].isDirty } ?? false
    }

    private func held(_ slot: Int) -> Held? {
        slots[slot].state.map { Held(state: $0, isWhole: slots[slot].isWhole) }
    }

    /// The slot to which a record that was taken out goes back.
    struct Claim {
        fileprivate let slot: Int
    }

    /// Returns the place at which to look for a record.
    func place(of key: RecordKey) -> OverlayKey { OverlayKey(key, seed: seed) }

    /// Notes that from now on only the records that are named here or are written have rows.
    mutating func know(rowsOf records: [RecordKey]) {
        var filter = RowFilter()
        for key in records { filter.insert(place(of: key).hash) }
        self.filter = filter
    }

    /// Returns true when a record may have a row, and when that is not known.
    func mayHaveRow(_ place: OverlayKey) -> Bool { filter?.mayHold(place.hash) ?? true }

    /// Returns the slot of a record; nil when only its row tells.
    func claim(_ place: OverlayKey, _ record: RecordID) -> Claim? {
        find(place, record).map(Claim.init)
    }

    /// Returns true when all of a record is held.
    func isWhole(_ claim: Claim) -> Bool { slots[claim.slot].isWhole }

    /// Joins the changes of a record, which is taken out, with its row; nil stands for no row.
    mutating func complete(_ state: inout RecordState, at claim: Claim, with stored: KeptRecord?)
    {
        slots[claim.slot].isWhole = true
        guard let stored else { return }
        slots[claim.slot].row = stored.row
        state = Held(state: state, isWhole: false).whole(over: stored.state)
    }

    /// Takes a record out to be changed; `put` brings it back before anything else is done.
    mutating func take(_ claim: Claim) -> RecordState {
        slots[claim.slot].wasUsed = true
        guard let state = slots[claim.slot].state.take() else {
            preconditionFailure("a record was taken out twice")
        }
        return state
    }

    /// Makes a slot for a record that has none and is about to be changed; `put` fills it.
    ///
    /// With `unread` the record may have a row that nobody has read, and its state begins empty.
    mutating func reserve(
        _ place: OverlayKey, _ record: RecordID, row: Int64?, unread: Bool = false
    ) -> Claim {
        let slot = add(place, record)
        slots[slot].row = row
        slots[slot].isWhole = !unread
        return Claim(slot: slot)
    }

    /// Puts a record back. A fold writes one that changed, and nothing is kept of one that was
    /// never written. Returns true for the first change of a record in a call.
    mutating func put(
        _ state: consuming RecordState, at claim: Claim, isChanged: Bool
    ) -> Bool {
        let slot = claim.slot
        guard state.generation > 0 else {
            remove(slot)
            return false
        }
        if slots[slot].weight == 0 {
            slots[slot].weight = state.footprint
            // Their slots are small, but those of many of them are not.
            if !slots[slot].isWhole { slots[slot].weight += Self.unreadWeight }
            cleanWeight += slots[slot].weight
        }
        slots[slot].state = state
        guard isChanged else { return false }
        defer { slots[slot].changedIn = call }
        let isNews = slots[slot].changedIn != call
        guard !slots[slot].isDirty else { return isNews }
        slots[slot].isDirty = true
        cleanWeight -= slots[slot].weight
        dirtyWeight += slots[slot].weight
        fresh.append(slot)
        return isNews
    }

    /// Begins another call of the replica.
    mutating func beginCall() { call += 1 }

    /// Begins a fold: the records that differ from their rows now are due, in key order.
    mutating func beginFold() {
        precondition(due.isEmpty, "a fold was begun inside another")
        due = sorted(fresh)
        due.reverse()
        fresh.removeAll(keepingCapacity: true)
    }

    /// Returns the next record that the running fold writes, which `wrote` follows; nil when it has
    /// written all.
    mutating func nextDue() -> (slot: Int, held: Held, row: Int64?)? {
        guard let slot = due.popLast(), let held = held(slot) else { return nil }
        return (slot, held, slots[slot].row)
    }

    /// Remembers that a record which `nextDue` gave out was written to a row.
    mutating func wrote(_ slot: Int, _ state: RecordState, row: Int64) {
        if slots[slot].row == nil { filter?.insert(slots[slot].key.hash) }
        dirtyWeight -= slots[slot].weight
        slots[slot].weight = state.footprint
        cleanWeight += slots[slot].weight
        slots[slot].isDirty = false
        slots[slot].row = row
        guard !slots[slot].isWhole else { return }
        slots[slot].isWhole = true
        slots[slot].state = state
    }

    /// Returns the records of a collection, or of all, that differ from their rows, in key order.
    func changed(in collection: UInt32?) -> [Held] {
        let wanted = (fresh + due).filter {
            slots[$0].key.collection == collection ?? slots[$0].key.collection
        }
        return sorted(wanted).compactMap(held)
    }

    /// Lets go of records that equal their rows until such records take at most `limit` bytes.
    mutating func trim(to limit: Int) {
        while cleanWeight > limit {
            hand = hand + 1 < slots.count ? hand + 1 : 0
            guard slots[hand].isHeld, !slots[hand].isDirty else { continue }
            if slots[hand].wasUsed {
                slots[hand].wasUsed = false
            } else {
                remove(hand)
            }
        }
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = Overlay(seed: seed)
    }

    private func find(_ key: OverlayKey, _ record: RecordID) -> Int? {
        var place = Int(truncatingIfNeeded: key.hash) & (places.count - 1)
        while places[place] >= 0 {
            let slot = Int(places[place])
            if slots[slot].key == key, key.isWhole || slots[slot].record == record { return slot }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private mutating func add(_ key: OverlayKey, _ record: RecordID) -> Int {
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

    private mutating func remove(_ slot: Int) {
        cleanWeight -= slots[slot].weight
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
    private func sorted(_ unordered: [Int]) -> [Int] {
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

/// The key of a record in fixed width: of its identifier the length and the first sixteen bytes.
struct OverlayKey: Equatable {
    fileprivate let collection: UInt32
    fileprivate let length: UInt32
    fileprivate let first: UInt64
    fileprivate let second: UInt64
    fileprivate let hash: UInt64

    /// Compares the hash first, since two keys that differ nearly always differ in it.
    @inline(__always)
    static func == (left: OverlayKey, right: OverlayKey) -> Bool {
        left.hash == right.hash && left.first == right.first && left.second == right.second
            && left.length == right.length && left.collection == right.collection
    }

    /// True when nothing of the identifier is left out.
    fileprivate var isWhole: Bool { length <= 16 }

    fileprivate init(_ key: RecordKey, seed: UInt64) {
        let bytes = key.record.utf8
        collection = key.collection
        length = UInt32(bytes.count)
        var words = (UInt64(0), UInt64(0))
        for index in 0..<min(bytes.count, 8) {
            words.0 |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
        }
        for index in 8..<max(8, min(bytes.count, 16)) {
            words.1 |= UInt64(bytes[index]) << UInt64(120 - 8 * index)
        }
        (first, second) = words
        var mixed = Self.mix(words.0 ^ seed, words.1 ^ UInt64(collection))
        var rest: UInt64 = 0
        for index in 16..<max(16, bytes.count) {
            rest = rest << 8 | UInt64(bytes[index])
            if index % 8 == 7 || index == bytes.count - 1 {
                mixed = Self.mix(mixed ^ rest, seed)
                rest = 0
            }
        }
        hash = mixed
    }

    /// Returns a 64 by 64 bit product folded into 64 bits, as wyhash has it.
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(
            by: right ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }
}
