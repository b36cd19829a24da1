import Linnet
import Synchronization

/// Says how many of many things are done, how fast it goes and how long it will still take; also
/// that nothing happens, while nothing does.
final class CountProgress: Sendable {
    private struct State {
        var progress: Progress
        var rate = ProgressRate()
        var done = 0
        /// Nil while it is not known.
        var total: Int?
        var told: Int64 = 0
        var hasBegun = false
    }

    private let things: String
    /// Behind the time that is left.
    private let left: String
    private let state: Mutex<State>
    private let ticks = Mutex<Task<Void, Never>?>(nil)

    /// Begins; `things` names what is counted, as in "lines read", and `left` says what the time is
    /// left for.
    init(_ things: String, left: String = "left", _ output: Output) {
        self.things = things
        self.left = left
        state = Mutex(State(progress: Progress(output)))
        let task = Task { [weak self] in
            while !Task.isCancelled {
                self?.draw()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        ticks.withLock { $0 = task }
    }

    deinit { end() }

    /// Says how far it is, a few times a second; `total` is nil while it is not known.
    func tell(_ done: Int, of total: Int?) {
        let now = SystemClock.uptimeMilliseconds()
        state.withLock { state in
            state.hasBegun = true
            (state.done, state.total) = (done, total)
            guard now - state.told >= 200 else { return }
            state.told = now
            state.rate.note(Double(done), at: now)
            draw(&state, at: now)
        }
    }

    private func draw() {
        let now = SystemClock.uptimeMilliseconds()
        state.withLock { state in if state.hasBegun { draw(&state, at: now) } }
    }

    private func draw(_ state: inout State, at now: Int64) {
        state.progress.say(
            Self.text(things, state.done, of: state.total, state.rate, left: left, at: now))
    }

    /// Takes the line away.
    func end() {
        ticks.withLock { $0?.cancel() }
        state.withLock { state in
            state.hasBegun = false
            state.progress.end()
        }
    }

    /// "1200 of 5000 lines read, 2400/s, 2 s left".
    static func text(
        _ things: String, _ done: Int, of total: Int?, _ rate: ProgressRate, left: String,
        at now: Int64
    ) -> String {
        let count = total.map { "\(done) of \(max(done, $0))" } ?? "\(done)"
        return "\(count) \(things)"
            + rate.words(left: total.map { Double($0 - done) }, at: now, of: left) {
                "\(Int($0.rounded()))/s"
            }
    }
}
