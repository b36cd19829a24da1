import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileWishesTests {
    private let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
    private let link = OrderedSet([LinkID(rawValue: 1)])

    private func key(_ number: Int) throws -> RecordKey {
        RecordKey(collection: 2_000, record: try #require(RecordID("p\(number)")))
    }

    /// The wishes of a device whose first walk is over.
    private func walked() -> FileWishes {
        var wishes = FileWishes()
        wishes.follow(.all)
        wishes.meet(link, at: now)
        wishes.beginWalk(over: [])
        wishes.endWalk(at: now)
        return wishes
    }

    @Test func `without a policy nothing is looked for`() throws {
        var wishes = FileWishes()
        wishes.meet(link, at: now)
        wishes.note(try key(1))
        #expect(!wishes.isLooking && wishes.nextDeadline == nil)
    }

    @Test func `without somebody who may give files nothing is looked for`() throws {
        var wishes = walked()
        wishes.note(try key(1))
        #expect(wishes.nextDeadline == 0)
        wishes.meet(OrderedSet(), at: now)
        #expect(wishes.nextDeadline == nil)
    }

    @Test func `more changes than are noted begin the walk anew`() throws {
        var wishes = walked()
        for number in 0..<256 { wishes.note(try key(number)) }
        #expect(wishes.noted.count == 256)
        wishes.note(try key(256))
        #expect(wishes.noted.isEmpty && wishes.isLooking)
        wishes.beginWalk(over: [2_000])
        #expect(wishes.walk?.collections == [2_000])
    }

    @Test func `no more files are on their way at one time than may be`() throws {
        var wishes = walked()
        for byte in 0..<FileWishes.mostAtOnce {
            #expect(wishes.mayBegin)
            wishes.began(Bytes32(repeating: UInt8(byte)), at: now)
        }
        #expect(!wishes.mayBegin)
        wishes.ended(Bytes32(repeating: 0), nil)
        #expect(wishes.mayBegin)
    }

    @Test func `progress gives a file more time`() {
        var wishes = walked()
        let file = Bytes32(repeating: 1)
        wishes.began(file, at: now)
        var later = now
        later.uptimeMilliseconds += 10
        wishes.grew(file, to: 0, at: later)
        #expect(wishes.nextDeadline == 1_000 + FileWishes.patienceMilliseconds)
        wishes.grew(file, to: 1, at: later)
        #expect(wishes.nextDeadline == 1_010 + FileWishes.patienceMilliseconds)
    }

    @Test func `a file that was left behind is looked for again after a while`() {
        var wishes = walked()
        let file = Bytes32(repeating: 1)
        wishes.began(file, at: now)
        wishes.leave(file, at: now)
        var later = now
        later.uptimeMilliseconds += FileWishes.againMilliseconds
        #expect(wishes.nextDeadline == later.uptimeMilliseconds && !wishes.isLooking)
        wishes.meet(link, at: later)
        #expect(wishes.isLooking)
        wishes.beginWalk(over: [2_000])
        #expect(wishes.walk != nil)
    }

    @Test func `a link that is new leads to what was left behind`() {
        var wishes = walked()
        let file = Bytes32(repeating: 1)
        wishes.began(file, at: now)
        wishes.leave(file, at: now)
        wishes.meet(link, at: now)
        #expect(!wishes.isLooking)
        wishes.meet(OrderedSet([LinkID(rawValue: 1), LinkID(rawValue: 2)]), at: now)
        #expect(wishes.isLooking)
    }

    @Test func `days are counted back from now`() {
        let day: Int64 = 86_400_000
        #expect(FilePolicy.recent(days: 1).covers(1_000 * day, at: 1_001 * day))
        #expect(!FilePolicy.recent(days: 1).covers(1_000 * day - 1, at: 1_001 * day))
        #expect(FilePolicy.recent(days: 1).covers(1_002 * day, at: 1_001 * day))
        #expect(FilePolicy.all.covers(0, at: 1_001 * day))
        #expect(!FilePolicy.onDemand.covers(1_001 * day, at: 1_001 * day))
    }
}
