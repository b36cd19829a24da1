import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// Texts that several write, and copies.
enum TextVectors {
    static func stories() throws -> [Story] { [try written(), try copied()] }

    static func insertion(_ parent: TextID?, _ side: UInt64, _ string: String) -> [UInt8] {
        item {
            $0.array(3)
            if let parent {
                $0.array(4)
                $0.bytes(parent.position.chain)
                $0.unsigned(parent.position.seq)
                $0.unsigned(UInt64(parent.position.index))
                $0.unsigned(UInt64(parent.offset))
            } else {
                $0.null()
            }
            $0.unsigned(side)
            $0.text(string)
        }
    }

    private static func deletion(_ start: TextID, _ count: UInt64) -> [UInt8] {
        item {
            $0.array(1)
            $0.array(5)
            $0.bytes(start.position.chain)
            $0.unsigned(start.position.seq)
            $0.unsigned(UInt64(start.position.index))
            $0.unsigned(UInt64(start.offset))
            $0.unsigned(count)
        }
    }

    private static func written() throws -> Story {
        let first = at(Kit.a, 1, 0)
        func scalar(_ offset: UInt32) -> TextID { TextID(position: first, offset: offset) }
        return try MergingVectors.story(
            "text: two write at one place, one deletes around what the other writes",
            "Insertions at one place stand in the order of their chains.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 6, 9, insertion(nil, 1, "one two"))]),
                (Kit.a, 1, [try op(2_000, "r1", 6, 9, insertion(scalar(6), 1, " (a)"))]),
                (Kit.b, 1, [try op(2_000, "r1", 6, 9, insertion(scalar(6), 1, " (b)"))]),
                (Kit.b, 2, [try op(2_000, "r1", 6, 9, insertion(scalar(1), 0, "X"))]),
                (Kit.a, 2, [try op(2_000, "r1", 6, 10, deletion(scalar(0), 3))]),
                (
                    Kit.b, 3,
                    [
                        try op(
                            2_000, "r1", 6, 9,
                            insertion(TextID(position: at(Kit.b, 9, 0), offset: 0), 1, "waits"))
                    ]
                ),
                (Kit.b, 4, [try op(2_000, "r2", 6, 9, insertion(nil, 0, "side 0"))]),
                (Kit.b, 5, [try op(2_000, "r2", 6, 9, insertion(nil, 1, ""))]),
            ])
    }

    private static func copied() throws -> Story {
        guard let piece = TextCopy.pieces(of: "copied").first else { throw Scribe.Missing() }
        let payload = try piece.encoded()
        let wrong = TextCopy(name: AuthorID(repeating: 8), insertion: piece.insertion)
        return try MergingVectors.story(
            "text: two copy one text into a field", "It is there once; a wrong name is set aside.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 6, 15, payload)]),
                (Kit.b, 0, [try op(2_000, "r1", 6, 15, payload)]),
                (Kit.b, 1, [try op(2_000, "r1", 6, 15, try wrong.encoded())]),
            ])
    }
}
