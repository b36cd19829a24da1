/// A number in the form that JSON gives it (RFC 8259, section 6): digits, perhaps a fraction and an
/// exponent.
package struct NumberText: Equatable {
    /// The most digits after the point, or zeros before it, that are written out; no number here
    /// needs as many.
    private static let mostZeros = 400

    private let isNegative: Bool
    private let digits: String
    /// The number of digits after the point; when it is below zero, the number of zeros left out.
    private let fraction: Int

    /// Reads a number; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "eE".contains($0) })
        var exponent = 0
        if parts.count == 2 {
            guard let given = Int(parts[1]), abs(given) < 1_000_000 else { return nil }
            exponent = given
        }
        isNegative = parts[0].hasPrefix("-")
        let point = parts[0].dropFirst(isNegative ? 1 : 0)
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = point.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isNumber else { return nil }
        digits = point.joined()
        fraction = (point.count == 2 ? point[1].count : 0) - exponent
    }

    /// The same number without an exponent and without zeros at the end of its fraction; nil when
    /// it would be very long.
    package var plain: String? {
        guard abs(fraction) <= Self.mostZeros else { return nil }
        let sign = isNegative ? "-" : ""
        if fraction <= 0 { return sign + digits + String(repeating: "0", count: -fraction) }
        let missing = max(0, fraction + 1 - digits.count)
        let padded = String(repeating: "0", count: missing) + digits
        let whole = padded.dropLast(fraction)
        let rest = padded.suffix(fraction)
        let end = rest.lastIndex { $0 != "0" }
        return sign + whole + (end.map { "." + rest[...$0] } ?? "")
    }
}
