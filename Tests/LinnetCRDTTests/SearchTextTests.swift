import LinnetCRDT
import Testing

/// The words that a search takes for the same.
struct SearchTextTests {
    @Test(arguments: [
        ("B-12, 5% (ÅŁÆ)", ["b", "12", "5", "alae"]), ("錠剤 2", ["錠剤", "2"]),
        ("José Núñez", ["jose", "nunez"]), ("Jose\u{301} Nu\u{301}n\u{303}ez", ["jose", "nunez"]),
        ("STRASSE Straße", ["strasse", "strasse"]), ("Ω ώμος ΤΈΛΟΣ", ["ω", "ωμοσ", "τελοσ"]),
        ("Ёлка йод", ["елка", "иод"]), ("", []), (" \n…\u{301}", []),
        ("İstanbul", ["istanbul"]),
    ])
    func `words are without case, marks and punctuation`(text: String, words: [String]) {
        #expect(SearchText.words(text) == words)
    }

    @Test(arguments: [
        ("nunez", true), ("NÚÑ", true), ("jo nu", true), ("nu jo", true), ("unez", false),
        ("nunez x", false), ("", true), ("jose-nunez", true), ("josenunez", false),
    ])
    func `each word that is asked for begins a word of the text`(words: String, isFound: Bool) {
        #expect(SearchWords(words).match("José Núñez") == isFound)
    }

    @Test(arguments: 0..<40)
    func `a search finds what a plain loop over the words finds`(seed: Int) {
        var random = Seeded(seed)
        let letters = ["a", "B", "é", "n\u{303}", " ", "-", "ß", "1", "Ж"]
        func text(_ most: Int) -> String {
            (0..<random.below(most)).map { _ in letters[random.below(letters.count)] }.joined()
        }
        for _ in 0..<200 {
            let (asked, given) = (text(5), text(14))
            let words = SearchText.words(given)
            let expected = SearchText.words(asked).allSatisfy { word in
                words.contains { $0.hasPrefix(word) }
            }
            #expect(SearchWords(asked).match(given) == expected)
        }
    }
}
