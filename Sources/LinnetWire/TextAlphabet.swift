/// Writes bytes as text of RFC 4648 without padding: each character stands for a few bits.
package struct TextAlphabet: Sendable {
    private let characters: [UInt8]
    private let width: Int
    private let foldsCase: Bool

    /// Base 32 of section 6, in lower case: eight characters for every five bytes. Characters of
    /// either case are read.
    package static let base32 = TextAlphabet(
        "abcdefghijklmnopqrstuvwxyz234567", width: 5, foldsCase: true)
    /// Base 64 of section 5, for addresses and file names: four characters for every three bytes.
    package static let base64URL = TextAlphabet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", width: 6,
        foldsCase: false)

    private init(_ characters: String, width: Int, foldsCase: Bool) {
        self.characters = Array(characters.utf8)
        self.width = width
        self.foldsCase = foldsCase
    }

    /// Returns the text of some bytes.
    package func encode(_ bytes: [UInt8]) -> String {
        let text = BitGroups.split(bytes, width: width).map { characters[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the alphabet alone; nil for any other character and for unused bits that are set.
    package func decode(_ text: String) -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
            let wanted = foldsCase && isUpper ? character | 0x20 : character
            guard let digit = characters.firstIndex(of: wanted) else { return nil }
            digits.append(UInt8(digit))
        }
        return BitGroups.join(digits, width: width)
    }
}
