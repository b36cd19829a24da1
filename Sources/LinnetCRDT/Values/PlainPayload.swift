import LinnetWire

/// A payload that is one of the frequent values, told from its bytes: nothing is made of them.
enum PlainPayload: Equatable {
    case null, bool, int, text

    /// Nil for every other payload, well formed or not, and for texts beyond ASCII.
    init?(_ bytes: [UInt8]) {
        guard let head = bytes.first else { return nil }
        switch head {
        case 0xf6 where bytes.count == 1: self = .null
        case 0xf4, 0xf5:
            guard bytes.count == 1 else { return nil }
            self = .bool
        case 0x00...0x3b:
            guard Self.isShortest(bytes, information: head & 0x1f) else { return nil }
            self = .int
        case 0x60...0x77:
            guard bytes.count == 1 + Int(head & 0x1f), Self.isASCII(bytes, from: 1) else {
                return nil
            }
            self = .text
        case 0x78:
            guard bytes.count >= 26, bytes.count == 2 + Int(bytes[1]),
                Self.isASCII(bytes, from: 2)
            else { return nil }
            self = .text
        default: return nil
        }
    }

    /// Whether an integer of at most 32 bits stands alone in its shortest form.
    private static func isShortest(_ bytes: [UInt8], information: UInt8) -> Bool {
        switch information {
        case ..<24: bytes.count == 1
        case 24: bytes.count == 2 && bytes[1] >= 24
        case 25: bytes.count == 3 && bytes[1] > 0
        case 26: bytes.count == 5 && (bytes[1] > 0 || bytes[2] > 0)
        default: false
        }
    }

    private static func isASCII(_ bytes: [UInt8], from start: Int) -> Bool {
        var all: UInt8 = 0
        for index in start..<bytes.count { all |= bytes[index] }
        return all < 0x80
    }
}

extension ValueType {
    /// As for the value that the payload holds: no type looks further than at its kind.
    func admits(_ payload: PlainPayload) -> Bool {
        switch payload {
        case .null: admits(Value.null)
        case .bool: admits(Value.bool(false))
        case .int: admits(Value.int(0))
        case .text: admits(Value.text(""))
        }
    }
}

extension Value {
    /// Whether the value always has canonical bytes, within the limit.
    var isPlain: Bool {
        switch self {
        case .null, .bool, .int: true
        case .text(let text): text.utf8.count < Limits.valueBytes / 2
        default: false
        }
    }
}
