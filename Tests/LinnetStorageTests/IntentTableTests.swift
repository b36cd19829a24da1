import LinnetStorage
import Testing

struct IntentTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `the first outcome of an intent stays`() throws {
        var store = try home.open()
        try store.begin()
        #expect(try store.firstOutcome(intent: [1]) == nil)
        try store.recordOutcome(intent: [1], [7, 8])
        try store.recordOutcome(intent: [1, 0], [])
        #expect(
            failure { () throws(StorageError) in try store.recordOutcome(intent: [1], [9]) }
                == .duplicate)
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.firstOutcome(intent: [1]) == [7, 8])
        #expect(try store.firstOutcome(intent: [1, 0]) == [])
        #expect(try store.firstOutcome(intent: []) == nil)
        try store.close()
    }
}
