import Linnet
import LinnetCRDT
import Testing

@Suite struct RecordIDNaturalKeyTests {
    @Test func `the same parts name the same record, on every device and for ever`() {
        let id = RecordID(naturalKey: "Aspirin", "100 mg")
        #expect(id == RecordID(naturalKey: "Aspirin", "100 mg"))
        #expect(id.description.utf8.count == 26)
    }

    @Test func `parts are not run together, and their order counts`() {
        let ids = [
            RecordID(naturalKey: "ab", "c"), RecordID(naturalKey: "a", "bc"),
            RecordID(naturalKey: "abc"), RecordID(naturalKey: "c", "ab"),
        ]
        #expect(Set(ids).count == ids.count)
    }
}
