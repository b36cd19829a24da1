import LinnetWire
import Testing

struct PluralTests {
    @Test func `one of something is not several, and none is`() {
        #expect(Plural.of(1, "day") == "1 day")
        #expect(Plural.of(2, "day") == "2 days")
        #expect(Plural.of(0, "day") == "0 days")
        #expect(Plural.batches(UInt64(1)) == "1 batch")
        #expect(Plural.batches(7) == "7 batches")
        #expect(Plural.of(1, "batch waits", "batches wait") == "1 batch waits")
    }
}
