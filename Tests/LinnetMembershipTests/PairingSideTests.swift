import LinnetMembership
import Testing

struct PairingSideTests {
    @Test func `names and numbers of the sides are part of the protocol`() {
        #expect(PairingSide.typer.rawValue == 0)
        #expect(PairingSide.shower.rawValue == 1)
        #expect(PairingSide.typer.associatedData == Array("typer".utf8))
        #expect(PairingSide.shower.associatedData == Array("shower".utf8))
        #expect(PairingSide.allCases.map(\.other) == [.shower, .typer])
    }
}
