import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// The things that were read in one mailbox, alone.
@Suite struct ReadMailTests {
    private var known = ReadMail()

    private func head(_ number: UInt64) -> MailHead {
        MailHead(
            group: .zero, device: DeviceID(repeating: 3),
            incarnation: Incarnation(repeating: 2), number: number, previous: .zero)
    }

    private mutating func learn(_ head: MailHead, _ byte: UInt8, isMember: Bool = true) -> Bool {
        known.learn(head, hash: Bytes16(repeating: byte), epoch: .zero, isMember: isMember)
    }

    @Test mutating func `only another head of the same number is one too many`() {
        #expect(learn(head(4), 4) && learn(head(3), 3) && learn(head(4), 4))
        #expect(!learn(head(4), 5))
        #expect(known.heads.values.map(\.hash) == [Bytes16(repeating: 4)])
    }

    @Test mutating func `no more heads are kept than there can be devices`() {
        for index in 0..<Limits.mailHeads + 10 {
            var head = head(1)
            let number = [UInt8(index / 256), UInt8(index % 256)]
            head.device = DeviceID(number + [UInt8](repeating: 0, count: 30)) ?? .zero
            #expect(learn(head, 1, isMember: false))
        }
        #expect(known.heads.count == Limits.mailHeads)
        // A member takes the place of a device that is out.
        #expect(learn(head(1), 2))
        #expect(known.heads.count == Limits.mailHeads)
        #expect(known.heads.values.contains { $0.head.device == head(1).device })
    }

    @Test mutating func `of one device the lives with the highest numbers are kept`() {
        for number: UInt64 in [3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97] {
            var head = head(number)
            head.incarnation = Incarnation([UInt8(number), 0, 0, 0, 0, 0, 0, 0]) ?? .zero
            #expect(learn(head, UInt8(number)))
        }
        #expect(known.heads.values.map(\.head.number).sorted() == [4, 5, 6, 8, 9, 15, 35, 97])
    }

    @Test mutating func `what is not shown any more is forgotten, but for the newest heads`() {
        let (old, new) = (MailName(.head, Bytes16(repeating: 4)), MailName(.door, .zero))
        #expect(learn(head(4), 4))
        known.learnDoor(new)
        known.keep { $0 == new }
        #expect(known.heads.values.map(\.missed) == [1])
        #expect(known.learned.keys.isEmpty && known.doors.elements == [new])
        known.keep { $0 == old }
        #expect(known.heads.values.map(\.missed) == [0])
        #expect(known.doors.elements.isEmpty)
    }
}
