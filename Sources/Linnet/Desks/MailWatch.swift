import LinnetSystem

/// A question that is held open at a store which tells of news, and asked anew whenever it was
/// answered. It belongs to the loop's thread; each question has a thread of its own.
@safe
final class MailWatch: @unchecked Sendable {
    /// The least time between two questions, whatever the store answers.
    static let gapMilliseconds: Int64 = 250
    /// The longest pause after a store did not answer.
    private static let pauseMilliseconds: Int64 = 900_000

    private let teller: any NewsTeller
    private let loop: EventLoop
    private let heard: @Sendable () -> Void
    private let stop = StopFlag()
    // The state below belongs to the loop's thread.
    private var number: UInt64?
    private var isAsking = false
    private var failures: Int64 = 0
    private var timer: TimerID?

    /// - Parameter heard: is called on the loop's thread when there may be news.
    init(_ teller: any NewsTeller, loop: EventLoop, heard: @escaping @Sendable () -> Void) {
        (self.teller, self.loop, self.heard) = (teller, loop, heard)
    }

    /// Asks, unless a question is open already; after a failure it does so before its time.
    func ask() {
        guard !isAsking, !stop.isRaised else { return }
        if let timer { loop.cancel(timer) }
        timer = nil
        isAsking = true
        let (teller, stop, number) = (teller, stop, number)
        let started = HelperThread.start { [weak self, loop] in
            let answer: Result<UInt64, MailboxError>
            do throws(MailboxError) {
                answer = .success(try teller.news(since: number, until: stop))
            } catch {
                answer = .failure(error)
            }
            loop.post { self?.answered(answer) }
        }
        if !started { answered(.failure(.unreachable("the system has no thread left"))) }
    }

    /// Ends for good, within a second or two.
    func end() {
        stop.raise()
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func answered(_ answer: Result<UInt64, MailboxError>) {
        isAsking = false
        guard !stop.isRaised else { return }
        switch answer {
        case .success(let told):
            failures = 0
            if told != number {
                number = told
                // After an absence there may be some, too.
                heard()
            }
            plan(after: Self.gapMilliseconds)
        case .failure(.unauthorised):
            // A look that comes to its end, or another account, begins anew.
            failures += 1
        case .failure(let error):
            failures += 1
            let most = min(Self.pauseMilliseconds, 1_000 << min(failures, 10))
            var pause = Int64.random(in: 1...most)
            if case .busy(let seconds?) = error { pause = max(pause, seconds * 1_000) }
            plan(after: pause)
        }
    }

    private func plan(after milliseconds: Int64) {
        timer = loop.schedule(at: SystemClock.uptimeMilliseconds() + milliseconds) { [weak self] in
            self?.timer = nil
            self?.ask()
        }
    }

    /// A look came to its end: the store is there, so that nothing is waited for.
    func storeAnswered() {
        if failures > 0 { ask() }
    }
}
