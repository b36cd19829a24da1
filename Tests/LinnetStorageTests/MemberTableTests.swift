import LinnetStorage
import LinnetWire
import Testing

struct MemberTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `membership records come in the order they were added`() throws {
        let rows = [9, 3, 7].map {
            MemberRow(id: MemberRecordID(repeating: $0), bytes: Array(repeating: $0, count: 300))
        }
        var store = try home.open()
        try store.begin()
        for row in rows { try store.appendMemberRecord(id: row.id, bytes: row.bytes) }
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.memberRecords() == rows)
        try store.close()
    }

    @Test func `a membership record is added once`() throws {
        let store = try home.open()
        try store.begin()
        let id = MemberRecordID(repeating: 1)
        try store.appendMemberRecord(id: id, bytes: [1])
        #expect(
            failure { () throws(StorageError) in
                try store.appendMemberRecord(id: id, bytes: [2])
            } == .duplicate)
        try store.commit()
        #expect(try store.memberRecords() == [MemberRow(id: id, bytes: [1])])
        try store.close()
    }
}
