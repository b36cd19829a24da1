import LinnetDiscovery
import LinnetReplication

/// Asks this device's person about a newcomer.
public typealias Confirmation = @concurrent @Sendable (Newcomer) async -> Bool

/// The one pairing that a node can have under way.
struct PairingTask {
    enum Kind {
        /// This device shows a code.
        case offering
        /// This device dials whoever shows the code that was typed here.
        case typing(PairingSecret)
    }

    let kind: Kind
    let role: DeviceRole
    let confirm: Confirmation
    /// The link that pairs, once the secret is being proven on it.
    var link: LinkID?
    /// The name under which an offer is announced.
    var instance: InstanceName?
    /// The characters that the right screen shows.
    var narrowing: String?
    /// When the candidates found so far are looked at, in uptime milliseconds.
    var decision: Int64?
    /// When the pairing ends at the latest, in uptime milliseconds.
    var end: Int64?
    var wasExtended = false

    init(_ kind: Kind, role: DeviceRole, confirm: @escaping Confirmation, end: Int64) {
        self.kind = kind
        self.role = role
        self.confirm = confirm
        self.end = end
    }

    var nextDeadline: Int64? { [decision, end].compactMap(\.self).min() }

    var isOffer: Bool {
        if case .offering = kind { true } else { false }
    }
}

/// The end of a pairing, for whoever waits for it.
struct PairingOutcome {
    private var waiters: [CheckedContinuation<Result<Device, LinnetError>, Never>] = []
    private(set) var last: Result<Device, LinnetError>?
    /// Where this device's schema contradicts that of the group that it was to join.
    var contradictions: [String] = []

    mutating func begin() {
        last = nil
        contradictions = []
    }

    mutating func wait(_ waiter: CheckedContinuation<Result<Device, LinnetError>, Never>) {
        waiters.append(waiter)
    }

    mutating func end(_ result: Result<Device, LinnetError>) {
        last = result
        let waiting = waiters
        waiters = []
        waiting.forEach { $0.resume(returning: result) }
    }
}
