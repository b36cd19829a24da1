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
        guard let host = FuzzedReplica(3) else { return [] }
        let secret = (try? PairingCode(parsing: "123456")).map(PairingSecret.code)
        let origins: [LinkOrigin?] = [.dialled, secret.map(LinkOrigin.dialledToPair)]
        let dialled = origins.compactMap { $0 }.map { origin in spoken(to: host, origin) }
        return dialled + [FuzzedPieces.join([(0, []), (1, [0, 0]), (2, [76, 73])])]
    }

    /// What another real device says to a replica, byte for byte.
    private static func spoken(to host: FuzzedReplica, _ origin: LinkOrigin) -> [UInt8] {
        guard let home = FuzzedHome.shared else { return [] }
        let path = home.copy(4)
        defer { FuzzedHome.remove(path) }
        guard var other = try? FuzzedHome.open(path, FuzzedHome.hearer, life: 2) else { return [] }
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
        guard let host = FuzzedReplica(5), let talker = FuzzedTalker(host, isMember: true),
            let home = FuzzedHome.shared
        else { return [] }
        var need = NeedMessage(ranges: [])
        for row in host.replica?.log.chainRows() ?? [] {
            need.ranges.append(
                NeededRange(scope: row.scope, chain: row.chain, first: 1, last: row.stored))
        }
        talker.play(FuzzedPieces.join([(MessageType.need.rawValue, need.encode())]))
        let said = talker.heard.map { FuzzedPieces.join([($0.type, $0.body)]) }
        let whole = FuzzedPieces.join(talker.heard.map { (verb: $0.type, bytes: $0.body) })
        return said + [whole] + batches(of: host) + records(of: home.log)
    }

    private static func batches(of host: FuzzedReplica) -> [[UInt8]] {
        var made: [[UInt8]] = []
        for row in host.replica?.log.chainRows() ?? [] {
            for seq in row.first...max(row.first, row.stored) {
                guard let body = (try? host.replica?.log.content(chain: row, seq: seq))?.body,
                    let plaintext = try? body.encodePlaintext()
                else { continue }
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
            var outer = CBORReader(record.encoded)
            var payload: [UInt8] = [0xf6]
            if (try? outer.array(exactly: 2)) != nil, let body = try? outer.rawItem() {
                var reader = CBORReader(body)
                if (try? reader.array(exactly: 7)) != nil {
                    for _ in 0..<7 { payload = (try? reader.rawItem()) ?? payload }
                }
            }
            return FuzzedPieces.join([
                (0xf2, [record.kind, 0] + payload), (0xf2, [record.kind, 1] + payload),
                (0xf2, [200, 0, 0xf6]), (0xf2, [100, 0, 0xf6]),
            ])
        }
    }
}
