import Linnet
import Synchronization

extension EventLoop {
    /// Runs `body` on the loop's thread and waits for its result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            post { continuation.resume(returning: body()) }
        }
    }
}

/// Collects what arrives on another thread and lets a test wait until enough is there.
final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiter: (isEnough: ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    var elements: [Element] { state.withLock { $0.elements } }

    func add(_ element: Element) {
        let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.elements.append(element)
            guard let waiter = state.waiter, waiter.isEnough(state.elements) else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        ready?.resume()
    }

    /// Waits until the elements satisfy `isEnough`, and returns them.
    func wait(until isEnough: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if isEnough(state.elements) { return true }
                state.waiter = (isEnough, continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
        return elements
    }

    /// Waits for so many elements.
    func wait(count: Int) async -> [Element] {
        await wait { $0.count >= count }
    }
}
