import LinnetCRDT
import LinnetWire

/// What a later version might write, and what contradicts the schema.
enum LaterVectors {
    static func stories() throws -> [Story] { [try unknown(), try contrary()] }

    private static func unknown() throws -> Story {
        try MergingVectors.story(
            "collections, fields and kinds that are not known",
            "Kinds 1 and 2 on an unknown field take effect at once; all else waits. None is lost.",
            [
                (
                    Kit.a, 0,
                    [
                        try op(2_000, "r1", 70, 1, text("a later lww")),
                        try op(2_000, "r1", 71, 2, [0x82, 0x01, 0xf6]),
                        try op(2_000, "r1", 72, 3, observed(text("a later mv"))),
                        try op(2_000, "r1", 73, 12, text("V")),
                        try op(2_000, "r1", 1, 200, [0xa1, 0x00, 0x01]),
                        try op(2_000, "r1", 1, 11, [0x80]),
                        try op(3_000, "r1", 1, 1, text("a later collection")),
                        try op(4_294_967_295, "r1", 4_294_967_295, 255, [0xf6], generation: 4),
                    ]
                )
            ])
    }

    private static func contrary() throws -> Story {
        try MergingVectors.story(
            "operations that are set aside", "Each alone; the last one of the batch takes effect.",
            [
                (
                    Kit.a, 0,
                    [
                        try op(2_000, "r1", 1, 1, [0x01]),
                        try op(2_000, "r1", 1, 12, text("V")),
                        try op(2_000, "r1", 0, 1, text("field 0")),
                        try op(2_000, "r1", 1, 1, text("even"), generation: 2),
                        try op(2_000, "r1", 1, 13, [0x80], generation: 2),
                        try op(2_000, "r1", 0, 13, [0x80], generation: 3),
                        try op(2_000, "r1", 0, 14, [0x80], generation: 1),
                        try op(2_000, "r1", 0, 14, [0x81, 0x00], generation: 3),
                        try op(2_000, "r1", 2, 2, [0x81, 0x01]),
                        try op(
                            2_000, "r1", 5, 6,
                            item {
                                $0.array(2)
                                $0.text("x")
                                $0.array(2)
                                at(Kit.a, 2, 0).write(to: &$0)
                                at(Kit.a, 1, 0).write(to: &$0)
                            }),
                        try op(
                            2_000, "r1", 4, 4,
                            item {
                                $0.array(3)
                                $0.text("\u{1}")
                                $0.signed(1)
                                $0.array(0)
                            }),
                        try op(2_000, "r1", 4, 5, [0x82, 0x83, 0x01, 0x05, 0x20, 0x80]),
                        try op(2_003, "f1", 0, 13, [0x80], generation: 2),
                        try op(2_003, "f1", 1, 1, text("anew"), generation: 3),
                        try op(2_001, "l1", 1, 1, text("in the scope of another")),
                        try op(2_002, "2027-01-15/1", 0, 8, [0x80]),
                        try op(2_000, "r1", 1, 1, text("takes effect")),
                    ]
                )
            ])
    }
}
