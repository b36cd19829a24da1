import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// Batches in every form: encodings, compression, attributes, parts, dependencies, epochs.
enum BatchVectors {
    static func make() throws -> JSON {
        let forms: [(BodyForm, String)] = [
            (.rows, "rows"), (.rowsDeflated, "rows, deflated"), (.columns, "columns"),
            (.columnsDeflated, "columns, deflated"),
        ]
        var stories: [Story] = []
        for (form, name) in forms {
            var scribe = try Scribe()
            let batch = try scribe.write(by: Kit.a, in: "things", try every(), form: form)
            stories.append(
                Story(
                    name: name, says: "The same operations in each of the four forms.",
                    batches: [batch]))
        }
        stories += [
            try many(), try attributes(), try chain(), try parts(), try partsOfSeveralScopes(),
            try partTwice(), try partMissing(), try dependency(), try earlierEpoch(),
            try restatements(), try otherGroup(),
        ]
        return [
            "about": "docs/protocol.md, Batches: an empty replica gets these in this order.",
            "stories": .array(try stories.map { try $0.facts() }),
        ]
    }

    /// One operation of every kind that stands in the scope `things`.
    static func every() throws -> [Operation] {
        let amount = item {
            $0.array(3)
            $0.unsigned(1)
            $0.signed(25)
            $0.signed(-1)
        }
        let size = item {
            $0.array(2)
            $0.raw(amount)
            $0.text("m")
        }
        return [
            try op(2_000, "r1", 1, 1, text("first")),
            try op(2_000, "r1", 2, 2, size, delta: 1),
            try op(2_000, "r1", 3, 3, observed(text("a remark")), delta: 2),
            try op(
                2_000, "r1", 4, 4,
                item {
                    $0.array(3)
                    $0.text("event")
                    $0.signed(-2)
                    $0.array(0)
                }, delta: 3),
            try op(
                2_000, "r1", 9, 5,
                item {
                    $0.array(2)
                    $0.raw(amount)
                    $0.array(0)
                }, delta: 4),
            try op(2_000, "r1", 5, 6, observed(text("red")), delta: 5),
            try op(2_000, "r1", 5, 7, observed(text("blue")), delta: 6),
            try op(
                2_000, "r1", 6, 9,
                item {
                    $0.array(3)
                    $0.null()
                    $0.unsigned(1)
                    $0.text("prose")
                }, delta: 7),
            try op(2_000, "r1", 7, 12, text("V"), delta: 8),
            try op(2_000, "r2", 1, 1, text("second"), delta: 9),
        ]
    }

    private static func many() throws -> Story {
        var scribe = try Scribe()
        var operations: [Operation] = []
        for index in 0..<48 {
            let id = "r" + String(1_000 + index)
            let delta = UInt64(index * 2)
            operations.append(try op(2_000, id, 1, 1, text("title \(index % 5)"), delta: delta))
            let date = item {
                $0.array(2)
                $0.unsigned(3)
                $0.signed(Int64(20_000 + index))
            }
            operations.append(try op(2_000, id, 8, 1, date, delta: delta + 1))
            operations.append(
                try op(
                    2_000, id, 9, 5,
                    item {
                        $0.array(2)
                        $0.signed(Int64(index))
                        $0.array(0)
                    }, delta: delta + 1))
        }
        return Story(
            name: "columns of many", says: "144 operations of three shapes, as usual.",
            batches: [try scribe.write(by: Kit.a, in: "things", operations)])
    }

