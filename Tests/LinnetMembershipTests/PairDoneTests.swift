import LinnetMembership
import LinnetWire
import Testing

struct PairDoneTests {
    @Test func `a confirmation reads back as it was made`() throws {
        let done = PairDone(admission: Bytes32(repeating: 5))
        #expect(done.encode().count == 35)
        #expect(try PairDone(decoding: done.encode()) == done)
    }

    @Test func `a confirmation of another form is refused`() {
        for body in [[], [0x80], [0x81, 0x01], [0x81, 0x41, 0x00]] as [[UInt8]] {
            #expect(membershipError { _ = try PairDone(decoding: body) } != nil)
        }
        let long = PairDone(admission: .zero).encode() + [0]
        #expect(throws: MembershipError.malformed(.trailingBytes)) {
            _ = try PairDone(decoding: long)
        }
    }
}
