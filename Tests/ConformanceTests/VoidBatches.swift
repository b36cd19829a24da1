import LinnetCRDT
import LinnetWire

@testable import LinnetReplication

/// Batches that are well signed, stored and forwarded, and have no effect at all.
///
/// Each begins its chain; its first operation is a good one, to show that it falls with the rest.
enum VoidBatches {
    static func make() throws -> [JSON] {
        let good = operation()
        var cases: [(String, [UInt8])] = [
            ("a record id with a control character", rows([good, operation(record: "a\u{1}")])),
            ("a record id without a byte", rows([good, operation(record: "")])),
            (
                "a record id of 65 bytes",
                rows([good, operation(record: String(repeating: "a", count: 65))])
            ),
            ("a collection of 2^32", rows([good, operation(collection: 1 << 32)])),
            ("a generation of 2^32", rows([good, operation(generation: 1 << 32)])),
            ("a field of 2^32", rows([good, operation(field: 1 << 32)])),
            ("a kind of 256", rows([good, operation(kind: 256)])),
            ("a stamp beyond the ceiling", rows([good, operation(delta: 1 << 63)])),
            ("an operation of eight elements", rows([good, [0x88] + good.dropFirst() + [0]])),
            ("a payload that is not canonical", rows([good, operation(payload: [0x18, 5])])),
            ("a byte behind the body", wrap(body([good]) + [0])),
            (
                "4,097 operations",
                wrap(body([[UInt8]](repeating: good, count: 4_097)), deflated: true)
            ),
            ("a body of one part", wrap([0x81] + attributes())),
            ("no base stamp", rows([good], attributes: [0xa1, 4, 1])),
            ("no schema version", rows([good], attributes: [0xa1, 5, 0])),
            ("a schema version of 2^32", rows([good], attributes: attributes(version: 1 << 32))),
            ("a base stamp of 2^47 ms", rows([good], attributes: attributes(stamp: 1 << 63))),
            ("attributes out of order", rows([good], attributes: [0xa2, 5, 0, 4, 1])),
            ("an intent of no bytes", rows([good], attributes: [0xa3, 3, 0x40, 4, 1, 5, 0])),
            ("an empty author table", rows([good], attributes: [0xa3, 4, 1, 5, 0, 6, 0x80])),
            ("a part without a commit", rows([good], attributes: [0xa3, 1, 1, 4, 1, 5, 0])),
            ("part 3 of 2", rows([good], attributes: parts(3, 2))),
            ("part 0", rows([good], attributes: parts(0, 2))),
            ("65,536 parts", rows([good], attributes: parts(1, 65_536))),
        ]
        let plain = rows([good])
        cases += [
            ("an unknown encoding", [2] + plain.dropFirst()),
            ("an unknown compression", [0, 2] + plain.dropFirst(2)),
            ("padding that is not zero", plain.dropLast() + [1]),
            ("padding that is too long", plain + [UInt8](repeating: 0, count: 16)),
            ("fewer than six bytes", [0, 0, 0, 0, 0]),
            ("a length beyond 1 MiB", [0, 0, 0, 0x10, 0, 1] + plain.dropFirst(6)),
            ("a body that is cut off", [0, 0, 0, 0, 255, 255] + plain.dropFirst(6)),
            ("compressed bytes that are none", [0, 1] + plain.dropFirst(2)),
            ("columns that are none", [1, 0] + plain.dropFirst(2)),
        ]
        return try cases.map { why, plaintext in
            var scribe = try Scribe()
            let batch = try scribe.seal(plaintext, by: Kit.a, in: "things", says: [:])
            return ["why": .text(why), "batch": batch.facts]
        }
    }

    private static func operation(
        collection: UInt64 = 2_000, record: String = "r1", generation: UInt64 = 1,
        field: UInt64 = 1, kind: UInt64 = 1, delta: UInt64 = 0, payload: [UInt8] = [0x61, 0x78]
    ) -> [UInt8] {
        item {
            $0.array(7)
            $0.unsigned(collection)
            $0.text(record)
            $0.unsigned(generation)
            $0.unsigned(field)
            $0.unsigned(kind)
            $0.unsigned(delta)
            $0.raw(payload)
        }
    }

    private static func attributes(
        version: UInt64 = 1, stamp: UInt64 = UInt64(Kit.wall) << 16
    ) -> [UInt8] {
        item {
            $0.map(2)
            $0.unsigned(4)
            $0.unsigned(version)
            $0.unsigned(5)
            $0.unsigned(stamp)
        }
    }

    private static func parts(_ part: UInt64, _ parts: UInt64) -> [UInt8] {
        item {
            $0.map(5)
            $0.unsigned(0)
            $0.bytes(Bytes16(repeating: 7))
            $0.unsigned(1)
            $0.unsigned(part)
            $0.unsigned(2)
            $0.unsigned(parts)
            $0.unsigned(4)
            $0.unsigned(1)
            $0.unsigned(5)
            $0.unsigned(0)
        }
    }

    private static func body(_ operations: [[UInt8]], attributes given: [UInt8]? = nil) -> [UInt8] {
        item {
            $0.array(2)
            $0.raw(given ?? attributes())
            $0.array(operations.count)
            for operation in operations { $0.raw(operation) }
        }
    }

    private static func rows(_ operations: [[UInt8]], attributes: [UInt8]? = nil) -> [UInt8] {
        wrap(body(operations, attributes: attributes))
    }

    private static func wrap(_ body: [UInt8], deflated: Bool = false) -> [UInt8] {
        Plaintext.wrap(body, encoding: 0, deflated: deflated)
    }
}
