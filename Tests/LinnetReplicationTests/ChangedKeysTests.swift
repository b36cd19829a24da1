import LinnetCRDT
import Testing

@testable import LinnetReplication

@Suite struct ChangedKeysTests {
    @Test func `records are read back in the order in which they changed`() throws {
        let names = [
            "b", "a", String(repeating: "z", count: 64), "e\u{301}", "\u{e9}", "\u{1F600}",
        ]
        let keys = try names.enumerated().map { place, name in
            RecordKey(
                collection: place == 3 ? .max : UInt32(place),
                record: try #require(RecordID(name)))
        }
        var changed: ChangedKeys = []
        #expect(changed.isEmpty && Array(changed).isEmpty)
        for key in keys { changed.append(key) }
        #expect(Array(changed) == keys && !changed.isEmpty)
    }
}
