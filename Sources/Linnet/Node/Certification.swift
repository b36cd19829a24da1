/// The one call of `exchangeCertificates` that may be waiting.
struct Certification {
    private var waiter: CheckedContinuation<Result<Void, LinnetError>, Never>?
    /// When the waiting ends at the latest, in uptime milliseconds.
    private(set) var deadline: Int64?

    var isWaiting: Bool { waiter != nil }

    mutating func wait(
        until deadline: Int64, _ waiter: CheckedContinuation<Result<Void, LinnetError>, Never>
    ) {
        self.waiter = waiter
        self.deadline = deadline
    }

    mutating func finish(_ result: Result<Void, LinnetError>) {
        deadline = nil
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: result)
    }
}
