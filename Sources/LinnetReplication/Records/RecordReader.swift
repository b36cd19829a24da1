package import LinnetCRDT
package import LinnetStorage

/// The records as they stand, for one step of a call: those at hand in front of their rows. It is
/// made anew for each step and handed over; nobody keeps it, since a change would then copy all
/// that is at hand.
package struct RecordReader {
    let overlay: Overlay
    let rows: RecordRows
    /// The records whose rows have been written since the moment that is read, as these were; nil
    /// where that is now.
    var written: Overlay?

    var log: BatchLog { rows.log }
    var store: any Store { rows.log.store }

    /// Returns the record as it stands, or one that was never written.
    func state(of key: RecordKey) throws(StorageError) -> RecordState {
        try existing(key) ?? RecordState(collection: key.collection, record: key.record)
    }

    /// Returns the record as it stands; nil when it was never written.
    package func existing(_ key: RecordKey) throws(StorageError) -> RecordState? {
        guard let held = overlay.held(key) else { return try stored(key) }
        return try whole(held)
    }

    /// Returns a record that is held, completed by its row.
    func whole(_ held: Overlay.Held) throws(StorageError) -> RecordState {
        guard !held.isWhole else { return held.state }
        return held.whole(over: try stored(RecordKey(held.state)))
    }

    /// Returns a record as its row has it; nil when it has none.
    private func stored(_ key: RecordKey) throws(StorageError) -> RecordState? {
        guard let before = before(key) else { return try rows.record(key)?.state }
        return before.generation > 0 ? before : nil
    }

    /// Returns a record as its row had it, which has been written since the moment that is read:
    /// an empty one where there was no row; nil of others.
    func before(_ key: RecordKey) -> RecordState? {
        guard let written, written.count > 0 else { return nil }
        return written.held(key)?.state
    }

    /// Gives `body` every record, of one collection or of all, in the order of collections and then
    /// of the bytes of identifiers.
    package func forEachRecord(
        collection: UInt32? = nil,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection)
        var next = 0
        try store.forEachRecord(
            collection: collection, mending: rows.mended
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
        in collection: UInt32, after: RecordID?,
        _ body: (RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection, after: after)
        var next = 0
        var isEnough = false
        try store.forEachRow(
            collection: collection, after: after?.utf8 ?? [], mending: rows.mended
        ) { (row) throws(StorageError) in
            while next < changed.count, changed[next].state.comes(before: row.state) {
                guard try body(changed[next].state) else {
                    isEnough = true
                    return false
                }
                next += 1
            }
            if next < changed.count, changed[next].state.names(row.state) {
                isEnough = try !body(changed[next].whole(over: row.state))
                next += 1
            } else {
                isEnough = try !body(row.state)
            }
            return !isEnough
        }
        while !isEnough, next < changed.count {
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
