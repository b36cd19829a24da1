import Foundation
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// The published vectors of draft-irtf-cfrg-cpace-21, and its rules for points.
struct CPaceTests {
    private let vectors: [String: Any]

    init() throws {
        let url = try #require(
            Bundle.module.url(
                forResource: "cpace-ristretto255", withExtension: "json", subdirectory: "Vectors"))
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        vectors = try #require(json as? [String: Any])
    }

    private func section(_ name: String) throws -> [String: String] {
        let section = try #require(vectors[name] as? [String: Any])
        return section.compactMapValues { $0 as? String }
    }

    private func bytes(_ section: [String: String], _ name: String) throws -> [UInt8] {
        try #require(section[name].flatMap(Hex.decode))
    }

    private func utility(_ index: Int, _ call: String) throws -> [UInt8] {
        let utilities = try #require(vectors["string_utilities"] as? [[String: [String: String]]])
        let vectors = try #require(utilities[index].values.first)
        return try #require(vectors[call].flatMap(Hex.decode))
    }

    @Test func `lengths are prepended as published`() throws {
        #expect(CPace.prependLength([]) == (try utility(0, "prepend_len(b'')")))
        #expect(
            CPace.prependLength(Array("1234".utf8)) == (try utility(0, "prepend_len(b'1234')")))
        for count in [127, 128] {
            let expected = try utility(0, "prepend_len(bytes(range(\(count))))")
            #expect(CPace.prependLength((0..<count).map(UInt8.init)) == expected)
        }
        #expect(
            Array(CPace.prependLength([UInt8](repeating: 0, count: 300)).prefix(2)) == [0xac, 2])
    }

    @Test func `parts are joined as published`() throws {
        let parts = ["1234", "5", "", "678"].map { Array($0.utf8) }
        #expect(
            CPace.lvCat(parts[0], parts[1], parts[2], parts[3])
                == (try utility(1, "lv_cat(b'1234',b'5',b'',b'678')")))
    }

    @Test(arguments: [("123", "234"), ("3456", "2345")])
    func `transcripts are joined as published`(first: String, second: String) throws {
        let expected = try utility(
            3, "transcript_ir(b'\(first)',b'PartyA',b'\(second)',b'PartyB')")
        #expect(
            CPace.transcript(
                initiatorShare: Array(first.utf8), initiatorData: Array("PartyA".utf8),
                responderShare: Array(second.utf8), responderData: Array("PartyB".utf8))
                == expected)
    }

    @Test func `the generator is the published one`() throws {
        let vector = try section("calculate_generator")
        let (password, channel, session) = (
            try bytes(vector, "PRS"), try bytes(vector, "CI"), try bytes(vector, "sid")
        )
        #expect(
            CPace.generatorString(password: password, channel: channel, session: session)
                == (try bytes(vector, "generator_string(G.DSI,PRS,CI,sid,H.s_in_bytes)")))
        #expect(
            CPace.generator(password: password, channel: channel, session: session)
                == (try bytes(vector, "encoded generator g")))
    }

    @Test func `shares, session key and session output are the published ones`() throws {
        let vector = try section("protocol")
        let first = SecretBytes(copying: try bytes(vector, "ya"))
        let second = SecretBytes(copying: try bytes(vector, "yb"))
        let (generator, session) = (try bytes(vector, "g"), try bytes(vector, "sid"))
        let firstShare = try CPace.share(scalar: first, generator: generator)
        let secondShare = try CPace.share(scalar: second, generator: generator)
        #expect(firstShare == (try bytes(vector, "Ya")))
        #expect(secondShare == (try bytes(vector, "Yb")))
        let transcript = CPace.transcript(
            initiatorShare: firstShare, initiatorData: try bytes(vector, "ADa"),
            responderShare: secondShare, responderData: try bytes(vector, "ADb"))
        let expected = try bytes(vector, "ISK_IR")
        let firstKey = try CPace.sessionKey(
            scalar: first, peerShare: secondShare, session: session, transcript: transcript)
        let secondKey = try CPace.sessionKey(
            scalar: second, peerShare: firstShare, session: session, transcript: transcript)
        #expect(firstKey.exposed() == expected)
        #expect(secondKey.exposed() == expected)
        #expect(
            CPace.sessionOutput(transcript: transcript) == (try bytes(vector, "sid_output_ir")))
    }

    @Test func `the published valid point multiplies, the invalid ones abort`() throws {
        let points = try #require(vectors["points"] as? [String: Any])
        let valid = try #require(points["Valid"] as? [String: String])
        let scalar = SecretBytes(copying: try bytes(valid, "s"))
        #expect(
            try CPace.share(scalar: scalar, generator: try bytes(valid, "X"))
                == (try bytes(valid, "G.scalar_mult_vfy(s,X)")))
        for name in ["Invalid Y1", "Invalid Y2"] {
            let point = try #require((points[name] as? String).flatMap(Hex.decode))
            #expect(throws: MembershipError.badShare) {
                _ = try CPace.share(scalar: scalar, generator: point)
            }
            #expect(throws: MembershipError.badShare) {
                _ = try CPace.sessionKey(
                    scalar: scalar, peerShare: point, session: [], transcript: [])
            }
        }
    }

    @Test func `points that are no canonical element abort`() throws {
        let scalar = SecretBytes(copying: [5] + [UInt8](repeating: 0, count: 31))
        var nonCanonical = [UInt8](repeating: 0xff, count: 32)
        nonCanonical[31] = 0x7f
        for point in [
            nonCanonical, [UInt8](repeating: 0xff, count: 32),
            [1] + [UInt8](repeating: 0, count: 31),
            [UInt8](repeating: 2, count: 31), [UInt8](repeating: 2, count: 33), [],
        ] {
            #expect(throws: MembershipError.badShare) {
                _ = try CPace.sessionKey(
                    scalar: scalar, peerShare: point, session: [], transcript: [])
            }
        }
    }
}
