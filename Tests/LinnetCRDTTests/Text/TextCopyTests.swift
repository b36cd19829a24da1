import LinnetCRDT
import LinnetWire
import Testing

/// Copies of one text into one field, made by replicas that know nothing of each other.
@Suite struct TextCopyTests {
    private let copy = TextCopy(
        name: AuthorID(repeating: 9),
        insertion: TextInsertion(parent: nil, side: .right, string: "take with water"))

    private func document(_ copies: TextCopy...) -> TextDocument {
        var document = TextDocument()
        for copy in copies { _ = document.insert(copy.insertion, at: copy.position) }
        return document
    }

    private func edited(
        _ document: TextDocument, at offset: Int, deleting count: Int, inserting text: String,
        by author: UInt8
    ) throws -> TextDocument {
        var document = document
        let edits = try document.edit(at: offset, deleting: count, inserting: text)
        for (index, edit) in edits.enumerated() {
            let position = Position(
                chain: AuthorID(repeating: author), seq: 1, index: UInt32(index))
            _ = document.apply(edit, at: position)
        }
        return document
    }

    @Test func `two copies are one, and what both sides type into theirs stands`() throws {
        let left = try edited(document(copy), at: 0, deleting: 4, inserting: "drink", by: 1)
        let right = try edited(document(copy, copy), at: 15, deleting: 0, inserting: "!", by: 2)
        var (one, other) = (left, right)
        one.merge(right)
        other.merge(left)
        #expect(one == other && one.string == "drink with water!")
    }

    @Test func `a copy that comes again does not bring back what was deleted`() throws {
        var document = try edited(document(copy), at: 0, deleting: 15, inserting: "", by: 1)
        let isNew = document.insert(copy.insertion, at: copy.position)
        #expect(!isNew && document.string.isEmpty)
        document.merge(self.document(copy))
        #expect(document.string.isEmpty)
    }

    @Test func `a stored text keeps what it knows of its copies`() throws {
        let document = try edited(document(copy), at: 4, deleting: 5, inserting: "", by: 1)
        var collected: [AuthorID] = []
        document.collectChains(into: &collected)
        let chains = OrderedSet(collected)
        var writer = CBORWriter()
        document.write(to: &writer, chains: chains)
        var reader = CBORReader(writer.bytes)
        var again = try TextDocument(from: &reader, chains: chains.elements)
        #expect(again == document)
        let isNew = again.insert(copy.insertion, at: copy.position)
        #expect(!isNew && again.string == "take water")
    }

    @Test func `a payload is the name and the insertion`() throws {
        let short = TextCopy(
            name: AuthorID(repeating: 9),
            insertion: TextInsertion(parent: nil, side: .right, string: "a"))
        let bytes =
            [0x82, 0x50] + [UInt8](repeating: 9, count: 16) + [0x83, 0xf6, 1, 0x61, 0x61]
        #expect(try short.encoded() == bytes)
        #expect(try TextCopy.decode(bytes) == short)
        for end in 0..<bytes.count {
            #expect(throws: CRDTError.self) { try TextCopy.decode(Array(bytes[..<end])) }
        }
        let long = TextCopy(
            name: short.name,
            insertion: TextInsertion(
                parent: nil, side: .right,
                string: String(repeating: "a", count: Limits.valueBytes - 10)))
        #expect(throws: CRDTError.valueTooLarge) { try long.encoded() }
    }
}
