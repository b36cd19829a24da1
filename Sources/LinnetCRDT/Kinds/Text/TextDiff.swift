/// A change of one part of a text.
struct TextHunk: Equatable {
    /// The scalars that are taken out.
    let deleted: Range<Int>
    /// The text that comes in their place.
    let text: String
}

/// The difference of two texts by characters, found as in Myers, "An O(ND) Difference Algorithm and
/// Its Variations", 1986, up to a number of differences, and one large piece beyond it.
struct TextDiff {
    /// The changes in ascending order, with offsets that count scalars of the old text.
    private(set) var hunks: [TextHunk] = []

    /// The largest number of single differences that are looked for.
    private static let mostDifferences = 512

    private let old: CharacterList
    private let new: CharacterList

    /// Compares two texts.
    init(from oldText: String, to newText: String) {
        old = CharacterList(oldText)
        new = CharacterList(newText)
        var prefix = 0
        let shorter = min(old.count, new.count)
        while prefix < shorter, same(prefix, prefix) { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, same(old.count - suffix - 1, new.count - suffix - 1) {
            suffix += 1
        }
        compare(prefix..<old.count - suffix, prefix..<new.count - suffix)
    }

    private func same(_ oldPlace: Int, _ newPlace: Int) -> Bool {
        old[oldPlace].elementsEqual(new[newPlace])
    }

    private mutating func append(_ oldPart: Range<Int>, _ newPart: Range<Int>) {
        if oldPart.isEmpty && newPart.isEmpty { return }
        hunks.append(TextHunk(deleted: old.scalars(oldPart), text: new.text(newPart)))
    }

    private mutating func compare(_ oldPart: Range<Int>, _ newPart: Range<Int>) {
        guard !oldPart.isEmpty, !newPart.isEmpty,
            let common = longestCommon(oldPart, newPart)
        else { return append(oldPart, newPart) }
        var (oldStart, newStart) = (oldPart.lowerBound, newPart.lowerBound)
        for (oldPlace, newPlace) in common {
            append(oldStart..<oldPlace, newStart..<newPlace)
            (oldStart, newStart) = (oldPlace + 1, newPlace + 1)
        }
        append(oldStart..<oldPart.upperBound, newStart..<newPart.upperBound)
    }

    /// Returns the pairs of places that stay, ascending; nil if the parts are too different.
    private func longestCommon(
        _ oldPart: Range<Int>, _ newPart: Range<Int>
    ) -> [(Int, Int)]? {
        let most = min(oldPart.count + newPart.count, TextDiff.mostDifferences)
        // These are the furthest old places on each diagonal, after each number of differences.
        var ends = [Int](repeating: 0, count: 2 * most + 3)
        var history: [[Int]] = []
        for differences in 0...most {
            history.append(Array(ends[(most - differences)...(most + differences + 2)]))
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let place = diagonal + most + 1
                let down =
                    diagonal == -differences
                    || (diagonal != differences && ends[place - 1] < ends[place + 1])
                var x = down ? ends[place + 1] : ends[place - 1] + 1
                while x < oldPart.count, x - diagonal < newPart.count,
                    same(oldPart.lowerBound + x, newPart.lowerBound + x - diagonal)
                {
                    x += 1
                }
                ends[place] = x
                if x >= oldPart.count, x - diagonal >= newPart.count {
                    return trace(history, to: (oldPart.count, newPart.count)).map {
                        (oldPart.lowerBound + $0, newPart.lowerBound + $1)
                    }
                }
            }
        }
        return nil
    }

    /// Walks back from the end of both parts and returns the pairs that stay.
    private func trace(_ history: [[Int]], to end: (Int, Int)) -> [(Int, Int)] {
        var common: [(Int, Int)] = []
        var (x, y) = end
        for (differences, ends) in history.enumerated().reversed() {
            let diagonal = x - y
            // A row of the history holds the diagonals from -(differences + 1) on.
            let place = diagonal + differences + 1
            let down =
                diagonal == -differences
                || (diagonal != differences && ends[place - 1] < ends[place + 1])
            let from = differences == 0 ? 0 : (down ? ends[place + 1] : ends[place - 1])
            let start = differences == 0 ? 0 : (down ? from : from + 1)
            while x > start {
                x -= 1
                y -= 1
                common.append((x, y))
            }
            if differences > 0 {
                (x, y) = (from, from - (down ? diagonal + 1 : diagonal - 1))
            }
        }
        return common.reversed()
    }
}

/// A text as a list of characters, compared scalar by scalar.
private struct CharacterList {
    private let all: [Unicode.Scalar]
    private var starts: [Int] = [0]

    var count: Int { starts.count - 1 }

    init(_ text: String) {
        all = Array(text.unicodeScalars)
        var end = 0
        for character in text {
            end += character.unicodeScalars.count
            starts.append(end)
        }
    }

    subscript(place: Int) -> ArraySlice<Unicode.Scalar> {
        all[starts[place]..<starts[place + 1]]
    }

    func scalars(_ places: Range<Int>) -> Range<Int> {
        starts[places.lowerBound]..<starts[places.upperBound]
    }

    func text(_ places: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: all[scalars(places)])
        return String(view)
    }
}
