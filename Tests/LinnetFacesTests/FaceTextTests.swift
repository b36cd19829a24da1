import LinnetFaces
import Testing

struct FaceTextTests {
    @Test func `wide characters and emoji take two columns, marks none`() {
        #expect(FaceText.columns("abc") == 3)
        #expect(FaceText.columns("对乙") == 4)
        #expect(FaceText.columns("e\u{301}") == 1)
        #expect(FaceText.columns("👨‍👩‍👧") == 2)
        #expect(FaceText.columns("❤️") == 2)
        #expect(FaceText.columns("한") == 2)
        #expect(FaceText.columns("ﷺ") == 1)
    }

    @Test func `a text is cut between characters and says so`() {
        #expect(FaceText.fit("Metformin", columns: 9) == "Metformin")
        #expect(FaceText.fit("Metformin", columns: 5) == "Metf…")
        #expect(FaceText.fit("对乙酰", columns: 5) == "对乙…")
        #expect(FaceText.fit("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", columns: 4) == "👨‍👩‍👧…")
        #expect(FaceText.fit("e\u{301}e\u{301}e\u{301}", columns: 2) == "e\u{301}…")
        #expect(FaceText.fit("abc", columns: 0).isEmpty)
        #expect(FaceText.fit("abc", ems: 0).isEmpty)
    }

    @Test func `a padded text fills its columns exactly`() {
        for text in ["", "a", "对乙酰氨基酚", "Pare\u{301}sine 👨‍👩‍👧", "باراسيتامول", "a much longer one"] {
            for columns in 0..<12 {
                #expect(FaceText.columns(FaceText.padded(text, columns: columns)) == columns)
            }
        }
    }

    @Test func `the first letter decides about the direction`() {
        #expect(FaceText.isRightToLeft("אספירין 100"))
        #expect(FaceText.isRightToLeft("100 ملغ"))
        #expect(!FaceText.isRightToLeft("Aspirin אספירין"))
        #expect(!FaceText.isRightToLeft("12:00"))
        #expect(!FaceText.isRightToLeft("12:00 \u{2068}אספירין\u{2069} in 1 h"))
    }

    @Test func `what could turn the text around it is isolated, and stays so when it is cut`() {
        #expect(FaceText.isolated("Aspirin") == "Aspirin")
        #expect(FaceText.isolated("אספירין") == "\u{2068}אספירין\u{2069}")
        let cut = FaceText.fit("12 \u{2068}אספירין\u{2069}", columns: 6)
        #expect(cut.unicodeScalars.count { $0 == "\u{2068}" } == 1)
        #expect(cut.unicodeScalars.count { $0 == "\u{2069}" } == 1)
    }

    @Test func `marks of direction and control characters from outside are taken out`() {
        #expect(FaceText.plain("a\u{202e}b\u{2066}c\u{1b}[2J\u{7}\nd") == "abc[2J d")
        #expect(FaceText.plain("नमस्ते") == "नमस्ते")
    }

    @Test func `a text for a snapshot is short whatever it was`() {
        #expect(FaceText.clipped("Metformin") == "Metformin")
        let long = FaceText.clipped(String(repeating: "👨‍👩‍👧", count: 100))
        #expect(long.utf8.count <= 400)
        #expect(long.hasSuffix("👨‍👩‍👧…"))
    }
}

struct FaceTextLinesTests {
    @Test func `a text is broken between words, and the last line is cut`() {
        #expect(FaceText.lines(of: "one two three", columns: 20, atMost: 2) == ["one two three"])
        #expect(
            FaceText.lines(of: "one two three four", columns: 8, atMost: 2)
                == ["one two", "three f…"])
        #expect(
            FaceText.lines(of: "one two three four", columns: 8, atMost: 3)
                == ["one two", "three", "four"])
    }

    @Test func `a word that is too long is broken behind a hyphen, else between characters`() {
        #expect(
            FaceText.lines(of: "alpha-beta", columns: 8, atMost: 2) == ["alpha-", "beta"])
        #expect(FaceText.lines(of: "alphabeta", columns: 5, atMost: 2) == ["alpha", "beta"])
        #expect(FaceText.lines(of: "对乙酰", columns: 1, atMost: 2).count == 2)
        #expect(FaceText.lines(of: "", columns: 5, atMost: 2) == [""])
    }

    @Test func `nothing is lost where there are lines enough`() {
        let text = "Hydrochlorothiazide-Triamterene Extended Release"
        for columns in 3...30 {
            let lines = FaceText.lines(of: text, columns: columns, atMost: .max)
            #expect(lines.allSatisfy { FaceText.columns($0) <= columns })
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }
}
