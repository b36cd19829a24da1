import Testing

@testable import Linnet

struct WarningDeskTests {
    @Test func `the causes are looked at once after something happened`() {
        var desk = WarningDesk()
        #expect(desk.isDue(at: 0))
        desk.look(at: 0)
        #expect(!desk.isDue(at: 10_000))
        desk.expectChange()
        #expect(desk.isDue(at: 10_000))
    }

    @Test func `what stands is looked at again after a second`() {
        var desk = WarningDesk()
        desk.hold(.upgradeNeeded, isSo: true, at: 5)
        let change = desk.update(with: [])
        #expect(change.began == [.upgradeNeeded])
        desk.look(at: 100)
        #expect(!desk.isDue(at: 1_099))
        #expect(desk.isDue(at: 1_100))
    }

    @Test func `a warning of the node's own stays until it is taken back`() {
        var desk = WarningDesk()
        desk.raise(.badEpoch, at: 1)
        desk.raise(.badEpoch, at: 2)
        _ = desk.update(with: [])
        #expect(desk.standing.map(\.count) == [2])
        desk.end { $0 == .badEpoch }
        #expect(desk.update(with: []).ended == [.badEpoch])
        #expect(desk.standing.isEmpty)
    }
}
