import LinnetStorage
import LinnetSystem
import LinnetWire

/// A request that was let in: whose it is, what it wants, and the memory that it holds.
struct RelayCall {
    let access: RelayAccess
    let route: RelayRoute
    var heldBytes = 0
}

/// The reply to a request.
enum RelayReply {
    case answer(RelayAnswer)
    /// It is answered as done, and others of its place have news.
    case news(RelayAnswer)
    /// It is answered when there is news, or after a time.
    case wait
}

/// The judge of requests: it lets accounts in, and does with the file what they want. It belongs to
/// the loop's thread, and is done with a request when it returns.
final class RelayDesk {
    private let store: RelayStore
    private let room: Int64
    private var ledger = RelayLedger()
    /// The uptime at which the last use of an account was written down.
    private var noted: [Int64: Int64] = [:]
    /// The reason why nothing more may be written: what the disk kept is not known.
    private(set) var failure: RelayError?

    init(_ store: RelayStore, room: Int64) { (self.store, self.room) = (store, room) }

    /// Lets a request in by its head, or refuses it.
    func admit(_ head: RelayHead) -> Result<RelayCall, RelayAnswer> {
        do throws(RelayError) {
            guard let account = RelayCredentials(head.authorization),
                let access = try store.access(account.name, password: account.password)
            else { return .failure(.unauthorised) }
            try noteUse(of: access)
            switch RelayRoute.read(head) {
            case .failure(let answer): return .failure(answer)
            case .success(let route): return admit(route, of: access, head)
            }
        } catch {
            return .failure(answer(to: error))
        }
    }

    private func admit(
        _ route: RelayRoute, of access: RelayAccess, _ head: RelayHead
    ) -> Result<RelayCall, RelayAnswer> {
        var call = RelayCall(access: access, route: route)
        guard case .put(_, let bytes) = route else {
            let isBare = !head.isChunked && head.length ?? 0 == 0
            return isBare ? .success(call) : .failure(.badLength)
        }
        guard ledger.take(bytes, for: access.id) else { return .failure(.tooMany) }
        call.heldBytes = bytes
        return .success(call)
    }

    /// Does what a request wants, whose body is whole.
    func reply(to call: inout RelayCall, _ body: [UInt8]) -> RelayReply {
        do throws(RelayError) {
            guard try store.isThere(call.access) else { return .answer(.unauthorised) }
            switch call.route {
            case .list(let letter, let mark):
                return .answer(
                    .names(try store.names(letter, after: mark, in: call.access.place)))
            case .get(let name): return .answer(try get(name, for: &call))
            case .put(let name, let bytes):
                guard body.count == bytes else { return .answer(.badLength) }
                return try put(body, name, for: call)
            case .delete(let name):
                try store.delete(name, in: call.access.place)
                return .answer(.done)
            case .wait(let number):
                guard let number else { return .answer(newsAnswer(for: call)) }
                let isNews = try store.news(since: number, for: call.access).isNews
                return isNews ? .answer(newsAnswer(for: call)) : .wait
            }
        } catch {
            return .answer(answer(to: error))
        }
    }

    /// Returns the answer to a wait that is over, as far as its account is still there.
    func newsAnswer(for call: RelayCall) -> RelayAnswer {
        do throws(RelayError) {
            guard try store.isThere(call.access) else { return .unauthorised }
            return .number(try store.news(since: 0, for: call.access).number)
        } catch {
            return answer(to: error)
        }
    }

    /// A request is over, and with it the memory that it held.
    func ended(_ call: RelayCall) { ledger.give(call.heldBytes, for: call.access.id) }

    private func get(
        _ name: String, for call: inout RelayCall
    ) throws(RelayError) -> RelayAnswer {
        guard let size = try store.size(of: name, in: call.access.place) else { return .notFound }
        guard ledger.take(size, for: call.access.id) else { return .tooMany }
        call.heldBytes += size
        return try store.get(name, in: call.access.place).map { .object($0) } ?? .notFound
    }

    private func put(
        _ body: [UInt8], _ name: String, for call: RelayCall
    ) throws(RelayError) -> RelayReply {
        let outcome = try store.put(
            body, name, by: call.access, room: room, at: SystemClock.now().wallMilliseconds)
        return switch outcome {
        case .changed: .news(.made)
        case .unchanged: .answer(.done)
        case .overQuota: .answer(.overQuota)
        case .noRoom: .answer(.noRoom)
        case .removed: .answer(.unauthorised)
        }
    }

    private func noteUse(of access: RelayAccess) throws(RelayError) {
        let now = SystemClock.now()
        if let last = noted[access.id],
            now.uptimeMilliseconds < last + RelayLimits.useMilliseconds
        {
            return
        }
        try store.noteUse(of: access, at: now.wallMilliseconds)
        noted[access.id] = now.uptimeMilliseconds
    }

    private func answer(to error: RelayError) -> RelayAnswer {
        switch error {
        case .storage(.busy): return .tooMany
        case .storage(.diskFull): return .noRoom
        case .storage(let problem) where problem.isFailedWrite:
            failure = error
            return .failed
        default: return .failed
        }
    }
}
