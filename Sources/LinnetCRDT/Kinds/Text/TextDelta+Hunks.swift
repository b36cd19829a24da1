extension TextDelta {
    /// Counts changes of an old text in a unit. The changes ascend; their offsets count scalars.
    init(_ hunks: [TextHunk], of old: String, in unit: TextUnit) {
        self.init(in: unit)
        switch unit {
        case .scalars:
            var end = 0
            for hunk in hunks {
                keep(hunk.deleted.lowerBound - end)
                replace(hunk.deleted.count, with: hunk.text)
                end = hunk.deleted.upperBound
            }
        case .utf16:
            var (passed, units) = (0, 0)
            var rest = old.unicodeScalars.makeIterator()
            func pass(to place: Int) -> Int {
                units = 0
                while passed < place, let scalar = rest.next() {
                    units += UTF16.width(scalar)
                    passed += 1
                }
                return units
            }
            for hunk in hunks {
                keep(pass(to: hunk.deleted.lowerBound))
                replace(pass(to: hunk.deleted.upperBound), with: hunk.text)
            }
        case .characters: addCharacters(hunks, of: old)
        }
        finish()
    }

    /// Counts by characters: one stays that is a character in both texts and of which no scalar
    /// changes. A change beside others can join them, so that they are other characters then.
    private mutating func addCharacters(_ hunks: [TextHunk], of old: String) {
        let before = CharacterStarts(old)
        var view = String.UnicodeScalarView()
        var kept: [(old: Int, new: Int, count: Int)] = []
        var end = 0
        var total = 0
        for hunk in hunks {
            let count = hunk.deleted.lowerBound - end
            kept.append((end, total, count))
            total += count + hunk.text.unicodeScalars.count
            end = hunk.deleted.upperBound
        }
        kept.append((end, total, before.scalars.count - end))
        for (index, part) in kept.enumerated() {
            view.append(contentsOf: before.scalars[part.old..<part.old + part.count])
            if index < hunks.count { view.append(contentsOf: hunks[index].text.unicodeScalars) }
        }
        let after = CharacterStarts(String(view))
        var (oldNext, newNext) = (0, 0)
        for part in kept {
            var old = before.character(from: part.old)
            while old < before.count, before.starts[old + 1] <= part.old + part.count {
                let start = before.starts[old] - part.old + part.new
                let new = after.character(from: start)
                if new < after.count, after.starts[new] == start,
                    after.starts[new + 1] == before.starts[old + 1] - part.old + part.new
                {
                    replace(old - oldNext, with: after.text(newNext..<new))
                    keep(1)
                    (oldNext, newNext) = (old + 1, new + 1)
                }
                old += 1
            }
        }
        replace(before.count - oldNext, with: after.text(newNext..<after.count))
    }
}

/// The places in a text at which its characters start.
private struct CharacterStarts {
    let scalars: [Unicode.Scalar]
    /// The number of scalars before each character, and before the end.
    let starts: [Int]

    var count: Int { starts.count - 1 }

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var starts = [0]
        for character in text {
            starts.append((starts.last ?? 0) + character.unicodeScalars.count)
        }
        self.starts = starts
    }

    /// Returns the first character that starts at a scalar or after it.
    func character(from scalar: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < scalar { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func text(_ characters: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(
            contentsOf: scalars[starts[characters.lowerBound]..<starts[characters.upperBound]])
        return String(view)
    }
}
