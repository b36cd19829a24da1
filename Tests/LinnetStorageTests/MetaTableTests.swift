import LinnetStorage
import Testing

struct MetaTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `every value is kept apart, replaced and forgotten`() throws {
        var store = try home.open()
        try store.begin()
        for (number, key) in MetaKey.allCases.enumerated() {
            #expect(try store.value(key) == nil)
            try store.setValue(key, [UInt8(number)])
        }
        try store.setValue(.clock, [])
        try store.setValue(.group, Array(repeating: 5, count: 100_000))
        try store.setValue(.incarnation, nil)
        try store.commit()
        try store.close()
        store = try home.open()
        for (number, key) in MetaKey.allCases.enumerated() {
            let expected: [UInt8]? =
                switch key {
                case .clock: []
                case .group: Array(repeating: 5, count: 100_000)
                case .incarnation: nil
                default: [UInt8(number)]
                }
            #expect(try store.value(key) == expected)
        }
        try store.close()
    }
}
