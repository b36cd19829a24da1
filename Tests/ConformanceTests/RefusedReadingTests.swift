import LinnetChannel
import LinnetWire
import Testing

@testable import LinnetReplication

/// What ends a session, out of the files.
@Suite struct RefusedReadingTests {
    static let readers: [MessageType: @Sendable ([UInt8]) throws -> [UInt8]] = [
        .hello: { try HelloMessage.decode($0).encode() },
        .have: { try HaveMessage.decode($0).encode() },
        .need: { try NeedMessage.decode($0).encode() },
        .batch: { try BatchMessage.decode($0).encode() },
        .ack: { try AckMessage.decode($0).encode() },
        .fork: { try ForkMessage.decode($0).encode() },
        .certificate: { try CertificateMessage.decode($0).encode() },
        .blockGet: { try BlockGetMessage.decode($0).encode() },
        .block: { try BlockMessage.encode(BlockMessage.decode($0)) },
        .blockNone: {
            try BlockNoneMessage.decode($0)
            return BlockNoneMessage.encoded
        },
        .memberHeads: { try MemberHeadsMessage.decode($0).encode() },
        .memberGet: { try MemberGetMessage.decode($0).encode() },
        .memberRecords: { try MemberRecordsMessage.decode($0).encode() },
    ]

    @Test func `refused bodies, frames and prefaces are refused`() throws {
        let file = try Facts(file: "refused")
        for facts in try file["messages"].items {
            let type = try #require(MessageType(rawValue: UInt8(try facts["type"].number)))
            let body = try facts["body"].bytes
            guard let read = Self.readers[type] else {
                // The eight bytes of a ping and their head.
                #expect(type == .ping && body.count != 9)
                continue
            }
            #expect(throws: WireError.self, facts.comment("why")) {
                _ = try read(body)
            }
        }
        for facts in try file["plaintexts"].items {
            let frames = try facts["frames"].items.map { try $0.bytes }
            #expect(throws: WireError.self, facts.comment("why")) {
                var assembler = MessageAssembler()
                for frame in frames { _ = try assembler.append(frame) }
            }
        }
        for facts in try file["prefaces"].items {
            let bytes = try facts["bytes"].bytes
            #expect(throws: ChannelError.self, facts.comment("why")) {
                _ = try Preface(parsing: bytes)
            }
        }
    }
}
