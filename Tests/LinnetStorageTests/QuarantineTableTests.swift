import LinnetStorage
import LinnetWire
import Testing

struct QuarantineTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `what has no effect is listed by batch and index, each once`() throws {
        let one = BatchID(repeating: 1)
        let two = BatchID(repeating: 2)
        let store = try home.open()
        try store.begin()
        try store.quarantine(QuarantineRow(batch: two, index: nil, reason: 4))
        try store.quarantine(QuarantineRow(batch: one, index: .max, reason: .max))
        try store.quarantine(QuarantineRow(batch: one, index: 0, reason: 1))
        try store.quarantine(QuarantineRow(batch: one, index: 0, reason: 2))
        try store.commit()
        let rows = [
            QuarantineRow(batch: one, index: 0, reason: 2),
            QuarantineRow(batch: one, index: .max, reason: .max),
            QuarantineRow(batch: two, index: nil, reason: 4),
        ]
        #expect(try store.quarantined(limit: 10) == rows)
        #expect(try store.quarantined(limit: 2) == Array(rows[..<2]))
        #expect(try store.quarantineCount() == 3)
        try store.close()
    }
}
