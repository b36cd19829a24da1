import Testing

@testable import LinnetCRDT

@Suite struct PlainScalarsTests {
    private static func count(_ scalars: Unicode.Scalar...) -> Int {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view).count
    }

    @Test func `the plain scalars are those that the standard library divides, beside each other`()
    {
        var wrong: [Unicode.Scalar] = []
        for value in 0..<UInt32(0x4_0000) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isPlain =
                scalar.properties.generalCategory != .unassigned && scalar != "\r"
                && Self.count("a", scalar, "a", scalar, scalar) == 5
            if scalar.isPlain != isPlain { wrong.append(scalar) }
        }
        #expect(PlainBits.words.count == 0x4_0000 / 64)
        #expect(wrong.isEmpty, "run scripts/plain-scalars: \(wrong.prefix(20).map(\.value))")
        #expect(Unicode.Scalar(0x4_0000 as UInt32).map(\.isPlain) != true)
        #expect(Unicode.Scalar(0xf_0000 as UInt32).map(\.isPlain) == false)
    }

    @Test func `plain scalars of any two classes are divided, whatever stands before them`() {
        // Scalars are of one class when they stand alike beside those that join.
        var classes: [[Int]: [Unicode.Scalar]] = [:]
        var random = Seeded(3)
        for value in 0..<UInt32(0x4_0000) {
            guard let scalar = Unicode.Scalar(value), scalar.isPlain else { continue }
            let looks = [
                Self.count(scalar, "\u{1161}"), Self.count(scalar, "\u{11a8}"),
                Self.count("😀", "\u{200d}", scalar), Self.count("क", "\u{94d}", scalar),
                Self.count("\u{600}", scalar), Self.count(scalar, "\u{301}"),
                Self.count(scalar, "\u{200d}", "😀"), Self.count(scalar, "\u{94d}", "क"),
            ]
            let known = classes[looks, default: []].count
            if known < 8 || random.below(4_000) == 0 { classes[looks, default: []].append(scalar) }
        }
        #expect(classes.count >= 6)
        let before: [[Unicode.Scalar]] = [
            [], ["\u{600}"], ["😀", "\u{200d}"], ["क", "\u{94d}"], ["🇦"], ["\u{1100}"],
        ]
        let all = Array(classes.values.joined())
        for first in all {
            for second in all {
                let context = before[random.below(before.count)]
                var view = String.UnicodeScalarView()
                view.append(contentsOf: context + [first])
                let alone = String(view).count
                view.append(second)
                #expect(String(view).count == alone + 1)
            }
        }
    }
}
