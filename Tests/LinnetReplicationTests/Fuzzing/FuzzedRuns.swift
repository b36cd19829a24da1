import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

@testable import LinnetReplication

/// Inputs of real runs, from which libFuzzer begins.
enum FuzzedRuns {
    /// The bytes that a real device sent on a link, with a pairing dialled as well.
    static var strangers: [[UInt8]] {
        let host = FuzzedReplica(3)
        let code = FuzzedSetup.made { try PairingCode(parsing: "123456") }
        let origins: [LinkOrigin] = [.dialled, .dialledToPair(.code(code))]
        let dialled = origins.map { origin in spoken(to: host, origin) }
        return dialled + [FuzzedPieces.join([(0, []), (1, [0, 0]), (2, [76, 73])])]
    }

    /// Returns the bytes that another real device says to a replica.
    private static func spoken(to host: FuzzedReplica, _ origin: LinkOrigin) -> [UInt8] {
        let path = FuzzedHome.shared.copy(4)
        defer { FuzzedHome.remove(path) }
        var other = FuzzedSetup.made { try FuzzedHome.open(path, FuzzedHome.hearer, life: 2) }
        var pieces: [(verb: UInt8, bytes: [UInt8])] = []
        let link = host.accept()
        var effects = other.handle(.linkOpened(LinkID(rawValue: 1), origin), at: host.now)
        for _ in 0..<20 {
            var answers: [[UInt8]] = []
            for case .send(_, let bytes) in effects {
                pieces.append((2, bytes))
                host.feed(.received(link, bytes))
            }
            answers += host.takeSent(on: link)
            guard !answers.isEmpty else { break }
            effects = answers.flatMap {
                other.handle(.received(LinkID(rawValue: 1), $0), at: host.now)
            }
        }
        return FuzzedPieces.join(pieces)
    }

    /// Messages that a real replica says in a session, each batch also as its author signed it
    /// anew, and records of the membership.
    static var sessions: [[UInt8]] {
        let host = FuzzedReplica(5)
        let talker = FuzzedTalker(host, isMember: true)
        var need = NeedMessage(ranges: [])
        for row in host.replica?.log.chainRows() ?? [] {
            need.ranges.append(
                NeededRange(scope: row.scope, chain: row.chain, first: 1, last: row.stored))
        }
        talker.play(FuzzedPieces.join([(MessageType.need.rawValue, need.encode())]))
        let said = talker.heard.map { FuzzedPieces.join([($0.type, $0.body)]) }
        let whole = FuzzedPieces.join(talker.heard.map { (verb: $0.type, bytes: $0.body) })
        return said + [whole] + batches(of: host) + records(of: FuzzedHome.shared.log)
    }

    private static func batches(of host: FuzzedReplica) -> [[UInt8]] {
        var made: [[UInt8]] = []
        for row in host.replica?.log.chainRows() ?? [] {
            for seq in row.first...max(row.first, row.stored) {
                let plaintext = FuzzedSetup.made {
                    try host.replica?.log.content(chain: row, seq: seq)?.body?.encodePlaintext()
                }
                guard let plaintext else { continue }
                made.append(FuzzedPieces.join([(0xf0, [1, 0, 0] + plaintext)]))
                made.append(
                    FuzzedPieces.join([
                        (0xf0, [2, 0, 0] + plaintext), (0xf0, [2, 2, 0] + plaintext),
                        (0xf0, [2, 1, 0] + plaintext), (0xf3, [0]), (0xf4, []),
                    ]))
            }
        }
        return made
    }

    /// The payload is the last of a body's seven parts.
    private static func records(of log: MembershipLog) -> [[UInt8]] {
        log.records.map { record in
            let payload = FuzzedSetup.made {
                var outer = CBORReader(record.encoded)
                try outer.array(exactly: 2)
                var reader = CBORReader(try outer.rawItem())
                try reader.array(exactly: 7)
                for _ in 0..<6 { _ = try reader.rawItem() }
                return try reader.rawItem()
            }
            return FuzzedPieces.join([
                (0xf2, [record.kind, 0] + payload), (0xf2, [record.kind, 1] + payload),
                (0xf2, [200, 0, 0xf6]), (0xf2, [100, 0, 0xf6]),
            ])
        }
    }
}
