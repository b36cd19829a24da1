import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordBook {
    /// Returns the record as it stands, or one that was never written.
    func state(of key: RecordKey, _ log: BatchLog) throws(StorageError) -> RecordState {
        try existing(key, log) ?? RecordState(collection: key.collection, record: key.record)
    }

    /// Returns the record as it stands; nil when it was never written.
    func existing(_ key: RecordKey, _ log: BatchLog) throws(StorageError) -> RecordState? {
        guard let held = overlay.held(key) else { return try storedRecord(key, log)?.state }
        return try whole(held, log)
    }

    /// Returns a record that is held, completed by its row.
    func whole(_ held: Overlay.Held, _ log: BatchLog) throws(StorageError) -> RecordState {
        guard !held.isWhole else { return held.state }
        return held.whole(over: try storedRecord(RecordKey(held.state), log)?.state)
    }

    /// Takes a record out to be changed; `keep` or `giveBack` follows before anything else.
    mutating func take(
        _ key: RecordKey, _ log: BatchLog
    ) throws(StorageError) -> (state: RecordState, claim: Overlay.Claim) {
        let place = overlay.place(of: key)
        if let claim = overlay.claim(place, key.record) {
            let isWhole = overlay.isWhole(claim)
            let stored = isWhole ? nil : try storedRecord(key, log)
            var state = overlay.take(claim)
            if !isWhole { overlay.complete(&state, at: claim, with: stored) }
            return (state, claim)
        }
        let stored = overlay.mayHaveRow(place) ? try storedRecord(key, log) : nil
        return (
            stored?.state ?? RecordState(collection: key.collection, record: key.record),
            overlay.reserve(place, key.record, row: stored?.row)
        )
    }

    /// Takes a record out to be changed, but reads no row: of a record that is not at hand the
    /// state holds only what was merged since its row was written. Until `complete` is called it
    /// takes only changes of single values, groups and places, and none where updates win over
    /// deletes.
    mutating func takeUnread(_ key: RecordKey) -> (state: RecordState, claim: Overlay.Claim) {
        let place = overlay.place(of: key)
        if let claim = overlay.claim(place, key.record) { return (overlay.take(claim), claim) }
        return (
            RecordState(collection: key.collection, record: key.record),
            overlay.reserve(place, key.record, row: nil, unread: overlay.mayHaveRow(place))
        )
    }

    /// Completes a record that was taken out by its row.
    mutating func complete(
        _ state: inout RecordState, at claim: Overlay.Claim, _ log: BatchLog
    ) throws(StorageError) {
        guard !overlay.isWhole(claim) else { return }
        overlay.complete(&state, at: claim, with: try storedRecord(RecordKey(state), log))
    }

    func storedRecord(_ key: RecordKey, _ log: BatchLog) throws(StorageError) -> KeptRecord? {
        try log.store.storedRecord(collection: key.collection, id: key.record) {
            (row) throws(StorageError) in try mended(row, log)
        }
    }

    /// Puts back a record that changed; a later fold writes its row.
    mutating func keep(
        _ state: consuming RecordState, at claim: Overlay.Claim, _ turn: inout Turn
    ) {
        let key = RecordKey(collection: state.collection, record: state.record)
        if overlay.put(state, at: claim, isChanged: true) { turn.outbox.changed(key) }
    }

    /// Puts back a record that did not change.
    mutating func giveBack(_ state: consuming RecordState, at claim: Overlay.Claim) {
        _ = overlay.put(state, at: claim, isChanged: false)
    }

    /// Gives `body` every record, of one collection or of all, in the order of collections and then
    /// of the bytes of identifiers.
    func forEachRecord(
        collection: UInt32? = nil, _ log: BatchLog,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection)
        var next = 0
        try log.store.forEachRecord(
            collection: collection, mending: { (row) throws(StorageError) in try mended(row, log) }
        ) { (stored) throws(StorageError) in
            while next < changed.count, changed[next].state.comes(before: stored) {
                try body(changed[next].state)
                next += 1
            }
            if next < changed.count, changed[next].state.names(stored) {
                try body(changed[next].whole(over: stored))
                next += 1
            } else {
                try body(stored)
            }
        }
        for held in changed[next...] { try body(held.state) }
    }

    /// Gives `body` those records of a collection that follow `after`, in the order of the bytes of
    /// their identifiers, until it returns false.
    func forEachRecord(
        in collection: UInt32, after: RecordID?, _ log: BatchLog,
        _ body: (RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection).drop { held in
            after.map { held.state.record <= $0 } ?? false
        }
        var next = changed.startIndex
        var isEnough = false
        try log.store.forEachRow(
            collection: collection, after: after,
            mending: { (row) throws(StorageError) in try mended(row, log) }
        ) { (row) throws(StorageError) in
            while next < changed.endIndex, changed[next].state.comes(before: row.state) {
                guard try body(changed[next].state) else {
                    isEnough = true
                    return false
                }
                next += 1
            }
            if next < changed.endIndex, changed[next].state.names(row.state) {
                isEnough = try !body(changed[next].whole(over: row.state))
                next += 1
            } else {
                isEnough = try !body(row.state)
            }
            return !isEnough
        }
        while !isEnough, next < changed.endIndex {
            isEnough = try !body(changed[next].state)
            next += 1
        }
    }
}

extension RecordKey {
    init(_ state: RecordState) {
        self.init(collection: state.collection, record: state.record)
    }
}

extension RecordState {
    fileprivate func comes(before other: RecordState) -> Bool {
        (collection, record) < (other.collection, other.record)
    }

    fileprivate func names(_ other: RecordState) -> Bool {
        collection == other.collection && record == other.record
    }
}
