/// The number of sockets and pipes that are open, and the calls that wait until none is: a process
/// that ends with the node cuts nobody short.
struct SocketCount {
    private var open = 0
    /// The last event, once the node has stopped.
    private var farewell: NodeEvent?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { open == 0 }

    mutating func opened() { open += 1 }

    mutating func closed() { open -= 1 }

    /// Notes that the node has stopped; the event is said once the last socket is closed.
    mutating func close(with event: NodeEvent) { farewell = event }

    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

    /// Takes out the last event and the calls that wait for it, once nothing is open any more.
    mutating func takeFarewell() -> (NodeEvent, [CheckedContinuation<Void, Never>])? {
        guard isEmpty, let last = farewell.take() else { return nil }
        defer { waiters = [] }
        return (last, waiters)
    }
}
