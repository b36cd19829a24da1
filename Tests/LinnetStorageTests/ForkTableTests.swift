import LinnetStorage
import LinnetWire
import Testing

struct ForkTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `proofs of forks come in the order they were found`() throws {
        let rows = [8, 2].map { (byte: UInt8) in
            ForkRow(
                scope: ScopeID(repeating: byte), chain: AuthorID(repeating: byte),
                seq: UInt64(byte),
                proof: Array(repeating: byte, count: 600))
        }
        var store = try home.open()
        try store.begin()
        for row in rows { try store.addFork(row) }
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.forks() == rows)
        try store.close()
    }
}
