package import LinnetWire

/// A replica's memory of another one between sessions.
package struct PeerRow: Equatable, Sendable {
    /// The peer's device.
    package var device: DeviceID
    /// The peer's incarnation.
    package var incarnation: Incarnation
    /// The vector it last acknowledged, encoded by the replica.
    package var acknowledged: [UInt8]
    /// The moment at which it was last heard, in Unix milliseconds.
    package var lastHeardWallMilliseconds: Int64
    /// The addresses at which it was last reached; hints only.
    package var addresses: [String]

    /// Joins the parts as they are.
    package init(
        device: DeviceID, incarnation: Incarnation, acknowledged: [UInt8],
        lastHeardWallMilliseconds: Int64, addresses: [String]
    ) {
        self.device = device
        self.incarnation = incarnation
        self.acknowledged = acknowledged
        self.lastHeardWallMilliseconds = lastHeardWallMilliseconds
        self.addresses = addresses
    }
}

/// The statements on peers.
struct PeerTable: ~Copyable {
    let upsert: Statement
    let all: Statement

    init(_ connection: borrowing Connection) {
        upsert = connection.prepare(
            """
            INSERT OR REPLACE INTO peers (device, incarnation, version, sealed)
            VALUES (?, ?, ?, ?)
            """, place: "peers")
        all = connection.prepare(
            """
            SELECT device, incarnation, version, sealed FROM peers
            ORDER BY device, incarnation
            """, place: "peers")
    }
}

extension SQLiteStore {
    /// Remembers a peer in place of what was known of it.
    package func putPeer(_ peer: PeerRow) throws(StorageError) {
        checkTransaction()
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(peer.acknowledged)
        writer.signed(peer.lastHeardWallMilliseconds)
        writer.array(peer.addresses.count)
        for address in peer.addresses { writer.text(address) }
        let key = peer.device.array + peer.incarnation.array
        try file.peers.upsert.run(
            .bytes(peer.device.array), .bytes(peer.incarnation.array),
            .integer(Int64(SealedTable.rowVersion)),
            .bytes(file.sealer.seal(.peers, key, writer.bytes)))
    }

    /// Every peer that is remembered, by device and incarnation. A row that does not open is passed
    /// over: what it said is heard again in the next session.
    package func peers() throws(StorageError) -> [PeerRow] {
        var found: [PeerRow] = []
        try file.peers.all.forEachRow { (row) throws(StorageError) in
            do throws(StorageError) {
                found.append(try peer(in: row))
            } catch .corrupt {
                return true
            }
            return true
        }
        return found
    }

    private func peer(in row: borrowing Statement) throws(StorageError) -> PeerRow {
        let device = try row.bytes32(0)
        let incarnation = try row.bytes8(1)
        let content = try file.sealer.open(
            .peers, device.array + incarnation.array, try row.bytes(3),
            version: try row.number(2))
        do {
            return try PeerRow(device, incarnation, decoding: content)
        } catch {
            throw row.corrupt
        }
    }
}

extension PeerRow {
    fileprivate init(
        _ device: DeviceID, _ incarnation: Incarnation, decoding content: [UInt8]
    ) throws(WireError) {
        var reader = CBORReader(content)
        try reader.array(exactly: 3)
        // Our own bytes: the vector of every scope may be long.
        let acknowledged = try reader.bytes(max: content.count)
        let lastHeard = try reader.signed()
        var addresses: [String] = []
        for _ in 0..<(try reader.array()) { addresses.append(try reader.text()) }
        try reader.finish()
        self.init(
            device: device, incarnation: incarnation, acknowledged: acknowledged,
            lastHeardWallMilliseconds: lastHeard, addresses: addresses)
    }
}
