import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// One author, two histories: the proof, the names of the branches, and what they show.
enum ForkVectors {
    static func make() throws -> JSON {
        var scribe = try Scribe()
        func write(_ device: KitDevice, _ value: String, _ later: Int64) throws -> WrittenBatch {
            try scribe.write(
                by: device, in: "things",
                [
                    try op(2_000, "r1", 1, 1, text(value)),
                    try op(2_000, "r1", 5, 6, observed(text(value)), delta: 1),
                ], attributes: .kit(stamp: (Kit.wall + later) << 16))
        }
        let trunk = try write(Kit.a, "before the fork", 0)
        let backup = scribe.head(of: Kit.a, "things")
        let left = [try write(Kit.a, "left", 1), try write(Kit.a, "left again", 2)]
        scribe.restore(Kit.a, "things", to: backup)
        let right = [try write(Kit.a, "right", 3)]
        let scope = try scribe.scope("things")
        // The branch on which the author stands, and what lies below the fork.
        let own = try scribe.write(
            by: Kit.a, in: "things",
            [
                try op(2_000, "r1", 5, 7, observed(text("left"), [at(Kit.a, 2, 1)])),
                try op(2_000, "r1", 5, 7, observed(text("right"), [at(Kit.a, 2, 1)])),
                try op(
                    2_000, "r1", 5, 7, observed(text("before the fork"), [at(Kit.a, 1, 1)])),
            ], attributes: .kit(stamp: (Kit.wall + 4) << 16))
        let all = [trunk] + left + right + [own]
        let proof = ForkMessage(
            first: left[0].batch.signedHeader, second: right[0].batch.signedHeader)
        let end = try end(of: [all, [trunk] + right + [own] + left])
        let readers = try readers(of: left, right, &scribe)
        let read = try self.end(
            of: [all + readers, [trunk] + right + [own, readers[0]] + left + [readers[1]]])
        return [
            "about": "docs/protocol.md, Forks. The end is the same in whatever order they come.",
            "author": .hex(Kit.a.author.array), "scope": .hex(scope.array), "divergesAt": 2,
            "trunk": [trunk.facts], "left": .array(left.map(\.facts)),
            "right": .array((right + [own]).map(\.facts)),
            "branches": .array(
                [("left", left[0]), ("right", right[0])].map { name, first in
                    [
                        "name": .text(name), "first": .hex(first.id.array),
                        "chain": .hex(
                            BatchName.branch(
                                author: Kit.a.author, scope: scope, seq: 2, first: first.id
                            ).array),
                    ]
                }), "fork": .hex(proof.encode()), "chains": end.chains,
            "shown": end.shown,
            "readers": [
                "about": "Another author took away an element of each branch, named alike.",
                "batches": .array(readers.map(\.facts)), "chains": read.chains,
                "shown": read.shown,
            ],
        ]
    }

    /// The holdings and the sight of a device that gets the batches, in each of some orders.
    private static func end(
        of orders: [[WrittenBatch]]
    ) throws -> (chains: JSON, shown: JSON) {
        let ends = try orders.map { order in
            let vessel = try Vessel(Kit.b)
            try vessel.apply(order.map(\.batch))
            return (chains: vessel.chains, shown: try vessel.shown())
        }
        guard ends.allSatisfy({ $0.chains.file == ends[0].chains.file }),
            ends.allSatisfy({ $0.shown.file == ends[0].shown.file })
        else { throw Scribe.Missing() }
        return ends[0]
    }

    /// One place, named by one author in two batches: in each it means the branch that the batch
    /// names as seen.
    private static func readers(
        of left: [WrittenBatch], _ right: [WrittenBatch], _ scribe: inout Scribe
    ) throws -> [WrittenBatch] {
        var written: [WrittenBatch] = []
        for (value, seen) in [("left", left[0]), ("right", right[0])] {
            let head = BatchAttributes.Dependency(author: 0, seq: 2, prefix: seen.id.prefix8)
            let stamp = (Kit.wall + 5 + Int64(written.count)) << 16
            written.append(
                try scribe.write(
                    by: Kit.formerA, in: "things",
                    [try op(2_000, "r1", 5, 7, observed(text(value), [at(Kit.a, 2, 1)]))],
                    attributes: .kit(
                        stamp: stamp, authors: [Kit.a.author],
                        dependencies: [
                            .init(scope: try scribe.scope("things"), heads: [head])
                        ])))
        }
        return written
    }
}
