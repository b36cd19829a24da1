import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetCard

/// Cards as texts of codes.
struct CardPartsTests {
    private func box(_ count: Int, _ seed: UInt8 = 1) -> [UInt8] {
        var entropy = TestCard.entropy(seed)
        return entropy.bytes(count)
    }

    private func join(_ parts: [String], _ gap: String = "\n") throws(CardError) -> [UInt8] {
        try CardParts.join(Array(parts.joined(separator: gap).utf8))
    }

    @Test func `parts join in any order, twice and with anything between them`() throws {
        let box = box(3 * Limits.cardPartBytes + 1)
        let parts = try CardParts.split(box)
        #expect(parts.count == 4)
        #expect(parts.allSatisfy { $0.utf8.count <= 970 && $0.hasPrefix("LINNETCARD1:") })
        #expect(try join(parts) == box)
        #expect(try join(parts, "") == box)
        #expect(try join(parts.reversed() + parts, "</desc> a, b\u{fe}\r\n") == box)
        #expect(try CardParts.split([1]).count == 1)
        #expect(try CardParts.split(self.box(Limits.cardPartBytes)).count == 1)
    }

    @Test func `the numbers that are missing are told`() throws {
        let parts = try CardParts.split(box(4 * Limits.cardPartBytes))
        #expect(throws: CardError.missing([2, 4], of: 4)) { try join([parts[2], parts[0]]) }
        #expect(throws: CardError.notACard) { try join(["LINNET", "card"]) }
        #expect(throws: CardError.notACard) { try join([]) }
    }

    @Test func `parts of two cards are told apart`() throws {
        let first = try CardParts.split(box(1_000))
        let second = try CardParts.split(box(1_000, 2))
        let names = [first, second].map { String($0[0].dropFirst(12).prefix(8)) }
        #expect(throws: CardError.mixed(names)) { try join([first[0], second[1]]) }
        let many = try (0..<60).map { try CardParts.split(box(9, $0))[0] }
        #expect(throws: CardError.self) { try join(many) }
    }

    @Test func `a mistake in a part is told with its number`() throws {
        let parts = try CardParts.split(box(1_000))
        for index in 0..<parts[1].utf8.count {
            var bytes = Array(parts[1].utf8)
            bytes[index] = bytes[index] == 0x41 ? 0x42 : 0x41
            let text = Array((parts[0] + "\n").utf8) + bytes
            #expect(throws: CardError.self) { try CardParts.join(text) }
        }
        let cut = String(parts[1].dropLast())
        #expect(throws: CardError.damagedPart(2)) { try join([parts[0], cut]) }
        #expect(throws: CardError.damagedPart(0)) { try join([parts[0], "LINNETCARD1:"]) }
        let later = parts[0].replacing("LINNETCARD1", with: "LINNETCARD2")
        #expect(throws: CardError.fromTheFuture) { try join([later]) }
    }

    @Test func `numbers and sizes beyond the limits are refused`() throws {
        let most = box(Limits.cardParts * Limits.cardPartBytes)
        #expect(try join(CardParts.split(most)) == most)
        #expect(throws: CardError.tooManyParts) { try CardParts.split(most + [0]) }
        for text in [
            "AAAAAAAA:0/1:AA:", "AAAAAAAA:2/1:AA:", "AAAAAAAA:1/65:AA:", "AAAAAAAA:1/1::",
            "AAAAAAAA:99999999999999999999/1:AA:", "AAAAAAAA:1:AA:", "AAAAAAA:1/1:AA:",
            "AAAAAAAA:1/1:AB:", "AAAAAAAA:1/1:A1:",
            "AAAAAAAA:1/1:\(String(repeating: "A", count: 904)):",
        ] {
            let whole = "LINNETCARD1:" + text
            #expect(throws: CardError.self, "\(text)") {
                try join([whole + CardParts.check(whole)])
            }
        }
        // The data are not those that the name was made of.
        let wrong = "LINNETCARD1:AAAAAAAA:1/1:AAAA:"
        #expect(throws: CardError.damaged) { try join([wrong + CardParts.check(wrong)]) }
    }
}
