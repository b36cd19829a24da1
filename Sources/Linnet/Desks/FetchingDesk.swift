import LinnetReplication
import LinnetWire

/// The desk of the calls that wait for the content of files.
struct FetchingDesk: Desk {
    /// The news that a call hears of its file.
    enum News: Equatable {
        /// So many bytes of the content are here.
        case grew(UInt64)
        /// The file is here, or the reason why it does not come.
        case ended(FileFault?)
        /// Nothing came for as long as the call waits.
        case silent
    }

    private struct Waiting {
        let file: Bytes32
        let idleMilliseconds: Int64?
        var deadline: Int64?
        let continuation: AsyncStream<News>.Continuation
    }

    private var waiting: [Waiting] = []

    var nextDeadline: Int64? { waiting.compactMap(\.deadline).min() }

    /// Returns what a call will hear of a file; without a time it waits for ever.
    mutating func follow(
        _ file: Bytes32, idleMilliseconds: Int64?, at now: Moment
    ) -> AsyncStream<News> {
        let (news, continuation) = AsyncStream.makeStream(
            of: News.self, bufferingPolicy: .bufferingNewest(1))
        let deadline = idleMilliseconds.map { now.uptimeMilliseconds + $0 }
        waiting.append(
            Waiting(
                file: file, idleMilliseconds: idleMilliseconds, deadline: deadline,
                continuation: continuation))
        return news
    }

    /// Tells the calls that wait for a file that more of it is here.
    mutating func grew(_ file: Bytes32, to doneBytes: UInt64, at now: Moment) {
        for index in waiting.indices where waiting[index].file == file {
            let idle = waiting[index].idleMilliseconds
            waiting[index].deadline = idle.map { now.uptimeMilliseconds + $0 }
            waiting[index].continuation.yield(.grew(doneBytes))
        }
    }

    /// Ends the calls that wait for a file.
    mutating func ended(_ file: Bytes32, _ fault: FileFault?) {
        end(.ended(fault)) { $0.file == file }
    }

    /// Ends the calls that waited too long, and returns the files that nobody waits for any more.
    mutating func fire(at now: Moment) -> [Bytes32] {
        let due = { (one: Waiting) in one.deadline.map { $0 <= now.uptimeMilliseconds } ?? false }
        let files = OrderedSet(waiting.filter(due).map(\.file))
        end(.silent, due)
        return files.filter { file in !waiting.contains { $0.file == file } }
    }

    /// Ends all calls without news.
    mutating func finish() {
        for one in waiting { one.continuation.finish() }
        waiting = []
    }

    private mutating func end(_ news: News, _ isOver: (Waiting) -> Bool) {
        for one in waiting where isOver(one) {
            one.continuation.yield(news)
            one.continuation.finish()
        }
        waiting.removeAll(where: isOver)
    }
}
