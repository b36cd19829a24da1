import Foundation
import LinnetWire
import Testing

@testable import LinnetReplication

/// Messages as earlier releases wrote them: this one reads them, and writes the same bytes.
@Suite struct RecordedWireTests {
    /// Reads a body and writes it again, by the name of its kind.
    private static let kinds: KeyValuePairs<String, @Sendable ([UInt8]) throws -> [UInt8]> = [
        "hello": { try HelloMessage.decode($0).encode() },
        "have": { try HaveMessage.decode($0).encode() },
        "ack": { try AckMessage.decode($0).encode() },
        "need": { try NeedMessage.decode($0).encode() },
        "batch": { try BatchMessage.decode($0).encode() },
        "fork": { try ForkMessage.decode($0).encode() },
        "member-get": { try MemberGetMessage.decode($0).encode() },
        "member-heads": { try MemberHeadsMessage.decode($0).encode() },
        "member-records": { try MemberRecordsMessage.decode($0).encode() },
    ]

    private static let releases = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Releases")

    private static func recordings() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: releases, includingPropertiesForKeys: nil
        ).map { $0.appending(path: "wire.txt") }
    }

    @Test func `every message of every earlier release is read and written alike`() throws {
        let recordings = try Self.recordings()
        try #require(!recordings.isEmpty)
        for file in recordings {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            var seen: [String] = []
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                let body = try #require(Hex.decode(words[1]), "\(file.path)")
                let kind = try #require(Self.kinds.first { $0.key == words[0] })
                #expect(try kind.value(body) == body, "\(file.path): \(words[0])")
                seen.append(words[0])
            }
            #expect(seen.count >= Self.kinds.count)
        }
    }

    @Test func `a recording that was tampered with does not pass`() throws {
        let (_, batch) = try #require(Self.samples.first { $0.kind == "batch" })
        var longer = batch
        longer.append(0)
        #expect(throws: WireError.self) { try BatchMessage.decode(longer) }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["LINNET_KEEP_WIRE"] != nil))
    func `this release's messages are recorded`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["LINNET_KEEP_WIRE"])
        let lines = Self.samples.map { "\($0.kind) \(Hex.encode($0.body))\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static let samples: [(kind: String, body: [UInt8])] = {
        let (scope, chain) = (ScopeID(repeating: 1), AuthorID(repeating: 2))
        let group = GroupID(repeating: 3)
        let listing = VectorListing(scopes: [
            ListedScope(
                scope: scope,
                heads: [
                    ListedHead(chain: chain, seq: 9, prefix: Bytes8(repeating: 4)),
                    ListedHead(
                        chain: AuthorID(repeating: 5), seq: 1 << 39, prefix: Bytes8(repeating: 6)),
                ])
        ])
        let signature = [UInt8](repeating: 7, count: 64)
        let signed = SignedHeader(
            header: [1, 2, 3], ciphertextHash: [UInt8](repeating: 8, count: 32),
            signature: signature)
        let ids = [Bytes32(repeating: 9), Bytes32(repeating: 10)]
        return [
            (
                "hello",
                HelloMessage(
                    incarnation: Incarnation(repeating: 11), wallMilliseconds: 1_700_000_000_000,
                    schemaVersion: 7, creditLimit: 4_194_304
                ).encode()
            ),
            (
                "have",
                HaveMessage(form: .digested([1, 2, 3, 4, 5, 6, 7, 8]), listing: listing).encode()
            ),
            ("ack", AckMessage(listing: listing, creditLimit: 12).encode()),
            (
                "need",
                NeedMessage(
                    ranges: [NeededRange(scope: scope, chain: chain, first: 1, last: .max)]
                ).encode()
            ),
            (
                "batch",
                BatchMessage(
                    form: .full(header: [1, 2]), ciphertext: [3, 4, 5], signature: signature
                ).encode()
            ),
            (
                "batch",
                BatchMessage(
                    form: .continued(nonce: [UInt8](repeating: 13, count: 24)),
                    ciphertext: [6], signature: signature
                ).encode()
            ),
            ("fork", ForkMessage(first: signed, second: signed).encode()),
            ("member-get", MemberGetMessage(group: group, wanted: ids, held: ids).encode()),
            ("member-heads", MemberHeadsMessage(heads: ids).encode()),
            (
                "member-records",
                MemberRecordsMessage(group: group, records: [[0x80], [0x01]]).encode()
            ),
        ]
    }()
}
