import LinnetWire
import Testing

@testable import LinnetReplication

/// The turns of looking again at what lies in a mailbox.
@Suite struct MailChecksTests {
    private func objects(_ count: UInt8) -> [MailChecks.Object] {
        (1...count).map { .head(MailName(.head, Bytes16(repeating: $0))) }
    }

    @Test func `it is looked after 1, 2, 4 and 8 rounds, then after every 16`() {
        var checks = MailChecks()
        var rounds: [Int] = []
        for round in 1...64 where checks.begin(round: round) { rounds.append(round) }
        #expect(rounds == [1, 2, 4, 8, 16, 32, 48, 64])
    }

    @Test func `what was just left, and a person, are looked after in the next round`() {
        var checks = MailChecks()
        for round in 1...40 { _ = checks.begin(round: round) }
        checks.left(in: 40)
        var rounds: [Int] = []
        for round in 41...48 where checks.begin(round: round) { rounds.append(round) }
        #expect(rounds == [41, 43, 47])
        checks.hurry()
        let isChecked = checks.begin(round: 49)
        #expect(isChecked)
    }

    @Test func `objects take turns, and a round ends at a number and at a size`() {
        var checks = MailChecks()
        _ = checks.begin(round: 1)
        var order = checks.order(objects(5), start: 12)
        #expect(order.last == objects(5)[2])
        checks.note(MailChecks.bytes - 1, isInTurn: true)
        #expect(checks.mayGoOn)
        checks.note(1, isInTurn: true)
        #expect(!checks.mayGoOn)
        _ = checks.begin(round: 2)
        order = checks.order(objects(5), start: 0)
        #expect(order.last == objects(5)[4] && order.count == 5)
        for _ in 1...MailChecks.objects {
            #expect(checks.mayGoOn)
            checks.note(1, isInTurn: false)
        }
        #expect(!checks.mayGoOn)
        let (none, two) = (checks.order([], start: 3), checks.order(objects(2), start: 0))
        #expect(none.isEmpty && two.count == 2)
    }
}
