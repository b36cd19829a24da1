import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// Whole sessions between members, from the first byte to the last.
enum SessionVectors {
    /// The batches that the two sides hold when their link opens.
    struct Held {
        let initiator: [WrittenBatch]
        let responder: [WrittenBatch]
    }

    static func make() throws -> JSON {
        [
            "about":
                "docs/protocol.md, Channel, Messages, Anti-entropy: whole sessions, both sides.",
            "sessions": [try synchronised(), try healed()],
        ]
    }

    /// Each has what the other lacks.
    static func apart() throws -> Held {
        var (dialling, answering) = (try Scribe(), try Scribe())
        return Held(
            initiator: [
                try dialling.write(by: Kit.a, in: "things", try BatchVectors.every()),
                try dialling.write(
                    by: Kit.a, in: "things", [try op(2_000, "r3", 1, 1, text("third"))]),
                try dialling.write(by: Kit.a, in: "lists", [try op(2_001, "l1", 1, 1, text("l"))]),
            ],
            responder: [
                try answering.write(
                    by: Kit.b, in: "things", [try op(2_000, "r1", 1, 1, text("of b"))],
                    attributes: .kit(stamp: (Kit.wall + 1) << 16))
            ])
    }

    /// Each has another life of one author, and both what it wrote before.
    static func forked() throws -> Held {
        var scribe = try Scribe()
        func write(_ value: String, _ later: Int64) throws -> WrittenBatch {
            try scribe.write(
                by: Kit.formerA, in: "things",
                [
                    try op(2_000, "r1", 1, 1, text(value)),
                    try op(2_000, "r1", 5, 6, observed(text(value)), delta: 1),
                ], attributes: .kit(stamp: (Kit.wall + later) << 16))
        }
        let trunk = try write("before the fork", 0)
        let backup = scribe.head(of: Kit.formerA, "things")
        let left = [try write("left", 1), try write("left again", 2)]
        scribe.restore(Kit.formerA, "things", to: backup)
        return Held(initiator: [trunk] + left, responder: [trunk, try write("right", 3)])
    }

    /// Handshake, membership, hello and have on both sides, batches both ways, a batch of another
    /// author that is announced and asked for, certificates, a ping, a close.
    private static func synchronised() throws -> JSON {
        let held = try apart()
        let recording = try recording(of: held)
        recording.open(.dialled)
        var scribe = try Scribe()
        let earlier = try scribe.write(
            by: Kit.formerA, in: "things", [try op(2_000, "r4", 1, 1, text("from before"))])
        let a = recording.initiator
        try a.place(earlier.batch)
        recording.perform(try a.replica.settle(at: recording.now), byInitiator: true)
        recording.perform(
            try a.replica.exchangeStatements(at: recording.now), byInitiator: true)
        recording.now = Moment(
            wallMilliseconds: Kit.wall + 30_000, uptimeMilliseconds: 1_000 + 30_000)
        recording.perform(
            a.replica.handle(.deadlineReached, at: recording.now), byInitiator: true)
        recording.perform(a.replica.closeAllSessions(.shutdown), byInitiator: true)
        return try ended(
            recording, held, "two members synchronise", "a dials b; each has what the other lacks.")
    }

    /// The fork is found, proven and listed, the branches cross, and both end alike.
    private static func healed() throws -> JSON {
        let held = try forked()
        let recording = try recording(of: held)
        recording.open(.dialled)
        recording.perform(
            recording.initiator.replica.closeAllSessions(.shutdown), byInitiator: true)
        return try ended(
            recording, held, "a fork found and healed",
            "a dials b; each holds one branch of what a wrote in its life before.")
    }

    private static func recording(of held: Held) throws -> Recording {
        let (a, b) = (try Vessel(Kit.a), try Vessel(Kit.b))
        try a.apply(held.initiator.map(\.batch))
        try b.apply(held.responder.map(\.batch))
        return Recording(a, b)
    }

    private static func ended(
        _ recording: Recording, _ held: Held, _ name: String, _ says: String
    ) throws -> JSON {
        let ring = try Kit.ring()
        guard let psk = ring.memberPSKs.first?.psk.bytes.exposed() else { throw Scribe.Missing() }
        let ends = [recording.initiator, recording.responder]
        guard try ends[0].vectorDigest() == ends[1].vectorDigest(),
            try ends[0].digest() == ends[1].digest()
        else { throw Scribe.Missing("\(recording.events)") }
        return JSON.object([("name", .text(name)), ("says", .text(says))]).with(
            (
                "held",
                [
                    "initiator": .array(held.initiator.map(\.facts)),
                    "responder": .array(held.responder.map(\.facts)),
                ]
            ),
            ("session", try Transcript(recording).facts(psk: psk)),
            ("chains", ends[0].chains),
            ("vectorDigest", .hex(try ends[0].vectorDigest().array)),
            ("shown", try ends[0].shown()))
    }
}
