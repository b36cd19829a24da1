import LinnetCrypto

/// The base 64 of RFC 4648 with padding, which the head of a request has.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Returns the text of some bytes.
    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - part.count))
            for index in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * index)) & 63]
                text.append(index <= part.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil where it is not exactly what some bytes are written as.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = text.utf8.reversed().drop { $0 == padding }.reversed()
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for digit in digits {
            guard let value = Self.digits.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= 1 << UInt32(count) - 1
        }
        return Self.text(of: bytes) == text ? bytes : nil
    }
}

extension MailboxAccess {
    /// The line of a request's head that names the account; none where there is none.
    var basicLines: [String] {
        guard let password else { return [] }
        var account = Array("\(user):".utf8) + password.bytes.exposed()
        defer { wipe(&account) }
        return ["Authorization: Basic " + Base64.text(of: account)]
    }
}
