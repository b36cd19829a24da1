import LinnetCRDT
import LinnetStorage

extension RecordBook {
    /// Returns the rows, for one step of a call.
    func rows(_ log: BatchLog) -> RecordRows {
        RecordRows(mender: mender, policy: policy, log: log)
    }

    /// Returns the records as they stand, for one step of a call.
    func reading(_ log: BatchLog) -> RecordReader {
        RecordReader(overlay: overlay, rows: rows(log))
    }

    /// Takes a record out to be changed; `putBack` follows before anything else.
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

    /// Puts back a record that was taken out; a later fold writes the row of one that changed.
    ///
    /// - Parameters:
    ///   - isTold: false when nobody hears of the change.
    ///   - weight: the bytes that were merged into it, approximately.
    ///   - room: the policy that says how large it may be, when that is not the usual one.
    /// - Returns: false when it was too large and was set aside.
    @discardableResult
    mutating func putBack(
        _ state: consuming RecordState, at claim: Overlay.Claim, isChanged: Bool,
        isTold: Bool = true, after weight: Int = 0, within room: FoldPolicy? = nil,
        _ turn: inout Turn
    ) -> Bool {
        let key = RecordKey(collection: state.collection, record: state.record)
        let isSetAside = overlay.limit(&state, at: claim, after: weight, room ?? policy)
        if isSetAside { setAside.append(key) }
        if isChanged || isSetAside { lines.note(key) }
        let isNews = overlay.put(state, at: claim, isChanged: isChanged)
        if isNews, isChanged, isTold { turn.outbox.changed(key) }
        return !isSetAside
    }
}
