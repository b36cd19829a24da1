import LinnetReplication
import LinnetSystem
import LinnetWire

/// The desk of the mailboxes: it carries the requests of the replica to their stores, on a thread
/// for each request, and keeps the calls that wait for the end of a look.
struct MailDesk {
    /// A call that waits for a look into a mailbox to end.
    typealias Waiter = CheckedContinuation<Result<MailRound, LinnetError>, Never>

    private var waiting: [MailboxID: [Waiter]] = [:]
    /// The stores in use, which keep their connections open from request to request.
    private var stores: [MailboxID: any Mailbox] = [:]
    /// The questions that are held open at stores that tell of news.
    private var watches: [MailboxID: MailWatch] = [:]

    /// Keeps a call until a look ends.
    mutating func wait(for id: MailboxID, _ waiter: Waiter) {
        waiting[id, default: []].append(waiter)
    }

    /// True when a call waits for a look.
    func isAwaited(_ id: MailboxID) -> Bool { waiting[id] != nil }

    /// Ends the calls that wait for a look.
    mutating func ended(_ id: MailboxID, _ round: MailRound) {
        if round.failure == nil { watches[id]?.storeAnswered() }
        for waiter in waiting.removeValue(forKey: id) ?? [] {
            waiter.resume(returning: .success(round))
        }
    }

    /// Ends all calls and lets go of all stores with their accounts, since the node stops or locks.
    mutating func finish(_ error: LinnetError) {
        stores = [:]
        for watch in watches.values { watch.end() }
        watches = [:]
        let all = waiting.values.flatMap(\.self)
        waiting = [:]
        for waiter in all { waiter.resume(returning: .failure(error)) }
    }

    /// Lets go of the store behind a mailbox, which is gone or has another account.
    mutating func forget(_ id: MailboxID) {
        stores[id] = nil
        watches.removeValue(forKey: id)?.end()
    }

    /// True while the store behind a mailbox is asked for news.
    func isWatching(_ id: MailboxID) -> Bool { watches[id] != nil }

    /// Asks the store behind a mailbox for news from now on, where it tells of any.
    ///
    /// - Parameter heard: is called on the loop's thread when there may be news.
    mutating func watch(
        _ id: MailboxID, at store: any Mailbox, loop: EventLoop,
        heard: @escaping @Sendable () -> Void
    ) {
        guard watches[id] == nil, let teller = store.newsTeller else { return }
        let watch = MailWatch(teller, loop: loop, heard: heard)
        watches[id] = watch
        watch.ask()
    }

    /// Returns the store behind a mailbox, which is opened once.
    ///
    /// - Parameter access: the account as the home keeps it; empty where there is none.
    mutating func store(
        of id: MailboxID, at address: String, access: [UInt8]
    ) throws(MailboxError) -> any Mailbox {
        if let store = stores[id] { return store }
        var account: MailboxAccess?
        if !access.isEmpty {
            do throws(WireError) {
                var reader = CBORReader(access)
                account = try MailboxAccess.read(from: &reader)
                try reader.finish()
            } catch {
                throw .badAccount("the account that this home keeps cannot be read: add it again")
            }
        }
        let store = try MailboxAddress.open(address, account)
        stores[id] = store
        return store
    }

    /// Carries a request to a store, and reports the answer on the loop's thread.
    static func carry(
        _ request: MailRequest, to store: any Mailbox, loop: EventLoop,
        answered: @escaping @Sendable (MailAnswer, MailTraffic) -> Void
    ) {
        let started = HelperThread.start {
            let answer = answer(request, by: store)
            let traffic = store.takeTraffic()
            loop.post {
                answered(answer, MailTraffic(requests: traffic.requests, bytes: traffic.bytes))
            }
        }
        if !started {
            loop.post { answered(.failed(LinnetError.noResources.description), MailTraffic()) }
        }
    }

    /// Asks a store, and returns its answer.
    static func answer(_ request: MailRequest, by store: any Mailbox) -> MailAnswer {
        do throws(MailboxError) {
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
            return failure(error)
        }
    }

    /// Returns the answer that stands for a failure, with the time until the next try.
    static func failure(_ error: MailboxError) -> MailAnswer {
        switch error {
        case .unauthorised: .failed(error.description, pause: .stopped)
        case .busy(let seconds?):
            .failed(error.description, pause: .atLeast(milliseconds: seconds * 1_000))
        default: .failed(error.description)
        }
    }
}
