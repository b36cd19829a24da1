/// A place in an order that people change: a text between its neighbours' texts.
///
/// Such a key stands for a fraction in base 62; a field that holds it and merges as the latest
/// value moves an element without duplicating it (Kleppmann, "Moving Elements in List CRDTs",
/// PaPoC 2020). Keys compare bytewise.
///
/// A new key grows with the logarithm of the insertions beside one place, on either side: after
/// 2^k - 1 digits that cannot go further the next number has 2^k digits. 10,000 insertions at an
/// end, or all before or all after one element, take at most 8 digits and the tiebreak's; at random
/// places 10 digits, 20 with a tiebreak of two, and in runs of 100 at random places 32 and 43.
/// Insertions that alternate between both sides of the last one cost what they must in any such
/// scheme, a digit for every six, and with a tiebreak of two one for every two.
package struct FractionalKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The length of the longest key, in digits.
    package static let maximumLength = 4_096
    /// The largest number of bytes of a tiebreak that count.
    package static let maximumTiebreakBytes = 8

    /// The digits after the point, 0 to 61, the last one not 0.
    private let digits: [UInt8]

    /// Reads a key; nil unless it is 1 to 4,096 digits and does not end in the lowest one.
    package init?(_ text: String) {
        guard (1...FractionalKey.maximumLength).contains(text.utf8.count) else { return nil }
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard let digit = FractionalKey.digit(character) else { return nil }
            digits.append(digit)
        }
        guard digits.last != 0 else { return nil }
        self.digits = digits
    }

    private init(digits: [UInt8]) {
        self.digits = digits
    }

    /// Returns a key strictly between two others, an absent one being the end of the order.
    ///
    /// The tiebreak keeps apart what two replicas insert at one place at the same time: it adds a
    /// digit for each of its first eight bytes. Nil if `lower` is not below `upper`, or if there is
    /// no room left.
    package static func between(
        _ lower: FractionalKey?, _ upper: FractionalKey?, tiebreak: [UInt8]
    ) -> FractionalKey? {
        if let lower, let upper, lower >= upper { return nil }
        var digits = place(between: lower?.digits, upper?.digits)
        digits += suffix(tiebreak)
        while digits.last == 0 { digits.removeLast() }
        return digits.count <= maximumLength ? FractionalKey(digits: digits) : nil
    }

    /// The key as text.
    package var description: String {
        String(decoding: digits.map(FractionalKey.character), as: UTF8.self)
    }

    /// Orders by the fractions, which is also the order of the texts' bytes.
    package static func < (left: FractionalKey, right: FractionalKey) -> Bool {
        left.digits.lexicographicallyPrecedes(right.digits)
    }
}

extension FractionalKey {
    private static let base: UInt8 = 62
    private static let highest: UInt8 = 61
    private static let middle: UInt8 = 31

    /// Returns digits between two places, to which any digits may be added; they may end in zeros.
    private static func place(between lower: [UInt8]?, _ upper: [UInt8]?) -> [UInt8] {
        guard let lower else { return upper.map { before($0[...]) } ?? [middle] }
        guard let upper else { return after(lower[...]) }
        var shared = 0
        while shared < lower.count && lower[shared] == upper[shared] { shared += 1 }
        let common = Array(upper[..<shared])
        let low = shared < lower.count ? lower[shared] : 0
        let high = upper[shared]
        if high - low > 1 { return common + [low + (high - low) / 2] }
        if high == low { return common + [high] + before(upper[(shared + 1)...]) }
        return common + [low] + after(lower.dropFirst(shared + 1))
    }

    /// Returns digits above `tail`, to which any digits may be added.
    private static func after(_ tail: ArraySlice<UInt8>) -> [UInt8] {
        if tail.isEmpty { return [middle] }
        let (skipped, number) = level(of: tail, full: highest)
        var next = number
        var place = next.count - 1
        while place >= 0 && next[place] == highest {
            next[place] = 0
            place -= 1
        }
        next[place] += 1
        return skipped + next
    }

    /// Returns digits below `tail` and above zero, to which any digits may be added.
    private static func before(_ tail: ArraySlice<UInt8>) -> [UInt8] {
        let (skipped, number) = level(of: tail, full: 0)
        var next = number
        var place = next.count - 1
        while place >= 0 && next[place] == 0 {
            next[place] = highest
            place -= 1
        }
        next[place] -= 1
        if next.contains(where: { $0 != 0 }) { return skipped + next }
        let filled = skipped.count + number.count
        return [UInt8](repeating: 0, count: filled)
            + [UInt8](repeating: highest, count: filled + 1)
    }

    /// Returns the 2^k - 1 leading digits that are `full`, for the largest k, and the 2^k digits
    /// behind them, which are not all full.
    private static func level(
        of tail: ArraySlice<UInt8>, full: UInt8
    ) -> (skipped: [UInt8], number: [UInt8]) {
        let run = tail.prefix { $0 == full }.count
        var skipped = 0
        while 2 * skipped + 1 <= run { skipped = 2 * skipped + 1 }
        var number = Array(tail.dropFirst(skipped).prefix(skipped + 1))
        number += [UInt8](repeating: 0, count: skipped + 1 - number.count)
        return (Array(tail.prefix(skipped)), number)
    }

    /// Returns a digit for each byte, the last one not 0.
    private static func suffix(_ tiebreak: [UInt8]) -> [UInt8] {
        let bytes = tiebreak.prefix(maximumTiebreakBytes)
        return bytes.dropLast().map { $0 % base } + bytes.suffix(1).map { $0 % highest + 1 }
    }

    private static func character(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<10: UInt8(ascii: "0") + digit
        case 10..<36: UInt8(ascii: "A") + digit - 10
        default: UInt8(ascii: "a") + digit - 36
        }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 36
        default: nil
        }
    }
}
