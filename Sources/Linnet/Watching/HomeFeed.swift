package import LinnetControl
import LinnetSystem
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// News of a home that this process does not hold open.
package enum HomeNews: Equatable, Sendable {
    /// Anything may have changed: read what matters.
    case look
    /// These records look different now; the node that has the home open says so.
    case changed([ControlChanged])
}

/// News of a home: from the node that has it open, else from the home's files. Nodes may come and
/// go meanwhile.
///
/// A slow reader gets fewer news: the node remembers for it which records changed, and everything
/// else becomes one look. The first news is a look.
package final class HomeFeed: Sendable {
    private let inbox = NewsInbox()

    /// Begins to watch the home at `path`; nil when the system has no thread left.
    ///
    /// - Parameter renewal: the time without news after which a look comes all the same; nil for
    ///   never.
    package init?(_ path: String, renewal: Duration? = nil) {
        let inbox = inbox
        guard HelperThread.start({ HomeWatcher(path, inbox, renewal).run() }) else { return nil }
    }

    deinit { inbox.close() }

    /// Returns the next news; nil once the task is cancelled.
    package func next() async -> HomeNews? {
        let inbox = inbox
        return await withTaskCancellationHandler {
            await inbox.take()
        } onCancel: {
            inbox.close()
        }
    }
}

/// Hands one news at a time from the watching thread to the reader.
private final class NewsInbox: Sendable {
    private struct State {
        var news: HomeNews?
        var reader: CheckedContinuation<HomeNews?, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func take() async -> HomeNews? {
        await withCheckedContinuation { (reader: CheckedContinuation<HomeNews?, Never>) in
            let (news, isReady) = state.withLock { state -> (HomeNews?, Bool) in
                if state.isClosed { return (nil, true) }
                if let news = state.news.take() { return (news, true) }
                state.reader = reader
                return (nil, false)
            }
            if isReady { reader.resume(returning: news) }
        }
    }

    /// Leaves news for the reader; returns false while there are others that it has not taken.
    func offer(_ news: HomeNews) -> Bool {
        let (reader, isTaken) = state.withLock {
            state -> (CheckedContinuation<HomeNews?, Never>?, Bool) in
            if let reader = state.reader.take() { return (reader, true) }
            if state.isClosed || state.news == news { return (nil, true) }
            guard state.news == nil else { return (nil, false) }
            state.news = news
            return (nil, true)
        }
        reader?.resume(returning: news)
        return isTaken
    }

    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }
}

/// The thread behind a feed.
private struct HomeWatcher {
    /// The time between two looks at the files and the socket of a home without a node.
    private static let pollMilliseconds: Int32 = 200
    /// The time between two tries to hand news to a reader that has not taken the last.
    private static let patienceMicroseconds: UInt32 = 20_000

    private let path: String
    private let inbox: NewsInbox
    private let renewal: Duration?
    private var delivered = ContinuousClock.now
    /// The reason why the home could not be entered at the last try.
    private var failure: HomeError?

    init(_ path: String, _ inbox: NewsInbox, _ renewal: Duration?) {
        self.path = path
        self.inbox = inbox
        self.renewal = renewal
    }

    consuming func run() {
        // A change after this stamp is told again.
        var stamp = stampNow
        deliver(.look)
        while !inbox.isClosed {
            if listen() {
                stamp = stampNow
                // The node has ended: it may not have told what it did last.
                deliver(.look)
                continue
            }
            usleep(UInt32(Self.pollMilliseconds) * 1_000)
            let now = stampNow
            if now != stamp {
                stamp = now
                deliver(.look)
            } else {
                renew()
            }
        }
    }

    /// The stamp of the database's files. The database itself cannot be asked: a connection that
    /// reads it keeps a node from opening it. Opening a home and closing it in order changes no
    /// file unless something is written.
    private var stampNow: FileStamp {
        FileStamp([Home.File.database, .databaseLog].map { "\(path)/\($0.rawValue)" })
    }

    /// Connects to the node that has the home open. The reader is told to look when that begins to
    /// fail: it meets the reason when it reads the home.
    private mutating func connected() -> ControlClient? {
        do throws(HomeError) {
            let client = try ControlClient.ifListening(at: path)
            failure = nil
            return client
        } catch {
            if failure != error {
                failure = error
                deliver(.look)
            }
            return nil
        }
    }

    /// Follows the node that has the home open until it ends; returns false when there is none.
    private mutating func listen() -> Bool {
        guard let client = connected() else { return false }
        var hasBegun = false
        do throws(ControlFailure) {
            try client.send(ChangesRequest())
            while !inbox.isClosed {
                let next: ControlResponse<[ControlChanged]>? = try client.next(
                    within: Self.pollMilliseconds)
                guard let response = next else {
                    renew()
                    continue
                }
                guard case .answer(let changes) = response else { break }
                // The first one says that the node tells what changes from now on.
                deliver(hasBegun ? .changed(changes) : .look)
                hasBegun = true
                try client.send(.more)
            }
        } catch {
            return hasBegun
        }
        return hasBegun
    }

    private mutating func renew() {
        if let renewal, ContinuousClock.now - delivered >= renewal { deliver(.look) }
    }

    private mutating func deliver(_ news: HomeNews) {
        while !inbox.offer(news), !inbox.isClosed { usleep(Self.patienceMicroseconds) }
        delivered = .now
    }
}
