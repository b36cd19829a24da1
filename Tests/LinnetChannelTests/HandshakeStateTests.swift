import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

struct HandshakeStateTests {
    // Every vector of the files runs, but for the one XXfallback of noise-c.
    @Test(arguments: [
        ("noise-cacophony-25519-chachapoly-blake2b", 59, 59),
        ("noise-snow-multipsk-25519-chachapoly-blake2b", 13, 13),
        ("noise-noisec-25519-chachapoly-blake2b", 15, 16),
        ("noise-generated-xxpsk0-25519-chachapoly-blake2b", 3, 3),
    ])
    func `every published vector in scope is reproduced`(
        file: String, inScope: Int, all: Int
    ) throws {
        let vectors = try NoiseVector.load(file)
        #expect(vectors.count == all)
        var skipped: [String] = []
        var run = 0
        for vector in vectors {
            guard let pattern = NoisePatterns.pattern(named: vector.patternName) else {
                skipped.append(vector.patternName)
                continue
            }
            try check(vector, pattern)
            run += 1
        }
        #expect(run == inScope)
        #expect(skipped.allSatisfy { $0 == "XXfallback" })
    }

    @Test func `the channel's pattern is the one of the table`() {
        #expect(NoisePatterns.pattern(named: "XXpsk0") == HandshakePattern.xxpsk0)
        #expect(
            HandshakePattern.xxpsk0.protocolName == "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b")
    }

    private func check(_ vector: NoiseVector, _ pattern: HandshakePattern) throws {
        var initiator = try vector.initiator(pattern)
        var responder = try vector.responder(pattern)
        let isOneWay = pattern.messages.count == 1
        var index = 0
        for message in vector.messages.prefix(pattern.messages.count) {
            let payload = try #require(Hex.decode(message.payload))
            let written: [UInt8]
            let read: [UInt8]
            if index.isMultiple(of: 2) {
                written = try initiator.writeMessage(payload)
                read = try responder.readMessage(written)
            } else {
                written = try responder.writeMessage(payload)
                read = try initiator.readMessage(written)
            }
            #expect(Hex.encode(written) == message.ciphertext, "\(vector.patternName) \(index)")
            #expect(read == payload)
            index += 1
        }
        #expect(initiator.isFinished && responder.isFinished)
        #expect(initiator.handshakeHash == responder.handshakeHash)
        if let hash = vector.handshakeHash { #expect(Hex.encode(initiator.handshakeHash) == hash) }
        var first = initiator.split(rekeyIntervalMessages: Limits.rekeyIntervalMessages)
        var second = responder.split(rekeyIntervalMessages: Limits.rekeyIntervalMessages)
        for message in vector.messages.dropFirst(pattern.messages.count) {
            let payload = try #require(Hex.decode(message.payload))
            let written: [UInt8]
            let read: [UInt8]
            if isOneWay || index.isMultiple(of: 2) {
                written = try first.encrypt(payload)
                read = try second.decrypt(written)
            } else {
                written = try second.encrypt(payload)
                read = try first.decrypt(written)
            }
            #expect(Hex.encode(written) == message.ciphertext, "\(vector.patternName) \(index)")
            #expect(read == payload)
            index += 1
        }
        #expect(index == vector.messages.count)
    }
}
