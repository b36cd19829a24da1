import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

@Suite struct FetchingDeskTests {
    private let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
    private let file = Bytes32(repeating: 1)

    private func later(_ milliseconds: Int64) -> Moment {
        Moment(
            wallMilliseconds: now.wallMilliseconds + milliseconds,
            uptimeMilliseconds: now.uptimeMilliseconds + milliseconds)
    }

    @Test func `a call hears of its file alone, and last of its end`() async {
        var desk = FetchingDesk()
        var news = desk.follow(file, idleMilliseconds: nil, at: now).makeAsyncIterator()
        desk.grew(Bytes32(repeating: 2), to: 7, at: now)
        desk.grew(file, to: 5, at: now)
        let told1 = await news.next()
        #expect(told1 == .grew(5))
        desk.grew(file, to: 6, at: now)
        desk.ended(file, .altered)
        let told2 = await news.next()
        #expect(told2 == .ended(.altered))
        let told3 = await news.next()
        #expect(told3 == nil)
        #expect(desk.nextDeadline == nil)
    }

    @Test func `a call that hears nothing for its time ends, and one that hears goes on`() async {
        var desk = FetchingDesk()
        var news = desk.follow(file, idleMilliseconds: 100, at: now).makeAsyncIterator()
        #expect(desk.nextDeadline == now.uptimeMilliseconds + 100)
        desk.grew(file, to: 5, at: later(90))
        let told4 = await news.next()
        #expect(told4 == .grew(5))
        let fired = [desk.fire(at: later(150)), desk.fire(at: later(190))]
        #expect(fired == [[], [file]])
        let told5 = await news.next()
        #expect(told5 == .silent)
    }

    @Test func `a file is given up only when nobody waits for it`() {
        var desk = FetchingDesk()
        let short = desk.follow(file, idleMilliseconds: 100, at: now)
        let long = desk.follow(file, idleMilliseconds: nil, at: now)
        let fired = desk.fire(at: later(200))
        #expect(fired.isEmpty)
        desk.finish()
        #expect(desk.nextDeadline == nil)
        withExtendedLifetime((short, long)) {}
    }
}
