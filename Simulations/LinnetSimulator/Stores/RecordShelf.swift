import LinnetCRDT
import LinnetStorage

/// The records of one collection.
struct RecordShelf {
    let collection: UInt32
    /// In the order they were first written.
    private var states: [RecordState] = []
    private var places: [RecordID: Int] = [:]
    /// By what each of the states is found.
    private var entries: [[IndexEntry]] = []
    /// The places of the states by identifier; those that were added since the last reading lack.
    private var order: [Int] = []

    init(collection: UInt32) { self.collection = collection }

    /// The number of records.
    var count: Int { states.count }

    /// The state of a record, or nil.
    func state(_ id: RecordID) -> RecordState? { places[id].map { states[$0] } }

    /// The place of a record, or nil.
    func place(of id: RecordID) -> Int? { places[id] }

    /// Adds a record that is not there.
    mutating func append(_ state: RecordState) {
        places[state.record] = states.count
        states.append(state)
        entries.append([])
    }

    /// Puts other entries in the place of those of a record; returns these.
    @discardableResult
    mutating func setEntries(_ new: [IndexEntry], at place: Int) -> [IndexEntry] {
        let before = entries[place]
        entries[place] = new
        return before
    }

    /// By what the record is found at a place.
    func entries(at place: Int) -> [IndexEntry] { entries[place] }

    /// The keys and places of the records that a search finds, in ascending order.
    func found(by search: IndexSearch) -> [(key: [UInt8], state: RecordState)] {
        var found: [(key: [UInt8], place: Int)] = []
        for place in entries.indices {
            for entry in entries[place] where entry.field == search.field {
                if entry.key.lexicographicallyPrecedes(search.lower) { continue }
                if search.upper.lexicographicallyPrecedes(entry.key) { continue }
                found.append((entry.key, place))
            }
        }
        found.sort { left, right in
            left.key == right.key
                ? left.place < right.place : left.key.lexicographicallyPrecedes(right.key)
        }
        return found.map { ($0.key, states[$0.place]) }
    }

    /// Puts another state in the place of one; returns that.
    @discardableResult
    mutating func replace(at place: Int, with state: RecordState) -> RecordState {
        let before = states[place]
        states[place] = state
        return before
    }

    /// Takes away the record that was added last.
    mutating func removeLast() {
        let removed = states.removeLast()
        entries.removeLast()
        places[removed.record] = nil
        if order.count > states.count { order.removeAll { $0 == states.count } }
    }

    /// Every state, in the bytewise order of the identifiers.
    mutating func sorted() -> SortedRecords {
        sortOrder()
        return SortedRecords(states: states, order: order)
    }

    private mutating func sortOrder() {
        guard order.count < states.count else { return }
        let added = (order.count..<states.count).sorted { states[$0].record < states[$1].record }
        guard !order.isEmpty else {
            order = added
            return
        }
        var merged: [Int] = []
        merged.reserveCapacity(states.count)
        var next = 0
        for place in added {
            while next < order.count, states[order[next]].record < states[place].record {
                merged.append(order[next])
                next += 1
            }
            merged.append(place)
        }
        order = merged + order[next...]
    }
}

/// The states of a collection at one moment, in order.
struct SortedRecords {
    let states: [RecordState]
    let order: [Int]
}
