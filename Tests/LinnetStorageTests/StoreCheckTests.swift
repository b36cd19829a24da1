import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

struct StoreCheckTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func check(rows: Int = 2) throws -> StoreCheck {
        let store = try home.open()
        var check = try StoreCheck(store)
        check.checkStructure(store)
        while !check.isDone { check.step(store, rows: rows) }
        try store.close()
        return check
    }

    private func fill() throws {
        let store = try home.open()
        try store.begin()
        for name in ["a", "b", "c", "d", "e"] {
            try store.putRecord(try .sample(name, collection: 1000))
        }
        try store.setValue(.application, [1, 2, 3])
        try store.putPeer(
            PeerRow(
                device: DeviceID(repeating: 1), incarnation: Incarnation(repeating: 2),
                acknowledged: [], lastHeardWallMilliseconds: 3, addresses: ["host:1"]))
        try store.putLane(LaneRow(key: [1, 2], value: [3]))
        try store.recordOutcome(intent: [9], [8])
        try store.commit()
        try store.close()
    }

    @Test(arguments: [1, 2, 1000])
    func `every sealed row of a whole store opens, however few at a time`(rows: Int) throws {
        try fill()
        let found = try check(rows: rows)
        #expect(found.faults.isEmpty && found.faultCount == 0)
        // The value that shows the key to be the right one is a row, too.
        #expect(found.totalRows == 10 && found.checkedRows == 10)
    }

    @Test(arguments: ["meta", "records", "peers", "intents", "lanes"])
    func `a row that fails its seal is named, and the others are looked at`(table: String) throws {
        try fill()
        let place = table == "meta" ? "WHERE key = 'application'" : ""
        try home.tamper(
            """
            UPDATE \(table) SET sealed = CAST(substr(sealed, 1, length(sealed) - 1) || x'00'
            || x'00' AS BLOB) \(place)
            """)
        let found = try check()
        #expect(found.checkedRows == 10)
        #expect(found.faults.map(\.table).allSatisfy { $0 == table })
        #expect(found.faultCount == (table == "records" ? 5 : 1))
        #expect(found.faults.first?.text.contains("fails its seal") == true)
        if table == "records" {
            #expect(found.faults[0].text.contains("the record 'a' of collection 1000"))
        }
    }
}
