import LinnetCrypto
import LinnetMembership
import Testing

struct PairingCodeTests {
    @Test(arguments: ["123456", "123 456", "12-34-56", " 1 2 3 4 5 6\n", "123\u{a0}456"])
    func `spaces and hyphens do not matter`(text: String) throws {
        #expect(try PairingCode(parsing: text).digits == "123456")
    }

    @Test(arguments: [
        "", "12345", "1234567", "12345a", "١٢٣٤٥٦", "１２３４５６", "+12345", "-12345",
        "1234567890123456789",
        "12,34,56",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: MembershipError.codeNotSixDigits) {
            _ = try PairingCode(parsing: text)
        }
    }

    @Test func `leading zeros stay`() throws {
        #expect(try PairingCode(parsing: "000042").digits == "000042")
        #expect(try PairingCode(parsing: "000000").digits == "000000")
    }

    @Test func `drawn codes have six digits and use the whole range`() throws {
        var entropy = entropy(4)
        var firstDigits = [Int](repeating: 0, count: 10)
        for _ in 0..<2_000 {
            let code = PairingCode(entropy: &entropy)
            #expect(code.digits.utf8.count == 6)
            #expect(try PairingCode(parsing: code.digits) == code)
            firstDigits[Int(try #require(code.digits.utf8.first)) - 48] += 1
        }
        #expect(firstDigits.allSatisfy { $0 > 100 })
    }
}
