// Lengths and places of plain strings, in each unit.
extension String {
    /// The length in a unit.
    package func length(in unit: TextUnit) -> Int {
        switch unit {
        case .characters: count
        case .scalars: unicodeScalars.count
        case .utf16: utf16.count
        }
    }

    /// Returns the number of scalars in the first `offset` units. Throws as
    /// ``TextDocument/edit(at:deleting:inserting:in:)`` does.
    func scalarOffset(of offset: Int, in unit: TextUnit) throws(TextError) -> Int {
        guard offset >= 0 else { throw .outOfRange }
        var (left, scalars) = (offset, 0)
        switch unit {
        case .characters:
            for character in self {
                if left == 0 { break }
                left -= 1
                scalars += character.unicodeScalars.count
            }
        case .scalars, .utf16:
            for scalar in unicodeScalars {
                if left <= 0 { break }
                left -= unit == .utf16 ? UTF16.width(scalar) : 1
                scalars += 1
            }
        }
        if left > 0 { throw .outOfRange }
        if left < 0 { throw .insideSurrogatePair }
        return scalars
    }

    /// Returns the length of the first `count` scalars in a unit; only whole characters count where
    /// that is the unit.
    func length(ofScalars count: Int, in unit: TextUnit) -> Int {
        switch unit {
        case .scalars: return count
        case .utf16: return unicodeScalars.prefix(count).reduce(0) { $0 + UTF16.width($1) }
        case .characters:
            var (left, length) = (count, 0)
            for character in self {
                left -= character.unicodeScalars.count
                if left < 0 { break }
                length += 1
            }
            return length
        }
    }

    /// Returns the text in the smallest parts that a unit can name, with their lengths in it.
    func pieces(in unit: TextUnit) -> [(scalars: String.UnicodeScalarView, length: Int)] {
        if unit == .characters { return map { ($0.unicodeScalars, 1) } }
        return unicodeScalars.map { scalar in
            (
                String(scalar).unicodeScalars,
                unit == .utf16 ? UTF16.width(scalar) : 1
            )
        }
    }
}
