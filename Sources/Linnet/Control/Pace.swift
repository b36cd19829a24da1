import Synchronization

/// The answers that a command in the same process has not taken yet, so that a long answer is read
/// no faster than it is taken.
final class Pace: Sendable {
    private struct State {
        /// The number of answers that were said and not heard.
        var open = 0
        var hasLeft = false
        var waiting: CheckedContinuation<Void, Never>?

        /// Returns whoever waits, if there is nothing to wait for any more.
        mutating func released() -> CheckedContinuation<Void, Never>? {
            guard open == 0 || hasLeft else { return nil }
            defer { waiting = nil }
            return waiting
        }
    }

    private let state = Mutex(State())

    /// Notes that something was said.
    func say() { state.withLock { $0.open += 1 } }

    /// Notes that something was heard.
    func hear() {
        state.withLock { state in
            state.open -= 1
            return state.released()
        }?.resume()
    }

    /// Notes that nobody listens any more.
    func leave() {
        state.withLock { state in
            state.hasLeft = true
            return state.released()
        }?.resume()
    }

    /// Waits until all that was said is heard, or nobody listens.
    func heardAll() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting = continuation
                return state.released()
            }?.resume()
        }
    }
}
