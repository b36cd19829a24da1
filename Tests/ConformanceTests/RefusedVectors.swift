import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// Bytes that must be refused, and batches that must have no effect.
enum RefusedVectors {
    static func make() throws -> JSON {
        [
            "about": "What a peer must refuse; refused records are in membership.json.",
            "prefaces": .array(prefaces.map { ["why": .text($0), "bytes": .hex($1)] }),
            "plaintexts": .array(
                plaintexts.map { why, frames in
                    ["why": .text(why), "frames": .array(frames.map(JSON.hex))]
                }),
            "messages": .array(try RefusedMessages.make()),
            "batches": .array(try batches()),
            "void": .array(try VoidBatches.make()),
        ]
    }

    private static let preface = Preface(mode: .member, nonce: [UInt8](repeating: 7, count: 16))
        .bytes

    private static let prefaces: [(String, [UInt8])] = [
        ("another magic", [0x4d] + preface.dropFirst()),
        ("the lowest version above the highest", change(preface, at: 4, to: 2)),
        ("an unknown mode", change(preface, at: 6, to: 3)),
        ("a reserved byte that is not zero", change(preface, at: 7, to: 1)),
    ]

    private static func change(_ bytes: [UInt8], at index: Int, to byte: UInt8) -> [UInt8] {
        var changed = bytes
        changed[index] = byte
        return changed
    }

    private static let plaintexts: [(String, [[UInt8]])] = [
        ("no type", [[0]]), ("an unknown flag", [[4, 0x22]]),
        ("fragments of two types", [[1, 0x13, 0], [0, 0x14, 0]]),
        ("a joined message inside a fragmented one", [[1, 0x13, 0], [2, 0x22, 0, 0, 0x22]]),
        ("a joined message and nothing behind", [[2, 0x22, 1, 0]]),
        ("a fragment behind a joined message", [[2, 0x22, 1, 0, 1, 0x13, 0]]),
        ("a length of two bytes that fits in one", [[2, 0x22, 0x81, 0, 0, 0, 0x22]]),
        ("a joined message that is cut off", [[2, 0x22, 9, 0]]),
    ]

    /// A good batch, changed where everybody can see it.
    private static func batches() throws -> [JSON] {
        var scribe = try Scribe()
        _ = try scribe.write(by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("1"))])
        let good = try scribe.write(
            by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("2"))]
        ).batch
        var out: [JSON] = []
        func refuse(
            _ why: String, header: [UInt8]? = nil, ciphertext: [UInt8]? = nil,
            signature: [UInt8]? = nil
        ) {
            let (header, ciphertext) = (header ?? good.headerBytes, ciphertext ?? good.ciphertext)
            let id = BatchName.id(header, ciphertextHash: Hash.blake2b(nil, ciphertext))
            // A long run of zeros is given by its length.
            let isZeros = ciphertext.count > 1_024
            out.append([
                "why": .text(why), "header": .hex(header),
                "ciphertext": isZeros ? .number(Int64(ciphertext.count)) : .hex(ciphertext),
                "signature": .hex(signature ?? Kit.a.keys().signing.sign(.batch, id.array)),
            ])
        }
        let last = good.signature.count - 1
        refuse(
            "a signature with one other bit",
            signature: change(good.signature, at: last, to: good.signature[last] ^ 1))
        refuse(
            "a signature by another device",
            signature: Kit.b.keys().signing.sign(.batch, good.id.array))
        refuse(
            "a signature under another label",
            signature: Kit.a.keys().signing.sign(.member, good.id.array))
        refuse(
            "another ciphertext under the old signature",
            ciphertext: change(good.ciphertext, at: 0, to: good.ciphertext[0] ^ 1),
            signature: good.signature)
        refuse("a ciphertext that is too long", ciphertext: [UInt8](repeating: 0, count: 262_161))
        for (why, header) in headers(of: good.header) { refuse(why, header: header) }
        refuse("a header with a byte behind it", header: good.headerBytes + [0])
        return out
    }

    private static func headers(of good: BatchHeader) -> [(String, [UInt8])] {
        func header(
            format: UInt64 = 1, group: GroupID? = nil, seq: UInt64? = nil, prev: BatchID? = nil,
            nonce: [UInt8]? = nil, seqBytes: [UInt8]? = nil
        ) -> [UInt8] {
            item {
                $0.array(9)
                $0.unsigned(format)
                $0.bytes(group ?? good.group)
                $0.bytes(good.device)
                $0.bytes(good.incarnation)
                $0.bytes(good.scope)
                if let seqBytes { $0.raw(seqBytes) } else { $0.unsigned(seq ?? good.seq) }
                $0.bytes(prev ?? good.prev)
                $0.bytes(good.epoch)
                $0.bytes(nonce ?? good.nonce)
            }
        }
        return [
            ("an unknown format", header(format: 2)),
            ("another group", header(group: GroupID(repeating: 1))),
            ("sequence 0", header(seq: 0)), ("sequence 2^63", header(seq: 1 << 63)),
            ("sequence 1 with a predecessor", header(seq: 1)),
            ("sequence 2 without one", header(prev: .zero)),
            ("a nonce of 23 bytes", header(nonce: Array(good.nonce.dropLast()))),
            ("a sequence in two bytes", header(seqBytes: [0x18, 2])),
        ]
    }
}
