import LinnetDiscovery
import LinnetMembership
import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct JoiningDeskTests {
    private let link = LinkID(rawValue: 1)

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    private func offering() -> JoiningDesk {
        var desk = JoiningDesk()
        desk.begin(PairingTask(.offering, role: .admin, confirm: { _ in true }, end: 1_000))
        return desk
    }

    private func typing() throws -> JoiningDesk {
        var desk = JoiningDesk()
        let code = try PairingCode(parsing: "123456")
        desk.begin(
            PairingTask(.typing(.code(code)), role: .admin, confirm: { _ in true }, end: 30_000))
        return desk
    }

    @Test func `an offer ends at its time, and is extended once for somebody who typed`() {
        var desk = offering()
        #expect(desk.nextDeadline == 1_000 && !desk.wantsToDial)
        #expect(desk.fire(at: moment(999)) == [])
        #expect(desk.fire(at: moment(1_000)) == [.end])
        let extended = [desk.extend(at: moment(1_000)), desk.extend(at: moment(1_000))]
        #expect(extended == [true, false])
        #expect(desk.nextDeadline == 1_000 + Limits.pairingConfirmMilliseconds)
    }

    @Test func `candidates are looked at together, one and a half seconds after the first`() throws
    {
        var desk = try typing()
        desk.candidateFound(at: moment(100))
        desk.candidateFound(at: moment(1_000))
        #expect(desk.nextDeadline == 1_600)
        #expect(desk.fire(at: moment(1_600)) == [.choose])
        #expect(desk.nextDeadline == 30_000)
        let extended = desk.extend(at: moment(30_000))
        #expect(!extended)
        #expect(desk.fire(at: moment(30_000)) == [.end])
    }

    @Test func `what was typed is proven on one link alone`() throws {
        var desk = try typing()
        #expect(desk.wantsToDial)
        #expect(desk.takeSecret() != nil)
        #expect(desk.nextDeadline == nil)
        desk.connected(on: link)
        #expect(!desk.wantsToDial)
        #expect(desk.takeSecret() == nil)
        desk.candidateFound(at: moment(0))
        #expect(desk.nextDeadline == nil)
    }

    @Test func `while the person is asked the code's time does not run`() {
        var desk = offering()
        desk.asks(on: link)
        #expect(desk.task?.link == link && desk.nextDeadline == nil)
    }

    @Test func `everybody who waits learns the end, and later callers the last one`() async throws {
        let device = Device(id: "ab", name: "Phone")
        let result = await withCheckedContinuation { continuation in
            var desk = offering()
            desk.wait(continuation)
            desk.refused(["note.count"])
            #expect(desk.takeContradictions() == ["note.count"])
            #expect(desk.takeContradictions() == [])
            #expect(desk.take() != nil)
            #expect(desk.take() == nil)
            desk.end(.success(device))
            #expect(desk.last == .success(device))
            desk.begin(PairingTask(.offering, role: .admin, confirm: { _ in true }, end: 2_000))
            #expect(desk.last == nil)
        }
        #expect(result == .success(device))
    }
}
