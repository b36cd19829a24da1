/// Base 32 text, RFC 4648 section 6, in lower case and without padding.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Eight characters for every five bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = BitGroups.split(bytes, width: 5).map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads characters of either case; nil for any other one and for unused bits that are set.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard let digit = value(of: character) else { return nil }
            digits.append(digit)
        }
        return BitGroups.join(digits, width: 5)
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}
