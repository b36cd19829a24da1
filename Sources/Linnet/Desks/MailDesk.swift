import LinnetReplication
import LinnetSystem
import LinnetWire

/// The desk of the mailboxes: it carries the requests of the replica to their stores, on a thread
/// for each request, and keeps the calls that wait for the end of a look.
struct MailDesk {
    /// A call that waits for a look into a mailbox to end.
    typealias Waiter = CheckedContinuation<Result<MailRound, LinnetError>, Never>

    private var waiting: [MailboxID: [Waiter]] = [:]

    /// Keeps a call until a look ends.
    mutating func wait(for id: MailboxID, _ waiter: Waiter) {
        waiting[id, default: []].append(waiter)
    }

    /// True when a call waits for a look.
    func isAwaited(_ id: MailboxID) -> Bool { waiting[id] != nil }

    /// Ends the calls that wait for a look.
    mutating func ended(_ id: MailboxID, _ round: MailRound) {
        for waiter in waiting.removeValue(forKey: id) ?? [] {
            waiter.resume(returning: .success(round))
        }
    }

    /// Ends all calls, since the node stops.
    mutating func finish(_ error: LinnetError) {
        let all = waiting.values.flatMap(\.self)
        waiting = [:]
        for waiter in all { waiter.resume(returning: .failure(error)) }
    }

    /// Carries a request to the store at an address, and reports the answer on the loop's thread.
    static func carry(
        _ request: MailRequest, to address: String, loop: EventLoop,
        answered: @escaping @Sendable (MailAnswer) -> Void
    ) {
        let started = HelperThread.start {
            let answer = answer(request, at: address)
            loop.post { answered(answer) }
        }
        if !started {
            loop.post { answered(.failed(LinnetError.noResources.description)) }
        }
    }

    /// Asks a store, and returns its answer.
    static func answer(_ request: MailRequest, at address: String) -> MailAnswer {
        do throws(MailboxError) {
            let store = try MailboxAddress.open(address)
            switch request {
            case .list(let kind):
                return .names(try store.list(kind.letter, upTo: Limits.mailNames))
            case .get(let name):
                return .bytes(try store.get(name.text, upTo: name.kind.mostBytes))
            case .put(let object): try store.put(object.bytes, object.name.text)
            case .delete(let name): try store.delete(name.text)
            }
            return .done
        } catch {
            return .failed(error.description)
        }
    }
}
