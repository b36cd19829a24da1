import LinnetCrypto
import LinnetWire

@testable import LinnetMembership
@testable import LinnetReplication

/// A pairing by code from the first byte to the last, and tickets.
enum PairingVectors {
    static func make() throws -> JSON {
        [
            "about": "docs/protocol.md, Pairing. The shower a is a member, the typer is not.",
            "code": try code(), "tickets": .array(try tickets()),
            "refusedTickets": .array(refusedTickets.map(JSON.text)),
        ]
    }

    private static func code() throws -> JSON {
        let (typer, shower) = (try Vessel(Kit.stranger, records: []), try Vessel(Kit.a))
        typer.replica.setProfile(name: "the new one", kind: "laptop")
        shower.replica.setProfile(name: "a", kind: "other")
        typer.replica.pairingSchema = .empty
        shower.replica.entropy = Kit.entropy(72)
        shower.replica.pairingSchema = PairSchema(text: Array(schema.utf8)) ?? .empty
        guard let code = try shower.replica.offerPairing(addresses: [], at: Kit.now).code else {
            throw Scribe.Missing()
        }
        let recording = Recording(typer, shower)
        recording.open(.dialledToPair(.code(code)))
        recording.perform(
            shower.replica.handle(
                .pairingDecision(Recording.link, accept: true, role: .admin), at: Kit.now),
            byInitiator: false)
        guard typer.replica.isMember else { throw Scribe.Missing("\(recording.events)") }
        let (psk, shares, steps) = try exchange(code, recording)
        return [
            "digits": .text(code.digits), "cpace": steps,
            "session": try Transcript(recording).facts(psk: psk, shares: shares),
        ]
    }

    private static let schema = """
        {"version": 1, "collections": [{"id": 2000, "name": "note", "scope": "notes", \
        "fields": [{"id": 1, "name": "title", "type": "text"}]}]}
        """

    /// CPace with everything between the digits and the key.
    private static func exchange(
        _ code: PairingCode, _ recording: Recording
    ) throws -> (psk: [UInt8], shares: [UInt8], JSON) {
        let prefaces = [true, false].map {
            Array(recording.stream(fromInitiator: $0).prefix(24))
        }
        let sid = Array(prefaces[0].dropFirst(8)) + Array(prefaces[1].dropFirst(8))
        let channel = CPace.lvCat(
            Label.pair.bytes, Array("typer".utf8), Array("shower".utf8), prefaces[0], prefaces[1])
        let password = Array(code.digits.utf8)
        let generator = CPace.generator(password: password, channel: channel, session: sid)
        let seeds = [Recording.initiatorSeed, Recording.responderSeed].map {
            Recording.Draws(seed: $0).scalarSeed
        }
        let scalars = seeds.map {
            Ristretto.scalar(reducing: SecretBytes(copying: $0)).exposed()
        }
        let shares = try scalars.map {
            try CPace.share(scalar: SecretBytes(copying: $0), generator: generator)
        }
        let transcript = CPace.transcript(
            initiatorShare: shares[0], initiatorData: Array("typer".utf8),
            responderShare: shares[1], responderData: Array("shower".utf8))
        let key = try CPace.sessionKey(
            scalar: SecretBytes(copying: scalars[0]), peerShare: shares[1], session: sid,
            transcript: transcript)
        let product = try Ristretto.multiply(SecretBytes(copying: scalars[0]), shares[1])
        let output = CPace.sessionOutput(transcript: transcript)
        let psk = KeyDerivation.derive(key, .pairPSK, output).exposed()
        return (
            psk, shares[0] + shares[1],
            [
                "prs": .hex(password), "ci": .hex(channel), "sid": .hex(sid),
                "generatorString": .hex(
                    CPace.generatorString(password: password, channel: channel, session: sid)),
                "g": .hex(generator), "uniform": .array(seeds.map(JSON.hex)),
                "ya": .hex(scalars[0]), "yb": .hex(scalars[1]), "Ya": .hex(shares[0]),
                "Yb": .hex(shares[1]), "K": .hex(product.exposed()),
                "transcript": .hex(transcript), "isk": .hex(key.exposed()),
                "sidOutput": .hex(output), "psk": .hex(psk),
            ]
        )
    }

    private static func tickets() throws -> [JSON] {
        try [[], ["192.0.2.1:4711", "[2001:db8::1]:4711"]].map { texts in
            let addresses = texts.compactMap { PairingAddress(parsing: $0[...]) }
            guard addresses.count == texts.count else { throw Scribe.Missing() }
            var entropy = Kit.entropy(73)
            let ticket = PairingTicket(
                device: Kit.a.device, addresses: addresses, entropy: &entropy)
            return [
                "device": .hex(Kit.a.device.array), "secret": .hex(ticket.secret.bytes.exposed()),
                "addresses": .array(texts.map(JSON.text)), "uri": .text(ticket.text),
                "psk": .hex(ticket.psk.bytes.exposed()),
            ]
        }
    }

    private static let refusedTickets = [
        "linnet:1", "linnet:1?d=abc&s=def", "linnet:2?d=abc", "http://example.org/",
        "linnet:1?d=" + String(repeating: "a", count: 56) + "&s="
            + String(repeating: "A", count: 43),
    ]
}
