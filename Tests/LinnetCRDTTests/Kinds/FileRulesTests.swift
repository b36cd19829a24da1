import LinnetWire
import Testing

@testable import LinnetCRDT

struct FileRulesTests {
    private func set(_ file: FileValue?) -> Change {
        .set(FieldWrite(11, file?.value ?? .null))
    }

    @Test func `of two files attached at one time one wins as a whole, on every device`() throws {
        var desk = try RecordDesk(devices: 2)
        try desk.write(0, set(SampleFile.make()), clock: 10)
        try desk.write(1, set(SampleFile.make(name: "other.png")), clock: 10)
        desk.meet()
        let shown = desk.states.map { $0.visible(field: 11)?.payload }
        #expect(shown[0] == shown[1])
        #expect(shown[0] == (try SampleFile.make(name: "other.png")?.value.encoded()))
    }

    @Test func `a file is taken out of a record by null`() throws {
        var desk = try RecordDesk(devices: 1)
        try desk.write(0, set(SampleFile.make()))
        try desk.write(0, set(nil))
        #expect(desk.states[0].visible(field: 11)?.payload == [0xf6])
    }

    @Test func `a value that is no file is neither written nor admitted`() throws {
        var desk = try RecordDesk(devices: 1)
        #expect(throws: SchemaError.self) {
            try desk.write(0, .set(FieldWrite(11, .text("tea.png"))))
        }
        let field = try #require(RecordDesk.records(.deleteWins).field(id: 11))
        let text = try Value.text("tea.png").encoded()
        #expect(!FileRules.admits(text, of: .fileSet, in: field))
        #expect(!FileRules.isWellFormed(text, of: .fileSet))
        #expect(!FileRules.isWellFormed([0xff], of: .fileSet))
        #expect(FileRules.isWellFormed([0xf6], of: .fileSet))
        let payload = try #require(SampleFile.make()).value.encoded()
        #expect(FileRules.admits(payload, of: .fileSet, in: field))
    }

    @Test func `the kind takes its own type, no index and no log`() {
        #expect(FileRules.allows(.file) && !FileRules.allows(.bytes))
        #expect(!FileRules.allows(FieldIndex.clear) && !FileRules.isForLogs)
        #expect(FileRules.takes(.fileSet) && !FileRules.takes(.lwwSet))
    }
}
