import LinnetStorage
import LinnetWire

/// The memory of each peer that the store keeps, read once and written when something is new of it.
///
/// The time at which a peer was heard is written with the next transaction, or when its session
/// ends: it is not worth a transaction of its own.
struct PeerBook {
    private var rows: OrderedTable<DeviceID, PeerRow> = OrderedTable()
    private var knowledge: OrderedTable<DeviceID, PeerKnowledge> = OrderedTable()
    /// The peers of which the store keeps something older.
    private var changed: OrderedSet<DeviceID> = OrderedSet()

    /// True when the store keeps something older of a peer.
    var isChanged: Bool { !changed.isEmpty }

    /// Returns the moment at which a peer was last heard since the opening, in Unix milliseconds.
    func lastHeard(_ peer: DeviceID) -> Int64? {
        guard let row = rows[peer], row.lastHeardWallMilliseconds != 0 else { return nil }
        return row.lastHeardWallMilliseconds
    }

    /// Returns the row of a peer, or the beginning of one.
    mutating func row(of peer: DeviceID, in store: any Store) throws(StorageError) -> PeerRow {
        if let row = rows[peer] { return row }
        let row =
            try store.peers().first { $0.device == peer }
            ?? PeerRow(
                device: peer, incarnation: .zero, acknowledged: [], lastHeardWallMilliseconds: 0,
                addresses: [])
        rows[peer] = row
        return row
    }

    /// Returns what a peer held when it was last heard, and the statements that were exchanged.
    mutating func knowledge(
        of peer: DeviceID, in store: any Store
    ) throws(StorageError) -> PeerKnowledge {
        if let known = knowledge[peer] { return known }
        let known = PeerKnowledge(decoding: try row(of: peer, in: store).acknowledged)
        knowledge[peer] = known
        return known
    }

    /// Notes a row, in place of the one before.
    mutating func note(_ row: PeerRow) {
        rows[row.device] = row
        changed.insert(row.device)
    }

    /// Notes what is known of a peer.
    mutating func note(
        _ known: PeerKnowledge, of peer: DeviceID, in store: any Store
    ) throws(StorageError) {
        var row = try row(of: peer, in: store)
        row.acknowledged = known.encode()
        note(row)
        knowledge[peer] = known
    }

    /// Writes what is new, in the open transaction.
    mutating func save(in store: any Store) throws(StorageError) {
        guard isChanged else { return }
        for peer in changed {
            if let row = rows[peer] { try store.putPeer(row) }
        }
        changed = OrderedSet()
    }

    /// Forgets what was read and noted, as after a transaction that was taken back.
    mutating func reload() { self = PeerBook() }
}
