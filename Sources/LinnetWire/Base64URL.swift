/// Base 64 text for addresses and file names, RFC 4648 section 5, without padding.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Four characters for every three bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = BitGroups.split(bytes, width: 6).map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the alphabet alone; nil for any other character and for unused bits that are set.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard let digit = value(of: character) else { return nil }
            digits.append(digit)
        }
        return BitGroups.join(digits, width: 6)
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
