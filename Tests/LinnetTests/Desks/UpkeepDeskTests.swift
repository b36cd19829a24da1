import LinnetWire
import Testing

@testable import Linnet

struct UpkeepDeskTests {
    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    @Test func `the first relaxed write sets the second in which all of them become durable`() {
        var desk = UpkeepDesk()
        #expect(desk.nextDeadline == nil)
        desk.wroteRelaxed(at: moment(100))
        desk.wroteRelaxed(at: moment(900))
        #expect(desk.hasRelaxedWrites)
        #expect(desk.nextDeadline == 1_100)
        #expect(desk.fire(at: moment(1_099)) == [])
        #expect(desk.fire(at: moment(1_100)) == [.flush])
        #expect(!desk.hasRelaxedWrites)
        #expect(desk.nextDeadline == nil)
    }

    @Test func `writes that were made durable before wait for nothing`() {
        var desk = UpkeepDesk()
        desk.wroteRelaxed(at: moment(0))
        desk.flushed()
        #expect(desk.nextDeadline == nil)
        #expect(desk.fire(at: moment(5_000)) == [])
    }

    @Test func `what the device holds is looked at once an hour`() {
        var desk = UpkeepDesk()
        desk.followedRole(at: moment(10))
        #expect(desk.nextDeadline == 3_600_010)
        desk.wroteRelaxed(at: moment(3_599_500))
        #expect(desk.fire(at: moment(3_600_010)) == [.role])
        #expect(desk.nextDeadline == 3_600_500)
        #expect(desk.fire(at: moment(3_600_500)) == [.flush])
    }

    @Test func `a device that nobody uses is to be locked, though not during a command`() {
        var desk = UpkeepDesk()
        desk.locks(after: 1_000, at: moment(0))
        desk.noteUse(at: moment(600))
        #expect(desk.nextDeadline == 1_600)
        desk.commandBegan(at: moment(1_500))
        #expect(desk.nextDeadline == nil && desk.fire(at: moment(9_000)) == [])
        desk.commandBegan(at: moment(9_100))
        desk.commandEnded(at: moment(9_200))
        #expect(desk.nextDeadline == nil)
        desk.commandEnded(at: moment(9_300))
        #expect(desk.fire(at: moment(10_299)) == [])
        #expect(desk.fire(at: moment(10_300)) == [.lock])
        #expect(desk.nextDeadline == nil)
        // The desk after the locking waits for the next use.
        desk = UpkeepDesk(after: desk)
        #expect(desk.nextDeadline == nil)
        desk.noteUse(at: moment(20_000))
        #expect(desk.nextDeadline == 21_000)
        desk.locks(after: nil, at: moment(20_000))
        #expect(desk.nextDeadline == nil)
    }
}
