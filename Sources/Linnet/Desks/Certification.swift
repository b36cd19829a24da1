/// The calls of `exchangeCertificates` that wait.
struct Certification {
    private struct Call {
        let deadline: Int64
        let waiter: CheckedContinuation<Result<Void, LinnetError>, Never>
    }

    private var calls: [Call] = []

    var isWaiting: Bool { !calls.isEmpty }
    /// The time at which the next call stops waiting, in uptime milliseconds.
    var deadline: Int64? { calls.map(\.deadline).min() }

    mutating func wait(
        until deadline: Int64, _ waiter: CheckedContinuation<Result<Void, LinnetError>, Never>
    ) {
        calls.append(Call(deadline: deadline, waiter: waiter))
    }

    /// Ends all calls.
    mutating func finish(_ result: Result<Void, LinnetError>) {
        let waiting = calls
        calls = []
        for call in waiting { call.waiter.resume(returning: result) }
    }

    /// Ends the calls whose time is over at `now`; `why` tells what they waited for.
    mutating func expire(at now: Int64, why: [String]) {
        let over = calls.filter { $0.deadline <= now }
        calls.removeAll { $0.deadline <= now }
        for call in over { call.waiter.resume(returning: .failure(.timedOut(why: why))) }
    }
}
