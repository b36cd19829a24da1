import LinnetCRDT

/// The records of one collection.
struct RecordShelf {
    let collection: UInt32
    /// In the order they were first written.
    private var states: [RecordState] = []
    private var places: [RecordID: Int] = [:]
    /// The places of the states by identifier; those that were added since the last reading lack.
    private var order: [Int] = []

    init(collection: UInt32) { self.collection = collection }

    /// How many records there are.
    var count: Int { states.count }

    /// The state of a record, or nil.
    func state(_ id: RecordID) -> RecordState? { places[id].map { states[$0] } }

    /// Where a record is, or nil.
    func place(of id: RecordID) -> Int? { places[id] }

    /// Adds a record that is not there.
    mutating func append(_ state: RecordState) {
        places[state.record] = states.count
        states.append(state)
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
