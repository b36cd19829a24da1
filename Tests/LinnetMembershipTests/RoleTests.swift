import LinnetMembership
import Testing

struct RoleTests {
    @Test func `the numbers of roles never change`() {
        #expect(Role.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(Role.allCases == [.admin, .member, .relay])
    }

    @Test func `only readers get both keys`() {
        #expect(Role.allCases.map(\.reads) == [true, true, false])
        #expect(Role.allCases.map(\.boxBytes) == [112, 112, 80])
    }
}
