import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

/// The desk of the mailboxes: requests to real folders, and calls that wait.
struct MailDeskTests {
    private let directory = TemporaryDirectory()

    private func answer(_ request: MailRequest) -> MailAnswer {
        MailDesk.answer(request, at: "folder:\(directory.path)")
    }

    @Test func `MailDesk asks the store that the address names, and tells its failures`() {
        let name = MailName(.pack, Bytes16(repeating: 7))
        #expect(answer(.get(name)) == .bytes(nil))
        #expect(answer(.list(.pack)) == .names([]))
        #expect(answer(.delete(name)) == .done)
        for address in ["folder:/nowhere/at/all", "nowhere"] {
            guard case .failed(let reason) = MailDesk.answer(.list(.head), at: address) else {
                Issue.record("\(address) answered")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test func `calls end with the look that they wait for, or with the node`() async throws {
        let (first, second) = (MailboxID(rawValue: 1), MailboxID(rawValue: 2))
        let ended = await withCheckedContinuation { waiter in
            var desk = MailDesk()
            desk.wait(for: first, waiter)
            #expect(desk.isAwaited(first) && !desk.isAwaited(second))
            desk.ended(second, MailRound())
            #expect(desk.isAwaited(first))
            desk.ended(first, MailRound())
            desk.finish(.stopped)
        }
        #expect(try ended.get() == MailRound())
        let stopped = await withCheckedContinuation { waiter in
            var desk = MailDesk()
            desk.wait(for: first, waiter)
            desk.finish(.stopped)
        }
        #expect(throws: LinnetError.stopped) { _ = try stopped.get() }
    }
}
