import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct OutboxTests {
    @Test func `the witness goes before the bytes and the news after them`() {
        let (first, second) = (LinkID(rawValue: 1), LinkID(rawValue: 2))
        let mark = WitnessMark(incarnation: Incarnation(repeating: 3), highestSent: 4)
        var outbox = Outbox()
        outbox.warn(.admissionFrozen(by: .zero))
        outbox.close(second)
        outbox.witness = mark
        let effects = outbox.effects(sends: [(first, [1, 2]), (second, [])])
        #expect(
            effects == [
                .witness(mark), .send(first, [1, 2]), .close(second),
                .notify(.warning(.incarnationRotated("a copy"))),
            ])
        #expect(outbox.closing == [second])
    }

    @Test func `what a person has to know is handed out once`() {
        var outbox = Outbox()
        outbox.warn(.authorRenewed(DeviceID(repeating: 5)))
        outbox.warn(.admissionFrozen(by: .zero))
        let matters = outbox.takeMatters()
        #expect(matters == [.renewed(DeviceID(repeating: 5))])
        #expect(outbox.takeMatters().isEmpty && outbox.events.count == 2)
    }
}
