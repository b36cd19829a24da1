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

    @Test func `a replica that hears the recorded bytes ends as stated`() throws {
        let facts = try Facts(file: "session")["sessions"].items[0]
        let vessel = try Vessel(Kit.b)
        try vessel.apply(try SessionVectors.answering())
        vessel.replica.entropy = Kit.entropy(Recording.responderSeed)
        _ = vessel.replica.handle(.linkOpened(Recording.link, .accepted), at: Kit.now)
        for piece in try facts["session"]["pieces"].items
        where try piece["from"].text == "initiator" {
            _ = vessel.replica.handle(
                .received(Recording.link, try piece["bytes"].bytes), at: Kit.now)
        }
        #expect(try vessel.digest() == facts["shown"]["digest"].bytes32)
        #expect(try vessel.vectorDigest() == facts["vectorDigest"].bytes32)
        #expect(vessel.replica.sessions.all.isEmpty)
    }
}
