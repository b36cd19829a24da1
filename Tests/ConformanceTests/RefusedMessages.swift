import LinnetWire

@testable import LinnetReplication

/// Bodies of messages that end a session.
enum RefusedMessages {
    private static let blocks: [(MessageType, String, [UInt8])] = [
        (.blockGet, "a place within a block", blockGet([0x19, 0x80, 0x00], [0x01])),
        (
            .blockGet, "a place beyond the chunk",
            blockGet([0x19, 0x3f, 0xd8], [0x19, 0x40, 0x00])
        ),
        (.blockGet, "a chunk of nothing", blockGet([0x00], [0x00])),
        (
            .blockGet, "a chunk longer than any",
            blockGet([0x1a, 0x00, 0x0e, 0x00, 0x01], [0x00])
        ),
        (.blockGet, "a name of one byte", [0x83, 0x41, 0x00, 0x01, 0x00]),
        (
            .block, "16,385 bytes",
            [0x59, 0x40, 0x01] + [UInt8](repeating: 0, count: 16_385)
        ),
        (.blockNone, "an element", [0x81, 0x00]),
    ]

    private static func blockGet(_ length: [UInt8], _ offset: [UInt8]) -> [UInt8] {
        [0x83, 0x58, 0x20] + [UInt8](repeating: 1, count: 32) + length + offset
    }

    static func make() throws -> [JSON] {
        let entry = item {
            $0.array(3)
            $0.bytes(Bytes16(repeating: 2))
            $0.unsigned(0)
            $0.bytes(Bytes8(repeating: 3))
        }
        let scope = item { $0.bytes(Bytes16(repeating: 1)) }
        let incarnation = item { $0.bytes(Bytes8(repeating: 1)) }
        let cases: [(MessageType, String, [UInt8])] = [
            (.hello, "no incarnation", [0xa1, 0x01, 0x00]),
            (.hello, "no wall clock", [0xa1, 0x00] + incarnation),
            (.hello, "keys out of order", [0xa2, 0x01, 0x00, 0x00] + incarnation),
            (
                .hello, "an incarnation of seven bytes",
                [0xa2, 0x00, 0x47, 1, 1, 1, 1, 1, 1, 1, 0x01, 0x00]
            ),
            (.hello, "a byte behind it", [0xa2, 0x00] + incarnation + [0x01, 0x00, 0x00]),
            (.have, "sequence 0", [0x81, 0x81, 0x82] + scope + [0x81] + entry),
            (
                .have, "a digest of nine bytes",
                [0x82, 0x49] + [UInt8](repeating: 0, count: 9) + [0x80]
            ),
            (.have, "numbers that do not ascend", [0x83, 0x80, 0x82, 0x01, 0x01, 0x80]),
            (.have, "four parts", [0x84, 0x80, 0x80, 0x80, 0x80]),
            (.need, "first above last", need(5, 4)), (.need, "first is 0", need(0, 4)),
            (.need, "257 ranges", [0x99, 0x01, 0x01]),
            (.ack, "an empty first list", [0x81, 0x80]),
            (.ack, "an empty first list of three", [0x83, 0x80, 0x80, 0x00]),
            (.ack, "nothing", [0x80]),
            (.batch, "an unknown form", [0x84, 0x03, 0x40, 0x40, 0x40]),
            (
                .batch, "form 1 with a nonce of one byte",
                [0x84, 0x01, 0x41, 0x00, 0x40, 0x58, 0x40]
                    + [UInt8](repeating: 0, count: 64)
            ),
            (
                .batch, "a signature of 63 bytes",
                [0x84, 0x01, 0x40, 0x40, 0x58, 0x3f]
                    + [UInt8](repeating: 0, count: 63)
            ),
            (.fork, "one header alone", [0x81, 0x83, 0x40, 0x40, 0x40]),
            (.certificate, "a statement that is none", [0x82, 0xf5, 0x41, 0x00]),
            (.memberGet, "two parts", [0x82, 0x80, 0x80]),
            (.ping, "seven bytes", [0x47] + [UInt8](repeating: 0, count: 7)),
        ]
        return (blocks + cases).map { type, why, body in
            [
                "type": .number(Int64(type.rawValue)), "why": .text(why), "body": .hex(body),
            ]
        }
    }

    private static func need(_ first: UInt64, _ last: UInt64) -> [UInt8] {
        item {
            $0.array(1)
            $0.array(4)
            $0.bytes(Bytes16(repeating: 1))
            $0.bytes(Bytes16(repeating: 2))
            $0.unsigned(first)
            $0.unsigned(last)
        }
    }
}
