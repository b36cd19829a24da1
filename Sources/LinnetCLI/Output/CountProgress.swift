import Linnet
import Synchronization

/// Tells how many of many things are done, how fast it goes and how long the whole command will
/// still take. While nothing happens it tells that.
final class CountProgress: Sendable {
    private struct State {
        var progress: Progress
        var work: Work
        var told: Int64 = 0
        var step = -1
        var hasEnded = false
    }

    /// The least time between two updates of one step, in milliseconds.
    private static let paceMilliseconds: Int64 = 200

    private let state: Mutex<State>
    private let ticks = Mutex<Task<Void, Never>?>(nil)

    /// Begins a command of several steps.
    init(_ steps: [WorkStep], _ output: Output) {
        state = Mutex(State(progress: Progress(output), work: Work(steps)))
        let task = Task { [weak self] in
            while !Task.isCancelled {
                self?.draw()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        ticks.withLock { $0 = task }
    }

    deinit { end() }

    /// Tells how far a step is; `total` is nil while it is not known. It draws a few times a
    /// second.
    func tell(_ done: Int, of total: Int?, in step: Int = 0) {
        update(step) { $0.tell(done, of: total, in: step, at: $1) }
    }

    /// Changes what is known of the work, unless this step was told of just now.
    func update(_ step: Int, _ body: (inout Work, Int64) -> Void) {
        let now = SystemClock.uptimeMilliseconds()
        state.withLock { state in
            guard !state.hasEnded,
                state.step != step || now - state.told >= Self.paceMilliseconds
            else { return }
            (state.told, state.step) = (now, step)
            body(&state.work, now)
            state.progress.say(state.work.text(at: now))
        }
    }

    /// Corrects the costs of steps.
    func weigh(_ body: (inout Work) -> Void) { state.withLock { body(&$0.work) } }

    private func draw() {
        let now = SystemClock.uptimeMilliseconds()
        state.withLock { state in
            guard state.work.hasBegun, !state.hasEnded else { return }
            state.progress.say(state.work.text(at: now))
        }
    }

    /// Takes the line away.
    func end() {
        ticks.withLock { $0?.cancel() }
        state.withLock { state in
            state.hasEnded = true
            state.progress.end()
        }
    }
}
