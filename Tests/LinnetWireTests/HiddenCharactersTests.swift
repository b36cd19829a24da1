import LinnetWire
import Testing

struct HiddenCharactersTests {
    private func shown(_ text: String) -> String {
        HiddenCharacters.replaced(in: text) { "<\(String($0.value, radix: 16))>" }
    }

    @Test(
        arguments: [
            0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f,
            0x1160,
            0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
            0x2060, 0x2064, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9,
            0xfffa, 0xfffb, 0xffff, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef,
        ] as [UInt32])
    func `what nobody sees is found between two letters, at the beginning and at the end`(
        value: UInt32
    ) throws {
        let scalar = Character(try #require(Unicode.Scalar(value)))
        let escape = "<\(String(value, radix: 16))>"
        for text in ["a\(scalar)b", "\(scalar)b", "a\(scalar)"] {
            #expect(HiddenCharacters.areIn(text))
            #expect(shown(text).contains(escape))
        }
    }

    @Test(arguments: [
        "Küche 12 mg – „Größe“", "Ασπιρίνη", "Метформин", "אספירין", "أسبرين", "阿司匹林", "アスピリン",
        "한국어", "ยาแอสไพริน", "क्षेत्र हिन्दी", "বাংলা র\u{200d}্যাব", "ශ්\u{200d}රී", "می\u{200c}خواهم",
        "ᠮᠣᠩᠭᠣᠯ ᠪᠢ\u{180b}", "e\u{301}", "½ × 2 ≤ 5 µg", "👩\u{200d}⚕\u{fe0f}",
        "👨\u{200d}👩\u{200d}👧", "👍🏽", "🏳\u{fe0f}\u{200d}🌈", "1\u{fe0f}\u{20e3}", "❤\u{fe0f}", "🇩🇪",
        "☎\u{fe0e}",
    ])
    func `ordinary text of any language and emoji stay as they are`(text: String) {
        #expect(shown(text) == text)
        #expect(!HiddenCharacters.areIn(text))
    }

    @Test func `a text of many joiners is read from its beginning to its end`() {
        let letters = String(repeating: "می\u{200c}خ", count: 40_000)
        #expect(shown(letters) == letters)
        let hidden = String(repeating: "\u{200c}", count: 40_000)
        #expect(shown(hidden) == String(repeating: "<200c>", count: 40_000))
    }

    @Test(arguments: [
        ("a\u{200d}b", "a<200d>b"), ("a\u{200c}b", "a<200c>b"), ("1\u{fe0f}", "1<fe0f>"),
        ("😀\u{200d}", "😀<200d>"), ("😀\u{200d}a", "😀<200d>a"),
        ("a\u{fe0f}\u{200d}😀", "a<fe0f><200d>😀"),
        ("😀\u{fe0f}\u{fe0f}", "😀\u{fe0f}<fe0f>"), ("می\u{200c}", "می<200c>"),
        ("می\u{200c}\u{200c}خ", "می<200c><200c>خ"), ("क्\u{200d}\u{200d}", "क्\u{200d}<200d>"),
        ("葛\u{e0100}", "葛<e0100>"), ("🏴\u{e0067}\u{e007f}", "🏴<e0067><e007f>"),
    ])
    func `a joiner or selector that nothing needs is found`(text: String, told: String) {
        #expect(shown(text) == told)
    }
}
