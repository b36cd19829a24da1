import LinnetWire
import Testing

@testable import Linnet

struct CompanionDeskTests {
    private let directory = TemporaryDirectory()
    private let phone = DeviceID(repeating: 1)
    private let laptop = DeviceID(repeating: 2)

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    private func desk() throws -> CompanionDesk {
        let loop = try #require(EventLoop())
        defer { loop.stop() }
        let port = try CompanionPort(at: "\(directory.path)/link", side: .watch, loop: loop)
        return CompanionDesk(port, at: moment(0))
    }

    @Test func `a link that comes to nothing is tried again after pauses that grow to 8 s`() throws
    {
        var desk = try desk()
        #expect(desk.nextDeadline == 0)
        var pauses: [Int64?] = []
        for _ in 0..<7 {
            #expect(desk.fire(at: moment(10_000)) == true)
            #expect(desk.nextDeadline == nil)
            #expect(desk.fire(at: moment(20_000)) == false)
            desk.linkEnded(with: nil, isConnected: false, at: moment(0))
            pauses.append(desk.nextDeadline)
        }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
        _ = desk.fire(at: moment(10_000))
        desk.linkEnded(with: phone, isConnected: false, at: moment(100))
        #expect(desk.nextDeadline == 350)
        // Its session is the last one: the pause stays.
        desk.disconnected(phone, at: moment(100))
        #expect(desk.nextDeadline == 350)
        desk.hurry(at: moment(120))
        #expect(desk.nextDeadline == 120)
    }

    @Test func `who is connected otherwise is dialled when that ends, and not before`() throws {
        var desk = try desk()
        _ = desk.fire(at: moment(10_000))
        desk.linkEnded(with: phone, isConnected: true, at: moment(0))
        #expect(desk.device == phone)
        #expect(desk.nextDeadline == nil)
        desk.disconnected(laptop, at: moment(10))
        #expect(desk.nextDeadline == nil)
        desk.disconnected(phone, at: moment(20))
        #expect(desk.nextDeadline == 20)
    }
}
