import LinnetSystem
import Synchronization
import Testing

@testable import Linnet

/// The question that is held open at a store which tells of news.
@Suite(.timeLimit(.minutes(2)))
struct MailWatchTests {
    /// A store that gives the answers of a list, and then none until it is not asked any more.
    private final class Oracle: NewsTeller {
        let asked = Mutex<[UInt64?]>([])
        private let answers: [Result<UInt64, MailboxError>]
        private let told: AsyncStream<Int>.Continuation
        let questions: AsyncStream<Int>

        init(_ answers: [Result<UInt64, MailboxError>]) {
            self.answers = answers
            (questions, told) = AsyncStream.makeStream()
        }

        func news(
            since number: UInt64?, until stop: StopFlag
        ) throws(MailboxError) -> UInt64 {
            let count = asked.withLock { asked in
                asked.append(number)
                return asked.count
            }
            told.yield(count)
            guard count <= answers.count else { throw .unauthorised(status: 401, code: "") }
            return try answers[count - 1].get()
        }

        /// Waits until it was asked so often.
        func isAsked(_ count: Int) async {
            for await number in questions where number >= count { return }
        }
    }

    private func watch(
        _ oracle: Oracle, _ heard: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable (MailWatch, EventLoop) async -> Void
    ) async throws {
        let loop = try #require(EventLoop())
        let watch = MailWatch(oracle, loop: loop, heard: heard)
        loop.post { watch.ask() }
        await body(watch, loop)
        loop.post {
            watch.end()
            watch.ask()
            watch.storeAnswered()
            loop.stop()
        }
    }

    @Test func `it asks with the number that was told last, and hears of others alone`()
        async throws
    {
        let oracle = Oracle([.success(4), .success(4), .success(9), .success(2)])
        let count = Mutex(0)
        try await watch(oracle, { count.withLock { $0 += 1 } }) { _, _ in
            await oracle.isAsked(5)
        }
        #expect(oracle.asked.withLock { $0 } == [nil, 4, 4, 9, 2])
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `it asks again after failures, and at once when a look came to its end`()
        async throws
    {
        let oracle = Oracle([
            .failure(.unreachable("away")), .failure(.busy(seconds: 1)), .success(1),
            .failure(.unauthorised(status: 401, code: "")), .success(1),
        ])
        let count = Mutex(0)
        try await watch(oracle, { count.withLock { $0 += 1 } }) { watch, loop in
            await oracle.isAsked(4)
            // It is refused now, and waits for nothing but a look that is whole.
            var number = 4
            while number < 5 {
                loop.post { watch.storeAnswered() }
                number = oracle.asked.withLock { $0.count }
                await Task.yield()
            }
        }
        #expect(count.withLock { $0 } == 1)
    }
}