    private static func restatements() throws -> Story {
        var scribe = try Scribe()
        var ended = Kit.a
        ended.life = 1
        let (red, blue) = (observed(text("red")), observed(text("blue")))
        let batches = [
            try scribe.write(
                by: Kit.a, in: "things",
                [try op(2_000, "r1", 5, 6, red), try op(2_000, "r1", 5, 6, blue, delta: 1)],
                restates: Restatement(incarnation: ended.incarnation, seq: 2, indices: nil)),
            try scribe.write(
                by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("saved"))],
                restates: Restatement(incarnation: ended.incarnation, seq: 3, indices: [4])),
            try scribe.write(
                by: Kit.a, in: "things",
                [try op(2_000, "r1", 5, 7, observed(text("red"), [at(ended, 2, 0)]))]),
            // The same batch once more has no effect, whatever it says.
            try scribe.write(
                by: Kit.a, in: "things", [try op(2_000, "r1", 5, 6, red)],
                restates: Restatement(incarnation: ended.incarnation, seq: 2, indices: [0])),
        ]
        return Story(
            name: "batches of an ended life, said again",
            says: "Operations count at their old places: the removal names one of them.",
            batches: batches)
    }

    private static func otherGroup() throws -> Story {
        var scribe = try Scribe()
        let origin = Restatement.Origin(
            group: Bytes32([UInt8](repeating: 0xb0, count: 32)) ?? .zero,
            device: Bytes32([UInt8](repeating: 0xd0, count: 32)) ?? .zero)
        let life = Incarnation([UInt8](repeating: 0x1f, count: 8)) ?? .zero
        let author = AuthorName.author(device: origin.device, incarnation: life)
        let (red, blue) = (observed(text("red")), observed(text("blue")))
        func again(_ seq: UInt64, _ indices: [UInt32]? = nil) -> Restatement {
            Restatement(origin: origin, incarnation: life, seq: seq, indices: indices)
        }
        let removal = observed(text("red"), [Position(chain: author, seq: 1, index: 0)])
        let batches = [
            try scribe.write(
                by: Kit.a, in: "things",
                [try op(2_000, "r1", 5, 6, red), try op(2_000, "r1", 5, 6, blue, delta: 1)],
                restates: again(1)),
            try scribe.write(
                by: Kit.a, in: "things", [try op(2_000, "r1", 5, 7, removal)],
                restates: again(2)),
            // Number 3 is missing, so that this one waits.
            try scribe.write(
                by: Kit.b, in: "things", [try op(2_000, "r1", 1, 1, text("waits"))],
                restates: again(4, [0])),
        ]
        return Story(
            name: "batches of another group",
            says: "Operations count at their places there; number 4 waits for number 3.",
            batches: batches)
    }

    private static func attributes() throws -> Story {
        var scribe = try Scribe()
        let batch = try scribe.write(
            by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("x"))],
            attributes: .kit(
                intent: Array("a wish".utf8),
                unknown: [.init(key: 9, item: text("later")), .init(key: 1_000, item: [0x80])]))
        return Story(
            name: "an intent and attributes of a later version",
            says: "Unknown keys are kept and change nothing.", batches: [batch])
    }

    private static func chain() throws -> Story {
        var scribe = try Scribe()
        let batches = try (1...3).map { number in
            try scribe.write(
                by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("\(number)"))],
                attributes: .kit(stamp: (Kit.wall + Int64(number)) << 16))
        }
        return Story(
            name: "a chain", says: "Each names the one before it; the latest stamp wins.",
            batches: batches)
    }

    private static let commit = CommitID(repeating: 0x77)

    private static func part(
        _ scribe: inout Scribe, _ part: UInt32, of parts: UInt32, _ record: String,
        in scope: String = "things", scopes: [BatchAttributes.PartScope] = []
    ) throws -> WrittenBatch {
        let collection: UInt32 = scope == "things" ? 2_000 : scope == "lists" ? 2_001 : 2_002
        let cells = item {
            $0.array(1)
            $0.array(2)
            $0.unsigned(1)
            $0.text("part \(part)")
        }
        let operation =
            collection == 2_002
            ? try op(2_002, record, 0, 8, cells)
            : try op(collection, record, 1, 1, text("part \(part)"))
        return try scribe.write(
            by: Kit.a, in: scope, [operation],
            attributes: .kit(commit: commit, part: part, parts: parts, partScopes: scopes))
    }

    private static func parts() throws -> Story {
        var scribe = try Scribe()
        let batches = [
            try part(&scribe, 1, of: 2, "r1"), try part(&scribe, 2, of: 2, "r2"),
        ]
        return Story(
            name: "a commit in two parts", says: "Nothing shows before both are there.",
            batches: batches)
    }

    private static func partsOfSeveralScopes() throws -> Story {
        var scribe = try Scribe()
        let names = ["things", "lists", "log/2027-01"]
        let scopes = try names.map { try scribe.scope($0) }.sorted()
            .map { BatchAttributes.PartScope(scope: $0, parts: 1) }
        let records = ["r1", "l1", "2027-01-15/1"]
        var batches: [WrittenBatch] = []
        for (index, name) in names.enumerated() {
            batches.append(
                try part(
                    &scribe, UInt32(index + 1), of: 3, records[index], in: name, scopes: scopes))
        }
        return Story(
            name: "a commit in three scopes",
            says: "Attribute 8 says how many parts each has; a replica of some waits for those.",
            batches: batches)
    }

    private static func partTwice() throws -> Story {
        var scribe = try Scribe()
        let batches = [
            try part(&scribe, 1, of: 2, "r1"), try part(&scribe, 2, of: 2, "r2"),
            try part(&scribe, 2, of: 2, "r3"),
        ]
        return Story(
            name: "a part number twice",
            says: "The two count once, and both take effect.", batches: batches)
    }

    private static func partMissing() throws -> Story {
        var scribe = try Scribe()
        let batches = [
            try part(&scribe, 1, of: 2, "r1"), try part(&scribe, 1, of: 2, "r2"),
            try scribe.write(by: Kit.a, in: "things", [try op(2_000, "r3", 1, 1, text("after"))]),
        ]
        return Story(
            name: "a part number that never comes",
            says: "Two parts 1 of 2: neither shows, and nothing behind them in the chain.",
            batches: batches)
    }

    private static func dependency() throws -> Story {
        var scribe = try Scribe()
        let first = try scribe.write(by: Kit.a, in: "things", try every(), form: .rows)
        let scope = try scribe.scope("things")
        let second = try scribe.write(
            by: Kit.b, in: "things",
            [try op(2_000, "r1", 5, 7, observed(text("red"), [at(Kit.a, 1, 5)]))],
            attributes: .kit(
                stamp: (Kit.wall + 5) << 16, authors: [Kit.a.author],
                dependencies: [
                    .init(scope: scope, heads: [.init(author: 0, seq: 1, prefix: first.id.prefix8)])
                ]))
        return Story(
            name: "a dependency that comes later",
            says: "The second author's batch arrives first, and shows with what it depends on.",
            batches: [second, first])
    }

    private static func earlierEpoch() throws -> Story {
        var scribe = try Scribe()
        let batch = try scribe.write(
            by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("old key"))], epochNumber: 1)
        return Story(
            name: "a batch of the first epoch",
            says: "A device that was admitted later reads it with the wrapped key.",
            batches: [batch])
    }
}
