import LinnetCRDT
import LinnetStorage

/// The decoded records in front of their rows: those that changed since their row was written, and
/// those used lately. Of a record that changed without being read it holds only the changes.
///
/// The records lie in slots; a queue says which of them a fold is to write, and a measure how much
/// memory they take.
struct Overlay {
    /// The bytes that a record counts for beside its changes while its row was not read.
    private static let unreadWeight = 512
    private let seed: UInt64
    private var slots = OverlaySlots()
    private var queue = FoldQueue()
    private var weight = OverlayWeight()
    /// The slot that was looked at last to make room.
    private var hand = 0
    /// The number of the replica's call, so that each call names a record once.
    private(set) var call: UInt64 = 1
    /// The records that may have rows; nil when that is not known.
    private var filter: RowFilter?

    /// Makes an empty overlay; `seed` keeps those who choose identifiers from choosing places.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// The number of records that it holds.
    var count: Int { slots.count }
    /// The number of records that differ from their rows.
    var dirtyCount: Int { queue.count }
    /// The number of records that the running fold has yet to write.
    var dueCount: Int { queue.due.count }
    /// The memory of the record that the running fold writes next, in bytes, approximately.
    var nextDueWeight: Int { queue.due.last.map { slots[$0].weight } ?? 0 }
    /// True when the running fold has written all that it is to write.
    var isFoldDone: Bool { queue.due.isEmpty }
    /// The memory of the records that equal their rows, in bytes, approximately.
    var cleanWeight: Int { weight.clean }
    /// The memory of the records that differ from their rows, in bytes, approximately.
    var dirtyWeight: Int { weight.dirty }

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
        slots.find(place(of: key), key.record).flatMap(held)
    }

    /// Returns true when a fold is to write the record's row.
    func isDirty(_ key: RecordKey) -> Bool {
        slots.find(place(of: key), key.record).map { slots[$0].isDirty } ?? false
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
        slots.find(place, record).map(Claim.init)
    }

    /// Returns true when all of a record is held.
    func isWhole(_ claim: Claim) -> Bool { slots[claim.slot].isWhole }

    /// Joins the changes of a record, which is taken out, with its row; nil stands for no row.
    mutating func complete(_ state: inout RecordState, at claim: Claim, with stored: KeptRecord?) {
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
        let slot = slots.add(place, record)
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
            weight.add(slots[slot].weight)
        }
        slots[slot].state = state
        guard isChanged else { return false }
        defer { slots[slot].changedIn = call }
        let isNews = slots[slot].changedIn != call
        guard !slots[slot].isDirty else { return isNews }
        slots[slot].isDirty = true
        weight.changed(slots[slot].weight)
        queue.add(slot)
        return isNews
    }

    /// Counts the bytes that were merged into a record, which is taken out, and measures it now and
    /// then; true when it was set aside for its size.
    mutating func limit(
        _ state: inout RecordState, at claim: Claim, after bytes: Int, _ policy: FoldPolicy
    ) -> Bool {
        slots[claim.slot].growth += bytes
        // Nobody knows how much of a large one that was just read came since it was measured.
        let isUnknown = slots[claim.slot].weight == 0 && state.footprint > policy.largestRow / 2
        guard isUnknown || slots[claim.slot].growth >= policy.growthMeasured else { return false }
        slots[claim.slot].growth = 0
        let isSetAside = policy.setAside(&state)
        measured(claim, state.footprint)
        return isSetAside
    }

    /// Notes the memory that a record takes, which is taken out.
    private mutating func measured(_ claim: Claim, _ footprint: Int) {
        let slot = claim.slot
        guard slots[slot].weight > 0 else { return }
        weight.measured(slots[slot].weight, footprint, isDirty: slots[slot].isDirty)
        slots[slot].weight = footprint
    }

    /// Begins another call of the replica.
    mutating func beginCall() { call += 1 }

    /// Begins a fold: the records that differ from their rows now are due, in key order.
    mutating func beginFold() { queue.begin(slots.sorted) }

    /// Returns the next record that the running fold writes, which `wrote` follows; nil when it has
    /// written all.
    mutating func nextDue() -> (slot: Int, held: Held, row: Int64?)? {
        guard let slot = queue.next(), let held = held(slot) else { return nil }
        return (slot, held, slots[slot].row)
    }

    /// Returns the record that the running fold writes next.
    var due: (slot: Int, held: Held, row: Int64?)? {
        guard let slot = queue.due.last, let held = held(slot) else { return nil }
        return (slot, held, slots[slot].row)
    }

    /// Remembers that the record that was due was written as it was in `call`; what changed since,
    /// or in that call, is for the next fold.
    mutating func wroteDue(asIn call: UInt64, row: Int64) {
        guard let slot = queue.next(), let state = slots[slot].state else { return }
        guard slots[slot].changedIn >= call else { return wrote(slot, state, row: row) }
        if slots[slot].row == nil { filter?.insert(slots[slot].key.hash) }
        slots[slot].row = row
        queue.add(slot)
    }

    /// Remembers that a record which `nextDue` gave out was written to a row.
    mutating func wrote(_ slot: Int, _ state: RecordState, row: Int64, isSetAside: Bool = false) {
        if slots[slot].row == nil { filter?.insert(slots[slot].key.hash) }
        let footprint = state.footprint
        weight.wrote(slots[slot].weight, footprint)
        slots[slot].weight = footprint
        slots[slot].isDirty = false
        slots[slot].row = row
        guard isSetAside || !slots[slot].isWhole else { return }
        slots[slot].isWhole = true
        slots[slot].state = state
    }

    /// An overlay that holds nothing, and has the same places.
    var emptied: Overlay { Overlay(seed: seed) }

    /// Keeps a record as its row has it; the state of one that has no row is empty.
    mutating func keep(rowOf state: RecordState) {
        let slot = slots.add(place(of: RecordKey(state)), state.record)
        slots[slot].state = state
        slots[slot].weight = state.footprint + Self.unreadWeight
        weight.add(slots[slot].weight)
    }

    /// Returns those records alone that differ from their rows, for somebody who goes on to read
    /// them as they are now.
    func changedAlone() -> Overlay {
        var copy = Overlay(seed: seed)
        for slot in queue.fresh + queue.due where slots[slot].state != nil {
            let added = copy.slots.add(slots[slot].key, slots[slot].record)
            copy.slots[added] = slots[slot]
            copy.weight.add(slots[slot].weight)
            copy.weight.changed(slots[slot].weight)
            copy.queue.add(added)
        }
        return copy
    }

    /// Returns the records of a collection, or of all, that differ from their rows, in key order;
    /// of a collection those alone that follow `after`.
    func changed(in collection: UInt32?, after: RecordID? = nil) -> [Held] {
        let all = queue.fresh + queue.due
        let wanted = all.filter { slot in
            slots[slot].key.collection == collection ?? slots[slot].key.collection
                && after.map { $0 < slots[slot].record } ?? true
        }
        return slots.sorted(wanted).compactMap(held)
    }

    /// Gives `body` the records of a collection that differ from their rows, in no order.
    func forEachChanged(
        in collection: UInt32, _ body: (Held) throws(StorageError) -> Void
    ) throws(StorageError) {
        for slots in [queue.fresh, queue.due] {
            for slot in slots where self.slots[slot].key.collection == collection {
                if let held = held(slot) { try body(held) }
            }
        }
    }

    /// Returns the number of records of a collection that differ from their rows.
    func changedCount(in collection: UInt32) -> Int {
        (queue.fresh + queue.due).count { slots[$0].key.collection == collection }
    }

    /// Lets go of records that equal their rows until such records take at most `limit` bytes.
    mutating func trim(to limit: Int) {
        while weight.clean > limit {
            hand = hand + 1 < slots.end ? hand + 1 : 0
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
    /// Forgets a record that equals its row.
    private mutating func remove(_ slot: Int) {
        weight.remove(slots[slot].weight)
        slots.remove(slot)
    }
}
