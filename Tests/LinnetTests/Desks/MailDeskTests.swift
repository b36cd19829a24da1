import LinnetReplication
import LinnetSystem
import LinnetWire
import Testing

@testable import Linnet

/// The desk of the mailboxes: requests to real folders, and calls that wait.
struct MailDeskTests {
    private let directory = TemporaryDirectory()

    private let id = MailboxID(rawValue: 1)

    private func answer(_ request: MailRequest) throws -> MailAnswer {
        var desk = MailDesk()
        let store = try desk.store(of: id, at: "folder:\(directory.path)", access: [])
        return MailDesk.answer(request, by: store)
    }

    @Test func `MailDesk asks the store that the address names, and tells its failures`() throws {
        let name = MailName(.pack, Bytes16(repeating: 7))
        #expect(try answer(.get(name)) == .bytes(nil))
        #expect(try answer(.list(.pack)) == .names([]))
        #expect(try answer(.delete(name)) == .done)
        var desk = MailDesk()
        let absent = try desk.store(of: id, at: "folder:/nowhere/at/all", access: [])
        let gone = MailboxError.absent(path: "/nowhere/at/all")
        #expect(MailDesk.answer(.list(.head), by: absent) == .failed(gone.description))
        // A store stays until it is forgotten, whatever its address is meanwhile.
        _ = try desk.store(of: id, at: "nowhere", access: [])
        desk.forget(id)
        #expect(throws: MailboxError.badAddress("nowhere")) {
            _ = try desk.store(of: id, at: "nowhere", access: [])
        }
        #expect(throws: MailboxError.self) {
            _ = try desk.store(of: id, at: "dav+https://host/", access: [1, 2])
        }
    }

    @Test func `a refused account stops a mailbox, and a busy store is asked after its time`() {
        let refused = MailboxError.unauthorised(status: 401, code: "")
        #expect(MailDesk.failure(refused) == .failed(refused.description, pause: .stopped))
        let busy = MailboxError.busy(seconds: 7)
        #expect(
            MailDesk.failure(busy)
                == .failed(busy.description, pause: .atLeast(milliseconds: 7_000)))
        for error in [MailboxError.busy(seconds: nil), .full, .timedOut, .tooLarge] {
            #expect(MailDesk.failure(error) == .failed(error.description))
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
