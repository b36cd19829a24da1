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
            #expect(label.rawValue.hasPrefix("linnet/") && label.rawValue.hasSuffix("/1"))
            #expect(label.bytes.allSatisfy { (0x21...0x7e).contains($0) })
        }
    }
}
