import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// Sessions out of the files: opened with the stated keys, and played to a replica.
@Suite struct SessionReadingTests {
    private func sessions() throws -> [Facts] {
        try Facts(file: "session")["sessions"].items.map { try $0["session"] }
            + [try Facts(file: "pairing")["code"]["session"]]
    }

    @Test func `the handshake follows from the stated secrets`() throws {
        for session in try sessions() {
            func side(_ name: String) throws -> NoiseWalk.Side {
                NoiseWalk.Side(
                    ephemeral: try session[name]["ephemeralSecret"].bytes,
                    fixed: try session[name]["noiseSecret"].bytes)
            }
            let walk = try NoiseWalk(
                initiator: try side("initiator"), responder: try side("responder"),
                psk: try session["presharedKey"].bytes, prologue: try session["prologue"].bytes)
            let handshake = try session["handshake"]
            #expect(try walk.messages == handshake["messages"].items.map { try $0.bytes })
            #expect(try walk.hash == handshake["hash"].bytes)
            #expect(try walk.transport.0 == handshake["initiatorKey"].bytes)
            #expect(try walk.transport.1 == handshake["responderKey"].bytes)
        }
    }

    @Test func `every frame opens, and every message is read and written alike`() throws {
        var seen: Set<MessageType> = []
        for session in try sessions() {
            let handshake = try session["handshake"]
            var assemblers = ["initiator": MessageAssembler(), "responder": MessageAssembler()]
            for frame in try session["frames"].items {
                let from = try frame["from"].text
                let plaintext = try NoiseWalk.open(
                    try frame["ciphertext"].bytes, key: try handshake[from + "Key"].bytes,
                    number: try frame["number"].number)
                #expect(try plaintext == frame["plaintext"].bytes)
                let messages = try #require(try assemblers[from]?.append(plaintext))
                let stated = try frame["messages"].items
                #expect(messages.count == stated.count)
                for (message, facts) in zip(messages, stated) {
                    #expect(try message.body == facts["body"].bytes)
                    let type = try #require(MessageType(rawValue: message.type))
                    seen.insert(type)
                    guard let read = RefusedReadingTests.readers[type] else { continue }
                    #expect(try read(message.body) == message.body, "\(type)")
                }
            }
        }
        let wanted: Set<MessageType> = [
            .hello, .have, .need, .batch, .ack, .certificate, .memberHeads, .ping, .pong,
            .pairHello, .pairSchema, .pairWelcome, .pairDone, .close,
        ]
        #expect(wanted.isSubset(of: seen), "the kit lacks \(wanted.subtracting(seen))")
    }

    @Test(arguments: [0, 1])
    func `a replica that hears what the initiator sent ends as stated`(number: Int) throws {
        try play(number, as: "responder", Kit.b, Recording.responderSeed)
    }

    /// Of the first session alone the initiator does more than answer.
    @Test func `a replica that hears what the responder sent ends as stated`() throws {
        try play(1, as: "initiator", Kit.a, Recording.initiatorSeed)
    }

    @Test func `a forked author's branches are proven, listed by name and given to who lacks them`()
        throws
    {
        let facts = try Facts(file: "session")["sessions"].items[1]
        let branches = try ["initiator", "responder"].map { side in
            let first = try facts["held"][side].items[1]["id"].bytes32
            let scope = try facts["held"][side].items[1]["scope"].bytes16
            return BatchName.branch(author: Kit.formerA.author, scope: scope, seq: 2, first: first)
        }
        var proofs = 0
        for (side, branch) in zip(["initiator", "responder"], branches) {
            let messages = try facts["session"]["frames"].items
                .filter { try $0["from"].text == side }.flatMap { try $0["messages"].items }
            let listed = try messages.filter { try $0["name"].text == "ack" }.flatMap {
                try AckMessage.decode($0["body"].bytes).listing.scopes.flatMap(\.heads)
            }
            #expect(listed.map(\.chain).contains(branch), "\(side)")
            proofs += try messages.count { try $0["name"].text == "fork" }
        }
        // A side that got the proof does not send it back.
        #expect(proofs == 1)
        let ends = try facts["chains"].items.map { try $0["chain"].bytes16 }
        #expect(Set(branches + [Kit.formerA.author]).isSubset(of: ends))
    }

    /// One side, from what it held and the bytes that the other side sent.
    private func play(
        _ number: Int, as side: String, _ device: KitDevice, _ seed: UInt8
    ) throws {
        let facts = try Facts(file: "session")["sessions"].items[number]
        let vessel = try Vessel(device)
        try vessel.apply(try facts["held"][side].items.map { try $0.sealedBatch() })
        vessel.replica.entropy = Kit.entropy(seed)
        let origin: LinkOrigin = side == "initiator" ? .dialled : .accepted
        _ = vessel.replica.handle(.linkOpened(Recording.link, origin), at: Kit.now)
        for piece in try facts["session"]["pieces"].items where try piece["from"].text != side {
            _ = vessel.replica.handle(
                .received(Recording.link, try piece["bytes"].bytes), at: Kit.now)
        }
        #expect(try vessel.digest() == facts["shown"]["digest"].bytes32)
        #expect(try vessel.vectorDigest() == facts["vectorDigest"].bytes32)
        if side == "responder" { #expect(vessel.replica.sessions.all.isEmpty) }
    }
}
