import LinnetMembership
import LinnetStorage

/// A time in which the home's disk takes no writes: the node answers reads, exchanges nothing, and
/// tries again.
struct Outage: ~Copyable {
    /// The pauses between two tries, in milliseconds; the last one is repeated.
    private static let pausesMilliseconds: [Int64] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
    /// The time in milliseconds within which an outage that follows another goes on where that one
    /// ended.
    private static let calmMilliseconds: Int64 = 60_000

    /// The failure with which it began.
    let reason: LinnetError
    /// The device's keys, with which the home is opened again.
    let keys: DeviceKeys
    /// The number of times that the disk was tried.
    private(set) var tries: Int
    /// The time of the next try, in uptime milliseconds.
    private(set) var next: Int64
    /// The time of the last try, or of the failure, in uptime milliseconds.
    private var last: Int64

    /// Begins at an uptime in milliseconds, after another outage or none.
    init(_ reason: LinnetError, keys: consuming DeviceKeys, after last: Ended?, at now: Int64) {
        self.reason = reason
        self.keys = keys
        let isCalm = last.map { now - $0.at >= Self.calmMilliseconds } ?? true
        tries = isCalm ? 0 : last?.tries ?? 0
        next = now + Self.pause(after: tries)
        self.last = now
    }

    /// Returns true when the last try is long enough ago, also for a caller that asks before the
    /// next one.
    func mayTry(at now: Int64) -> Bool { now - last >= Self.pause(after: 0) }

    /// The end of an outage.
    struct Ended {
        /// The number of times that the disk was tried in it.
        let tries: Int
        /// The time at which it ended, in uptime milliseconds.
        let at: Int64
    }

    /// Notes that another try was made in vain.
    mutating func tried(at now: Int64) {
        tries += 1
        last = now
        next = now + Self.pause(after: tries)
    }

    private static func pause(after tries: Int) -> Int64 {
        pausesMilliseconds[min(tries, pausesMilliseconds.count - 1)]
    }
}

extension StorageError {
    /// True when the disk may take writes again without anybody touching the database.
    var mayPass: Bool {
        switch self {
        case .diskFull, .readOnly, .cannotOpen, .io, .busy, .outOfMemory: true
        default: false
        }
    }
}
