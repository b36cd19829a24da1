import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// What concurrent and odd operations come to: each story ends in a digest with its preimage.
enum MergingVectors {
    static func make() throws -> JSON {
        var stories = [
            try latest(), try ceiling(), try values(), try counted(), try elements(),
            try deleted(), try updateWins(), try restored(), try log(), try orders(), try dates(),
            try extremes(),
        ]
        stories += try TextVectors.stories() + LaterVectors.stories()
        return [
            "about": "docs/protocol.md, Operations, Merging, Digest; docs/field-kinds.md.",
            "stories": .array(try stories.map { try $0.facts() }),
        ]
    }

    /// Writes one batch of each of the operations, a's and b's at one time.
    static func story(
        _ name: String, _ says: String, scope: String = "things",
        _ batches: [(KitDevice, Int64, [Operation])]
    ) throws -> Story {
        var scribe = try Scribe()
        return Story(
            name: name, says: says,
            batches: try batches.map { device, later, operations in
                try scribe.write(
                    by: device, in: scope, operations,
                    attributes: .kit(stamp: (Kit.wall + later) << 16))
            })
    }

    private static func latest() throws -> Story {
        try story(
            "lww: equal stamps", "The greater chain wins.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 1, 1, text("of a"))]),
                (Kit.b, 0, [try op(2_000, "r1", 1, 1, text("of b"))]),
            ])
    }

    private static func ceiling() throws -> Story {
        var scribe = try Scribe()
        let ceiling = BatchAttributes.kit(stamp: .max)
        let (low, high) =
            Kit.a.author < Kit.b.author ? (Kit.a, Kit.b) : (Kit.b, Kit.a)
        return Story(
            name: "lww: at the ceiling",
            says: "The smaller chain overwrites what it sees, keeps the ceiling, and loses.",
            batches: [
                try scribe.write(
                    by: high, in: "things", [try op(2_000, "r1", 1, 1, text("stays"))],
                    attributes: ceiling),
                try scribe.write(
                    by: low, in: "things", [try op(2_000, "r1", 1, 1, text("does not show"))],
                    attributes: ceiling),
            ])
    }

    private static func values() throws -> Story {
        try story(
            "mv: concurrent values, null among them", "Both are shown, in the order of bytes.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 3, 3, observed(text("kept")))]),
                (Kit.b, 0, [try op(2_000, "r1", 3, 3, observed([0xf6]))]),
                (Kit.a, 1, [try op(2_000, "r2", 3, 3, observed([0xf6]))]),
                (Kit.b, 1, [try op(2_000, "r2", 1, 1, [0xf6])]),
            ])
    }

    private static func counted() throws -> Story {
        func entry(_ key: String, _ amount: Int64) -> [UInt8] {
            item {
                $0.array(3)
                $0.text(key)
                $0.signed(amount)
                $0.array(0)
            }
        }
        let base = item {
            $0.array(2)
            $0.signed(30)
            $0.array(1)
            at(Kit.a, 1, 0).write(to: &$0)
        }
        return try story(
            "tally: one event reported twice, and a count",
            "30 less the entry that it had not seen.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 4, 4, entry("seen", -1))]),
                (Kit.b, 0, [try op(2_000, "r1", 4, 4, entry("unseen", -1))]),
                (Kit.a, 1, [try op(2_000, "r1", 4, 5, base)]),
                (Kit.b, 1, [try op(2_000, "r1", 4, 4, entry("seen", -1))]),
                (Kit.b, 2, [try op(2_000, "r2", 4, 4, entry("zero", 0))]),
            ])
    }

    private static func extremes() throws -> Story {
        func number(_ number: Int64) -> [UInt8] { item { $0.signed(number) } }
        func tenths(_ number: Int64) -> [UInt8] {
            item {
                $0.array(3)
                $0.unsigned(1)
                $0.signed(number)
                $0.signed(-1)
            }
        }
        let (isFalse, isTrue): ([UInt8], [UInt8]) = ([0xf4], [0xf5])
        return try story(
            "max and min: whenever it was written",
            "r1 shows 9, true and -0.5; r2 lives and shows nothing; r3's last three are set aside.",
            [
                (
                    Kit.a, 0,
                    [
                        try op(2_000, "r1", 10, 16, number(9)),
                        try op(2_000, "r1", 11, 16, isTrue),
                        try op(2_000, "r1", 12, 17, tenths(25)),
                        try op(2_000, "r2", 10, 16, [0xf6]),
                    ]
                ),
                (
                    Kit.b, 5,
                    [
                        try op(2_000, "r1", 10, 16, number(-7)),
                        try op(2_000, "r1", 11, 16, isFalse),
                        try op(2_000, "r1", 12, 17, tenths(-5)),
                        try op(2_000, "r1", 12, 17, [0xf6]),
                    ]
                ),
                (
                    Kit.a, 9,
                    [
                        try op(2_000, "r1", 10, 16, number(8)),
                        try op(2_000, "r3", 11, 16, isFalse),
                        try op(2_000, "r3", 10, 16, isTrue),
                        try op(2_000, "r3", 10, 17, number(1)),
                        try op(2_000, "r3", 1, 16, text("a text")),
                    ]
                ),
            ])
    }

    private static func elements() throws -> Story {
        try story(
            "set: null is an element, an addition beats a removal that had not seen it",
            "r1 holds null and red; r2 holds nothing, and no field.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 5, 6, observed([0xf6]))]),
                (Kit.a, 1, [try op(2_000, "r1", 5, 6, observed(text("red")))]),
                (Kit.b, 0, [try op(2_000, "r1", 5, 7, observed(text("red")))]),
                (Kit.a, 2, [try op(2_000, "r2", 5, 6, observed(text("blue")))]),
                (
                    Kit.b, 3,
                    [try op(2_000, "r2", 5, 7, observed(text("blue"), [at(Kit.a, 3, 0)]))]
                ),
            ])
    }

    private static func context(_ positions: [Position]) -> [UInt8] {
        item { writer in
            writer.array(positions.count)
            for position in positions.sorted() { position.write(to: &writer) }
        }
    }

    private static func deleted() throws -> Story {
        try story(
            "delete wins",
            "r1 is gone though b wrote later; r2 was created anew, empty but for b's.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 1, 1, text("x"))]),
                (
                    Kit.a, 1,
                    [try op(2_000, "r1", 0, 13, context([at(Kit.a, 1, 0)]), generation: 2)]
                ),
                (Kit.b, 9, [try op(2_000, "r1", 1, 1, text("late"))]),
                (Kit.a, 2, [try op(2_000, "r2", 1, 1, text("first life"))]),
                (Kit.a, 3, [try op(2_000, "r2", 0, 13, context([]), generation: 2)]),
                (Kit.b, 0, [try op(2_000, "r2", 8, 1, [0xf6], generation: 3)]),
            ])
    }

    private static func updateWins() throws -> Story {
        try story(
            "updates win: a null behind every record",
            "l1 outlives a delete that had not seen b's write; l2 does not outlive one that had.",
            scope: "lists",
            [
                (Kit.a, 0, [try op(2_001, "l1", 1, 1, text("x"))]),
                (
                    Kit.a, 1,
                    [try op(2_001, "l1", 0, 13, context([at(Kit.a, 1, 0)]), generation: 2)]
                ),
                (Kit.b, 0, [try op(2_001, "l1", 1, 1, text("unseen"))]),
                (Kit.b, 1, [try op(2_001, "l2", 1, 1, text("y"))]),
                (
                    Kit.a, 2,
                    [try op(2_001, "l2", 0, 13, context([at(Kit.b, 2, 0)]), generation: 2)]
                ),
                (Kit.b, 2, [try op(2_001, "l3", 1, 1, [0xf6])]),
                (Kit.b, 3, [try op(2_001, "l4", 0, 14, [0x80], generation: 3)]),
            ])
    }

    private static func restored() throws -> Story {
        try story(
            "a restore", "Generation 3 goes on with what generation 1 held, the late write too.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 1, 1, text("x"))]),
                (Kit.a, 1, [try op(2_000, "r1", 0, 13, context([]), generation: 2)]),
                (Kit.a, 2, [try op(2_000, "r1", 0, 14, [0x80], generation: 3)]),
                (
                    Kit.b, 5,
                    [try op(2_000, "r1", 5, 6, observed(text("late")), delta: 1)]
                ),
            ])
    }

    private static func log() throws -> Story {
        func record(_ what: String, _ more: Bool = false) -> [UInt8] {
            item {
                $0.array(more ? 2 : 1)
                $0.array(2)
                $0.unsigned(1)
                $0.text(what)
                guard more else { return }
                $0.array(2)
                $0.unsigned(77)
                $0.bool(true)
            }
        }
        return try story(
            "log: one identifier twice, a field that is not known",
            "Both contents are kept; the first by stamp stands first.", scope: "log/2027-01",
            [
                (Kit.a, 1, [try op(2_002, "2027-01-15/1", 0, 8, record("second"))]),
                (Kit.b, 0, [try op(2_002, "2027-01-15/1", 0, 8, record("first"))]),
                (Kit.a, 2, [try op(2_002, "2027-01-15/2", 0, 8, record("wider", true))]),
                (Kit.a, 3, [try op(2_002, "2027-02-01/1", 0, 8, record("in another scope"))]),
            ])
    }

    private static func orders() throws -> Story {
        try story(
            "order: texts that are no keys", "They are taken like any other text.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 7, 12, text("V0"))]),
                (Kit.a, 1, [try op(2_000, "r2", 7, 12, text(""))]),
                (
                    Kit.a, 2,
                    [try op(2_000, "r3", 7, 12, text(String(repeating: "z", count: 4_097)))]
                ),
                (Kit.a, 3, [try op(2_000, "r4", 7, 12, [0xf6])]),
                (Kit.a, 4, [try op(2_000, "r5", 7, 12, [0x01])]),
            ])
    }

    private static func dates() throws -> Story {
        func date(_ days: Int64) -> [UInt8] {
            item {
                $0.array(2)
                $0.unsigned(3)
                $0.signed(days)
            }
        }
        return try story(
            "dates at and beyond 32 bits", "r3 and r4 are set aside.",
            [
                (Kit.a, 0, [try op(2_000, "r1", 8, 1, date(Int64(Int32.max)))]),
                (Kit.a, 1, [try op(2_000, "r2", 8, 1, date(Int64(Int32.min)))]),
                (Kit.a, 2, [try op(2_000, "r3", 8, 1, date(Int64(Int32.max) + 1))]),
                (Kit.a, 3, [try op(2_000, "r4", 8, 1, date(Int64(Int32.min) - 1))]),
            ])
    }
}
