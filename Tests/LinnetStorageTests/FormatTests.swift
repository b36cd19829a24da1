import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

/// Reads the file as its description says, with nothing but the key and a SQLite library.
struct FormatTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func open(
        _ sealed: [UInt8], table: String, primaryKey: [UInt8]
    ) throws -> [UInt8] {
        let database = SecretBytes(copying: Array(repeating: 1, count: 32))
        let data = Array(table.utf8) + primaryKey + [0, 0, 0, 1]
        return try XChaCha.open(
            key: KeyDerivation.derive(database, .cell, Array(table.utf8)),
            nonce: Array(sealed[..<24]), ciphertext: Array(sealed[24...]), associatedData: data)
    }

    private func only(_ sql: String) throws -> [UInt8] {
        let rows = try home.stranger().column(sql)
        #expect(rows.count == 1)
        return try #require(rows.first.flatMap { Hex.decode($0.lowercased()) })
    }

    @Test func `sealed rows open as described`() throws {
        let state = try RecordState.sample("a")
        let device = DeviceID(repeating: 5)
        let incarnation = Incarnation(repeating: 6)
        let store = try home.open()
        try store.begin()
        try store.putRecord(state)
        try store.setValue(.clock, [9, 8, 7])
        try store.putPeer(
            PeerRow(
                device: device, incarnation: incarnation, acknowledged: [1],
                lastHeardWallMilliseconds: 2, addresses: ["x"]))
        try store.recordOutcome(intent: [4, 2], [1, 1])
        try store.commit()
        try store.close()

        let record = try open(
            only("SELECT hex(sealed) FROM records"), table: "records",
            primaryKey: [0, 0, 0, 7, UInt8(ascii: "a")])
        let fields: [UInt8] = [1 << 2 | 2, 0x80, 0x80, 0xc0, 0x3e, 1, 0, 2, 0, 8]
        #expect(
            record == [2, 1, 1] + AuthorID(repeating: 4).array + [1] + fields + [0x67]
                + Array("aspirin".utf8))
        let clock = try open(
            only("SELECT hex(sealed) FROM meta WHERE key = 'clock'"), table: "meta",
            primaryKey: Array("clock".utf8))
        #expect(clock == [9, 8, 7])
        let check = try open(
            only("SELECT hex(sealed) FROM meta WHERE key = 'key-check'"), table: "meta",
            primaryKey: Array("key-check".utf8))
        #expect(check == Array("linnet".utf8))
        let peer = try open(
            only("SELECT hex(sealed) FROM peers"), table: "peers",
            primaryKey: device.array + incarnation.array)
        #expect(peer == [0x83, 0x41, 1, 2, 0x81, 0x61, UInt8(ascii: "x")])

        let database = SecretBytes(copying: Array(repeating: 1, count: 32))
        let index = Hash.keyed(
            by: KeyDerivation.derive(database, .index, Array("intents".utf8)), .index, [4, 2],
            count: 16)
        #expect(try only("SELECT hex(key) FROM intents") == index)
        let outcome = try open(
            only("SELECT hex(sealed) FROM intents"), table: "intents", primaryKey: index)
        #expect(outcome == [1, 1])
    }

    @Test func `nonces are the prefix and a count`() throws {
        let store = try home.open()
        try store.begin()
        try store.setValue(.clock, [1])
        try store.setValue(.group, [2])
        try store.commit()
        try store.close()
        let nonces = try home.stranger().column(
            "SELECT hex(substr(sealed, 1, 24)) FROM meta ORDER BY sealed")
        let prefix = String(repeating: "01", count: 16)
        #expect(nonces == (1...3).map { prefix + "000000000000000\($0)" })
    }

    @Test func `a batch's key is its chain and its sequence`() throws {
        let store = try home.open()
        try store.begin()
        _ = try store.insertChain(.sample(1))
        try store.append(.sample(1, 5))
        try store.append(.sample(3, 1 << 39))
        try store.commit()
        try store.close()
        #expect(
            try home.stranger().column("SELECT key FROM batches ORDER BY key") == [
                "\(1 << 40 + 5)", "\(3 << 40 + 1 << 39)",
            ])
    }
}
