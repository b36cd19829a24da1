import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordBook {
    /// Returns the rows, for one step of a call.
    func rows(_ log: BatchLog) -> RecordRows {
        RecordRows(mender: mender, policy: policy, log: log)
    }

    /// Returns the records as they stand, for one step of a call.
    func reading(_ log: BatchLog) -> RecordReader {
        RecordReader(overlay: overlay, rows: rows(log))
    }

    /// Takes a record out to be changed; `keep` or `giveBack` follows before anything else.
    mutating func take(
        _ key: RecordKey, _ log: BatchLog
    ) throws(StorageError) -> (state: RecordState, claim: Overlay.Claim) {
        let place = overlay.place(of: key)
        if let claim = overlay.claim(place, key.record) {
            let isWhole = overlay.isWhole(claim)
            let stored = isWhole ? nil : try rows(log).record(key)
            var state = overlay.take(claim)
            if !isWhole { overlay.complete(&state, at: claim, with: stored) }
            return (state, claim)
        }
        let stored = overlay.mayHaveRow(place) ? try rows(log).record(key) : nil
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
        overlay.complete(&state, at: claim, with: try rows(log).record(RecordKey(state)))
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
}
