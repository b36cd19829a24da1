import LinnetCRDT
import LinnetWire
import Testing

/// The bytes of records that hold fields of every kind.
@Suite struct RecordStateDecodingTests {
    @Test(arguments: 0..<40) func `changed bytes throw or are the bytes of what was read`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let policy: DeletePolicy = seed % 2 == 0 ? .updateWins : .deleteWins
        let history = try RecordHistory.random(seed: seed, policy: policy, steps: 5 + seed)
        let state = try history.fold(history.ops)
        let bytes = state.encoded
        for _ in 0..<200 {
            let changed = seeded.mutation(of: bytes)
            guard
                let read = try? RecordState.decode(
                    changed, collection: 2_000, record: state.record)
            else { continue }
            #expect(read.encoded == changed)
            #expect((read == state) == (changed == bytes))
            _ = (read.visibleContents.count, read.deletedContents.count, read.footprint)
            for field in RecordDesk.records().fields {
                _ = read.content(of: field.id)?.values(of: field)
            }
        }
    }

    @Test(arguments: [
        ("86 01 03 8203 03 f6 80 80", "a restored generation twice"),
        ("86 01 05 8205 03 f6 80 80", "restored generations that fall"),
        ("86 01 03 8102 f6 80 80", "an even restored generation"),
        ("86 01 03 8101 f6 80 80", "the first generation restored"),
        ("86 01 01 8103 f6 80 80", "a restored generation to come"),
        ("86 01 00 80 8300 8300 0100 80 81 50 07070707070707070707070707070707 80", "no deletion"),
        ("86 01 01 80 8300 830001 00 80 81 50 07070707070707070707070707070707 80", "a live one"),
        ("86 01 01 80 f6 80 81 840103 07 80", "a content of a life to come"),
        ("86 01 02 80 f6 80 81 840102 07 80", "a content of a deletion"),
        ("86 01 01 80 f6 80 81 840101 07 80", "what belongs to no field under one"),
        ("86 01 01 80 f6 80 81 840001 05 854060406040", "a field's content under none"),
        ("86 02 01 80 f6 80 80", "another format"), ("87 01 01 80 f6 80 80 80", "a part too many"),
        ("86 01 01 80 f6 81 50 07070707070707070707070707070707 80", "a chain that nothing names"),
        ("", "nothing"), ("86", "a beginning"),
    ])
    func `bytes that no ops can have brought about are refused`(hex: String, what: String) throws {
        let bytes = try #require(Hex.decode(hex.filter { $0 != " " }))
        #expect(throws: CRDTError.self, "\(what)") {
            try RecordState.decode(
                bytes, collection: 2_000, record: try #require(RecordID("r")))
        }
    }

    @Test func `a register under the wrong beginning is refused`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("a"))), .delete, .restore)
        try desk.write(0, .set(FieldWrite(1, .text("b"))))
        let state = desk.states[0]
        var bytes = state.encoded
        #expect(Array(bytes.prefix(6)) == [0x86, 0x01, 0x03, 0x81, 0x03, 0xf6])
        bytes.remove(at: 4)
        bytes[3] = 0x80
        #expect(throws: CRDTError.wire(.nonCanonical)) {
            try RecordState.decode(bytes, collection: 2_000, record: state.record)
        }
    }
}
