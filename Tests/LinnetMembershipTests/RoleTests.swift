import LinnetMembership
import Testing

struct RoleTests {
    @Test func `the numbers of roles never change`() {
        #expect(Role.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(Role.allCases == [.admin, .member, .relay, .reader])
    }

    @Test func `only those that read get both keys`() {
        #expect(Role.allCases.map(\.reads) == [true, true, false, true])
        #expect(Role.allCases.map(\.boxBytes) == [112, 112, 80, 112])
    }

    @Test func `what readers and relays write does not count`() {
        #expect(Role.allCases.map(\.writes) == [true, true, false, false])
    }
}
