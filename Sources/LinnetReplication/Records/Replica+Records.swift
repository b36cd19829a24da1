package import LinnetCRDT
package import LinnetStorage
import LinnetWire

extension Replica {
    /// The record as it stands, or one that was never written.
    func state(of key: RecordKey) throws(StorageError) -> RecordState {
        try existing(key) ?? RecordState(collection: key.collection, record: key.record)
    }

    /// The record as it stands; nil when it was never written.
    func existing(_ key: RecordKey) throws(StorageError) -> RecordState? {
        if let state = overlay.state(of: key) { return state }
        return try store.record(collection: key.collection, id: key.record)
    }

    /// Takes a record out to be changed; `keep` or `giveBack` follows before anything else.
    mutating func take(
        _ key: RecordKey
    ) throws(StorageError) -> (state: RecordState, claim: Overlay.Claim) {
        let place = overlay.place(of: key)
        if let claim = overlay.claim(place, key.record) {
            return (overlay.take(claim), claim)
        }
        let stored =
            overlay.mayHaveRow(place)
            ? try store.storedRecord(collection: key.collection, id: key.record) : nil
        return (
            stored?.state ?? RecordState(collection: key.collection, record: key.record),
            overlay.reserve(place, key.record, row: stored?.row)
        )
    }

    /// Puts back a record that changed; a later fold writes its row.
    mutating func keep(_ state: consuming RecordState, at claim: Overlay.Claim) {
        let key = RecordKey(collection: state.collection, record: state.record)
        if overlay.put(state, at: claim, isChanged: true) { outbox.changed(key) }
    }

    /// Puts back a record that did not change.
    mutating func giveBack(_ state: consuming RecordState, at claim: Overlay.Claim) {
        _ = overlay.put(state, at: claim, isChanged: false)
    }

    /// Gives `body` every record, of one collection or of all, by collection and then by the bytes
    /// of its identifier.
    package func forEachRecord(
        collection: UInt32? = nil, _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection)
        var next = 0
        try store.forEachRecord(collection: collection) { (stored) throws(StorageError) in
            while next < changed.count, changed[next].comes(before: stored) {
                try body(changed[next])
                next += 1
            }
            if next < changed.count, changed[next].names(stored) {
                try body(changed[next])
                next += 1
            } else {
                try body(stored)
            }
        }
        for state in changed[next...] { try body(state) }
    }

    /// Gives `body` the records of a collection by the bytes of their identifiers, those alone that
    /// follow `after`, until it returns false.
    func forEachRecord(
        in collection: UInt32, after: RecordID?,
        _ body: (RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection).drop { state in
            after.map { state.record <= $0 } ?? false
        }
        var next = changed.startIndex
        var isEnough = false
        try store.forEachRow(collection: collection, after: after) { (row) throws(StorageError) in
            while next < changed.endIndex, changed[next].comes(before: row.state) {
                guard try body(changed[next]) else {
                    isEnough = true
                    return false
                }
                next += 1
            }
            if next < changed.endIndex, changed[next].names(row.state) {
                isEnough = try !body(changed[next])
                next += 1
            } else {
                isEnough = try !body(row.state)
            }
            return !isEnough
        }
        while !isEnough, next < changed.endIndex {
            isEnough = try !body(changed[next])
            next += 1
        }
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
