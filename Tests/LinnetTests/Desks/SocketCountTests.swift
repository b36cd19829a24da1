import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct SocketCountTests {
    @Test func `the last event comes once, when the last socket is closed`() async {
        var sockets = SocketCount()
        sockets.opened()
        sockets.opened()
        #expect(sockets.takeFarewell() == nil)
        sockets.close(with: .stopped(reason: nil))
        sockets.closed()
        #expect(sockets.takeFarewell() == nil)
        sockets.closed()
        #expect(sockets.isEmpty)
        #expect(sockets.takeFarewell()?.0 == .stopped(reason: nil))
        #expect(sockets.takeFarewell() == nil)
    }

    @Test func `who waits for the end is handed out with it`() async {
        await withCheckedContinuation { continuation in
            var sockets = SocketCount()
            sockets.opened()
            sockets.wait(continuation)
            sockets.close(with: .stopped(reason: "it is late"))
            sockets.closed()
            let waiting = sockets.takeFarewell()?.1 ?? []
            #expect(waiting.count == 1)
            for waiter in waiting { waiter.resume() }
        }
    }
}
