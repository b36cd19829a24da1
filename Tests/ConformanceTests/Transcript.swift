import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// A recorded session, taken apart with the keys that both sides are known to have.
struct Transcript {
    let recording: Recording
    let initiatorKeys: [UInt8]
    let responderKeys: [UInt8]

    init(_ recording: Recording) {
        self.recording = recording
        initiatorKeys = Transcript.noiseSecret(of: recording.initiator.device)
        responderKeys = Transcript.noiseSecret(of: recording.responder.device)
    }

    private static func noiseSecret(of device: KitDevice) -> [UInt8] {
        device.keys().secret.slice(32..<64).exposed()
    }

    /// The handshake and every frame; both shares of a pairing by code go into the prologue.
    func facts(psk: [UInt8], shares: [UInt8] = []) throws -> JSON {
        let draws = (
            Recording.Draws(seed: Recording.initiatorSeed),
            Recording.Draws(seed: Recording.responderSeed)
        )
        let streams = [true, false].map { recording.stream(fromInitiator: $0) }
        let prefaces = streams.map { Array($0.prefix(24)) }
        let prologue = Array("linnet/noise/1".utf8) + prefaces[0] + prefaces[1] + shares
        let walk = try NoiseWalk(
            initiator: .init(ephemeral: draws.0.ephemeral, fixed: initiatorKeys),
            responder: .init(ephemeral: draws.1.ephemeral, fixed: responderKeys), psk: psk,
            prologue: prologue)
        let skip = 24 + (shares.isEmpty ? 0 : 34)
        let handshakes = [[walk.messages[0], walk.messages[2]], [walk.messages[1]]]
        for (stream, messages) in zip(streams, handshakes) {
            guard stream.dropFirst(skip).starts(with: messages.flatMap(frame)) else {
                let found = Hex.encode(Array(stream.dropFirst(skip).prefix(200)))
                throw Scribe.Missing("the link had \(found), not \(messages.map(Hex.encode))")
            }
        }
        return [
            "initiator": side(recording.initiator, draws.0, initiatorKeys),
            "responder": side(recording.responder, draws.1, responderKeys),
            "presharedKey": .hex(psk), "prefaces": .array(prefaces.map(JSON.hex)),
            "prologue": .hex(prologue),
            "handshake": [
                "steps": .array(walk.steps), "messages": .array(walk.messages.map(JSON.hex)),
                "hash": .hex(walk.hash), "initiatorKey": .hex(walk.transport.0),
                "responderKey": .hex(walk.transport.1),
            ],
            "pieces": .array(
                recording.pieces.map { piece in
                    [
                        "from": piece.fromInitiator ? "initiator" : "responder",
                        "bytes": .hex(piece.bytes),
                    ]
                }),
            "frames": .array(try frames(walk, streams, handshakes, skip)),
        ]
    }

    private func side(
        _ vessel: Vessel, _ draws: Recording.Draws, _ secret: [UInt8]
    ) -> JSON {
        [
            "device": .text(vessel.device.name), "nonce": .hex(draws.nonce),
            "ephemeralSecret": .hex(draws.ephemeral), "noiseSecret": .hex(secret),
        ]
    }

    /// Every transport frame of each direction, opened and cut into messages.
    private func frames(
        _ walk: NoiseWalk, _ streams: [[UInt8]], _ handshakes: [[[UInt8]]], _ skip: Int
    ) throws -> [JSON] {
        var out: [JSON] = []
        for direction in 0..<2 {
            var reader = FrameReader()
            let before = skip + handshakes[direction].reduce(0) { $0 + $1.count + 2 }
            reader.append(Array(streams[direction].dropFirst(before)))
            var assembler = MessageAssembler()
            var number: UInt64 = 0
            let key = direction == 0 ? walk.transport.0 : walk.transport.1
            while let ciphertext = try reader.next() {
                let plaintext = try NoiseWalk.open(ciphertext, key: key, number: number)
                out.append([
                    "from": direction == 0 ? "initiator" : "responder", "number": JSON(number),
                    "ciphertext": .hex(ciphertext), "plaintext": .hex(plaintext),
                    "messages": .array(
                        try assembler.append(plaintext).map { message in
                            [
                                "type": .number(Int64(message.type)),
                                "name": .text(
                                    MessageType(rawValue: message.type).map { "\($0)" } ?? "unknown"
                                ),
                                "body": .hex(message.body),
                            ]
                        }),
                ])
                number += 1
            }
        }
        return out
    }
}
