import LinnetCrypto
import LinnetWire

/// A sealed card as short texts, of which each fits into one QR code, in characters that such codes
/// hold closely packed.
///
/// A part is `LINNETCARD1:NAME:NUMBER/COUNT:DATA:CHECK`: the card's name, its own number from 1 on,
/// bytes in base 32 and four characters that show a mistake in what is before them.
package enum CardParts {
    private static let family = Array("LINNETCARD".utf8)
    private static let colon = UInt8(ascii: ":")
    private static let checkCharacters = 4
    /// The most characters that a part can have.
    private static let longestPart = 1_024

    /// Cuts a box into parts. Throws ``CardError/tooManyParts``.
    package static func split(_ box: [UInt8]) throws(CardError) -> [String] {
        let size = Limits.cardPartBytes
        let count = (box.count + size - 1) / size
        guard count <= Limits.cardParts else { throw .tooManyParts }
        let name = name(of: box)
        return (0..<count).map { index in
            let data = Array(box[index * size..<min(box.count, (index + 1) * size)])
            let text = "LINNETCARD1:\(name):\(index + 1)/\(count):\(letters(data)):"
            return text + check(text)
        }
    }

    /// Finds the parts in a text, whatever stands between them, and joins them to a box.
    package static func join(_ text: [UInt8]) throws(CardError) -> [UInt8] {
        var first: Part?
        var found: [[UInt8]?] = []
        var names: [String] = []
        for token in tokens(in: text) {
            let part = try Part(token)
            if !names.contains(part.name) { names.append(part.name) }
            guard let begun = first else {
                first = part
                found = [[UInt8]?](repeating: nil, count: part.count)
                found[part.number - 1] = part.data
                continue
            }
            // A few names are enough to tell the person.
            guard names.count <= 1 else {
                if names.count > 3 { break }
                continue
            }
            guard part.count == begun.count else { throw .damaged }
            found[part.number - 1] = part.data
        }
        guard let first else { throw .notACard }
        if names.count > 1 { throw .mixed(names) }
        let missing = found.indices.filter { found[$0] == nil }.map { $0 + 1 }
        guard missing.isEmpty else { throw .missing(missing, of: found.count) }
        let box = found.flatMap { $0 ?? [] }
        guard name(of: box) == first.name else { throw .damaged }
        return box
    }

    private static func name(of box: [UInt8]) -> String {
        letters(Array(Hash.blake2b(.cardPart, box).prefix(5)))
    }

    static func check(_ text: String) -> String {
        String(letters(Hash.blake2b(.cardPart, Array(text.utf8))).prefix(checkCharacters))
    }

    private static func letters(_ bytes: [UInt8]) -> String {
        TextAlphabet.base32.encode(bytes).uppercased()
    }

    /// The texts that begin as parts do, up to the first character that no part has.
    private static func tokens(in text: [UInt8]) -> [ArraySlice<UInt8>] {
        var tokens: [ArraySlice<UInt8>] = []
        var place = 0
        while place + family.count <= text.count {
            guard text[place] == family[0], text[place...].starts(with: family) else {
                place += 1
                continue
            }
            var end = place + family.count
            while end < text.count, end - place <= longestPart, isOfPart(text[end]) {
                // Texts that were pasted without a gap are parts, too.
                if text[end] == family[0], text[end...].starts(with: family) { break }
                end += 1
            }
            tokens.append(text[place..<end])
            place = end
        }
        return tokens
    }

    private static func isOfPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), colon,
            UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// One part, read and checked.
private struct Part {
    let name: String
    let number: Int
    let count: Int
    let data: [UInt8]

    init(_ token: ArraySlice<UInt8>) throws(CardError) {
        let pieces = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if pieces[0] != "LINNETCARD1", let version = Int(pieces[0].dropFirst(10)), version > 1 {
            throw .fromTheFuture
        }
        let places = pieces.count > 2 ? pieces[2].split(separator: "/").compactMap { Int($0) } : []
        let number = places.first ?? 0
        guard pieces.count == 5, pieces[0] == "LINNETCARD1", pieces[1].count == 8,
            places.count == 2, (1...Limits.cardParts).contains(places[1]),
            (1...places[1]).contains(number),
            CardParts.check(pieces[0..<4].joined(separator: ":") + ":") == pieces[4],
            let data = TextAlphabet.base32.decode(pieces[3]),
            (1...Limits.cardPartBytes).contains(data.count)
        else { throw .damagedPart((0...Limits.cardParts).contains(number) ? number : 0) }
        (name, self.number, count, self.data) = (pieces[1], number, places[1], data)
    }
}
