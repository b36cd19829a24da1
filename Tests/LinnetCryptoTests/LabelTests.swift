import LinnetCrypto
import Testing

struct LabelTests {
    @Test func `no label is a prefix of another`() {
        for first in Label.allCases {
            for second in Label.allCases where first != second {
                #expect(!second.rawValue.hasPrefix(first.rawValue))
            }
        }
    }

    @Test func `every label is printable ASCII with a version`() {
        for label in Label.allCases {
            let parts = label.rawValue.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.first == "linnet" && parts.count >= 3)
            #expect(parts.last.flatMap { UInt8($0) }.map { $0 >= 1 } == true)
            #expect(label.bytes.allSatisfy { (0x21...0x7e).contains($0) })
        }
    }
}
