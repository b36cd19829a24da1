import Testing

@testable import LinnetCRDT

/// Deltas in each unit, and the places that they move.
@Suite struct TextDeltaTests {
    private static let pieces = [
        "a", "b", " ", "é", "\u{301}", "🇦", "🇹", "👩", "\u{200d}", "😀", "\r", "\n", "각", "ห",
    ]

    private func text(_ random: inout Seeded, _ most: Int) -> String {
        (0..<random.below(most + 1)).map { _ in Self.pieces[random.below(Self.pieces.count)] }
            .joined()
    }

    @Test(arguments: TextUnit.allCases, 0..<40)
    func `a delta leads from the old text to the new one`(unit: TextUnit, seed: Int) throws {
        var random = Seeded(seed)
        for _ in 0..<20 {
            let old = text(&random, 12)
            let scalars = Array(old.unicodeScalars)
            var hunks: [TextHunk] = []
            var end = 0
            var view = String.UnicodeScalarView()
            while end < scalars.count || hunks.isEmpty {
                let start = min(scalars.count, end + random.below(4))
                let stop = min(scalars.count, start + random.below(3))
                view.append(contentsOf: scalars[end..<start])
                let new = text(&random, 2)
                hunks.append(TextHunk(deleted: start..<stop, text: new))
                view.append(contentsOf: new.unicodeScalars)
                if stop == end { break }
                end = stop
            }
            view.append(contentsOf: scalars[end...])
            let delta = TextDelta(hunks, of: old, in: unit)
            let new = String(view)
            #expect(
                delta.applied(to: old).map { Array($0.unicodeScalars) }
                    == Array(new.unicodeScalars))
            var kept = 0
            for case .keep(let count) in delta.steps { kept += count }
            #expect(kept <= old.length(in: unit) && kept <= new.length(in: unit))
            #expect(delta.moved(0) == 0)
            #expect((0...new.length(in: unit)).contains(delta.moved(old.length(in: unit))))
        }
    }

    @Test func `an accent that joins a letter replaces the character, or comes as a scalar`() {
        let hunks = [TextHunk(deleted: 1..<1, text: "\u{301}")]
        #expect(
            TextDelta(hunks, of: "eab", in: .characters).steps
                == [.delete(1), .insert("e\u{301}")])
        #expect(
            TextDelta(hunks, of: "eab", in: .utf16).steps == [.keep(1), .insert("\u{301}")])
    }

    @Test func `a pair of code units counts twice in UTF-16 and once as a scalar`() {
        let hunks = [TextHunk(deleted: 1..<2, text: "x")]
        #expect(
            TextDelta(hunks, of: "😀😀a", in: .utf16).steps
                == [.keep(2), .delete(2), .insert("x")])
        #expect(
            TextDelta(hunks, of: "😀😀a", in: .scalars).steps
                == [.keep(1), .delete(1), .insert("x")])
    }

    @Test func `a place moves with the text before it, and stays before what comes right there`() {
        let delta = TextDelta(
            [TextHunk(deleted: 1..<3, text: "xyz"), TextHunk(deleted: 5..<5, text: "!")],
            of: "abcdef", in: .scalars)
        #expect(delta.applied(to: "abcdef") == "axyzde!f")
        #expect((0...6).map(delta.moved) == [0, 1, 1, 1, 5, 6, 8])
    }

    @Test func `a delta does not apply to a text that is too short, or within a scalar`() {
        let long = TextDelta([TextHunk(deleted: 3..<4, text: "")], of: "abcd", in: .utf16)
        #expect(long.applied(to: "ab") == nil)
        #expect(long.applied(to: "ab😀c") == nil)
    }
}
