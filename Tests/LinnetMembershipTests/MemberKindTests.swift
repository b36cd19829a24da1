import LinnetMembership
import Testing

struct MemberKindTests {
    @Test func `the numbers of kinds never change`() {
        let kinds: [MemberKind] = [
            .genesis, .add, .remove, .role, .epoch, .vote, .extend, .share, .recovery,
        ]
        #expect(kinds.map(\.rawValue) == Array(0...8))
        #expect(MemberKind.allCases == kinds)
    }
}
