import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct NoticeBookTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test func `what the person does not know of is a warning, and collisions are one`() throws {
        var book = NoticeBook()
        book.add(.rotated("a restore"), at: 5)
        book.add(.collided(try bench.key("a")), at: 6)
        book.add(.collided(try bench.key("b")), at: 7)
        let facts = book.facts()
        #expect(
            facts.map(\.warning) == [
                .incarnationRotated("a restore"), .idCollision(try bench.key("b")),
            ])
        #expect(facts.map(\.count) == [1, 2] && facts.allSatisfy { $0.isKept && $0.isUntold })
        book.acknowledge(quarantined: 0)
        #expect(book.facts().isEmpty)
    }

    @Test func `every kind of event is read as it was written`() throws {
        var book = NoticeBook()
        let (one, other) = (DeviceID(repeating: 3), DeviceID(repeating: 4))
        let matters: [Notice.Matter] = [
            .rotated("a restore"), .renewed(one), .forked(one), .collided(try bench.key("a")),
            .restated(RestatingReport(lost: 1, saved: 2, silent: 3)),
            .setAside(try bench.key("b")), .overruled(one, by: other, isRole: true),
        ]
        for matter in matters { book.add(matter, at: 5) }
        #expect(try NoticeBook(decoding: book.encoded).notices.map(\.matter) == matters)
    }

    @Test func `events are kept in the transaction of their call`() throws {
        var book = NoticeBook()
        try book.keep([], &bench.turn, at: bench.now)
        #expect(!bench.turn.store.isInTransaction)
        try book.keep([.rotated("a restore")], &bench.turn, at: bench.now)
        #expect(bench.turn.store.isInTransaction && !book.isChanged)
        let kept = NoticeBook(kept: try bench.turn.store.value(.notices), [])
        #expect(kept.notices == book.notices)
    }

    @Test func `what is new is saved at once unless a transaction is open`() throws {
        var book = NoticeBook()
        book.add(.forked(DeviceID(repeating: 3)), at: 5)
        try bench.turn.store.begin(.full)
        try book.save(to: bench.turn.store)
        #expect(book.isChanged)
        bench.turn.store.rollback()
        try book.save(to: bench.turn.store)
        #expect(!book.isChanged && !bench.turn.store.isInTransaction)
        #expect(try bench.turn.store.value(.notices) == book.encoded)
    }

    @Test func `a home that kept no book has one of its forks`() throws {
        var (forked, whole) = (try bench.row(of: bench.writer), try bench.row(of: bench.author))
        forked.forkedAt = 4
        whole.forkedAt = nil
        for kept in [nil, [0xFF]] as [[UInt8]?] {
            let book = NoticeBook(kept: kept, [whole, forked])
            #expect(book.notices.map(\.matter) == [.forked(forked.device)])
        }
    }

    @Test func `a peer that disagrees later takes nothing from what was agreed`() throws {
        var book = NoticeBook()
        #expect(book.believedFrom == Limits.wallClockFloorMilliseconds)
        let peer = DeviceID(repeating: 3)
        let year: Int64 = 365 * 86_400_000
        _ = book.meet(peer, Incarnation(repeating: 1), known: [], skew: 500, at: bench.now)
        let agreed = bench.now.wallMilliseconds
        #expect(book.believedFrom == agreed)
        let early = Moment(wallMilliseconds: agreed - year, uptimeMilliseconds: 90_000)
        _ = book.meet(peer, Incarnation(repeating: 1), known: [], skew: year, at: early)
        #expect(book.believedFrom == agreed)
        #expect(NoticeBook(kept: book.encoded, []).believedFrom == agreed)
    }

    @Test func `a later agreement is kept at once when it is earlier or a day later`() throws {
        var book = NoticeBook()
        let peer = DeviceID(repeating: 3)
        let start = bench.now.wallMilliseconds
        for (days, isKept) in [(0, true), (1, false), (2, true), (1, true)] as [(Int64, Bool)] {
            book.saved()
            let now = Moment(
                wallMilliseconds: start + days * 86_400_000,
                uptimeMilliseconds: bench.now.uptimeMilliseconds)
            _ = book.meet(peer, Incarnation(repeating: 1), known: [], skew: 0, at: now)
            #expect(book.isChanged == isKept)
            #expect(book.believedFrom == now.wallMilliseconds)
        }
    }

    @Test func `the clock of a device counts from when it was met, by our own clock as it is now`()
    {
        var book = NoticeBook()
        let (met, other) = (DeviceID(repeating: 3), DeviceID(repeating: 4))
        let isNew = book.meet(met, Incarnation(repeating: 1), known: [], skew: 500, at: bench.now)
        let later = Moment(
            wallMilliseconds: bench.now.wallMilliseconds + 70_000,
            uptimeMilliseconds: bench.now.uptimeMilliseconds + 10_000)
        let opinions = book.opinions(of: [met, other], at: later)
        #expect(!isNew && opinions.map(\.device) == [met])
        #expect(opinions.map(\.skewMilliseconds) == [-59_500])
        #expect(book.opinions(of: [other], at: later).isEmpty)
    }
}
