import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// Whole sessions between members, from the first byte to the last.
enum SessionVectors {
    static func make() throws -> JSON {
        [
            "about":
                "docs/protocol.md, Channel, Messages, Anti-entropy: whole sessions, both sides.",
            "sessions": [try synchronised()],
        ]
    }

    /// What a holds when it dials b.
    static func dialling() throws -> [SealedBatch] {
        var scribe = try Scribe()
        return [
            try scribe.write(by: Kit.a, in: "things", try BatchVectors.every()).batch,
            try scribe.write(
                by: Kit.a, in: "things", [try op(2_000, "r3", 1, 1, text("third"))]
            ).batch,
            try scribe.write(by: Kit.a, in: "lists", [try op(2_001, "l1", 1, 1, text("l"))]).batch,
        ]
    }

    /// What b holds when it is dialled.
    static func answering() throws -> [SealedBatch] {
        var scribe = try Scribe()
        return [
            try scribe.write(
                by: Kit.b, in: "things", [try op(2_000, "r1", 1, 1, text("of b"))],
                attributes: .kit(stamp: (Kit.wall + 1) << 16)
            ).batch
        ]
    }

    /// Handshake, membership, hello and have on both sides, batches both ways, a batch of another
    /// author that is announced and asked for, certificates, a ping, a close.
    private static func synchronised() throws -> JSON {
        let (a, b) = (try Vessel(Kit.a), try Vessel(Kit.b))
        try a.apply(try dialling())
        try b.apply(try answering())
        let recording = Recording(a, b)
        recording.open(.dialled)
        var scribe = try Scribe()
        let earlier = try scribe.write(
            by: Kit.formerA, in: "things", [try op(2_000, "r4", 1, 1, text("from before"))])
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
            recording, "two members synchronise", "a dials b; each has what the other lacks.")
    }

    private static func ended(
        _ recording: Recording, _ name: String, _ says: String
    ) throws -> JSON {
        let ring = try Kit.ring()
        guard let psk = ring.memberPSKs.first?.psk.bytes.exposed() else { throw Scribe.Missing() }
        let ends = [recording.initiator, recording.responder]
        guard try ends[0].vectorDigest() == ends[1].vectorDigest() else {
            throw Scribe.Missing("\(recording.events)")
        }
        return JSON.object([("name", .text(name)), ("says", .text(says))]).with(
            ("session", try Transcript(recording).facts(psk: psk)),
            ("chains", ends[0].chains),
            ("vectorDigest", .hex(try ends[0].vectorDigest().array)),
            ("shown", try ends[0].shown()))
    }
}
