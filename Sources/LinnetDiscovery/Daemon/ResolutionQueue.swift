internal import LinnetWire

/// Resolves instances, few at a time: each operation costs the daemon and us a connection.
final class ResolutionQueue {
    /// Attempts that run at once.
    static let running = 16
    /// Attempts for one instance on one interface before it must be reported anew.
    static let attempts = 4

    /// An attempt that waits for a place or for its time.
    private struct Waiting {
        let key: InstanceKey
        let interfaceIndex: UInt32
        let failures: Int
        let notBeforeMilliseconds: Int64
    }

    private let policy: DialPolicy
    private let count: ((inout DiscoveryCounters) -> Void) -> Void
    private var waiting: [Waiting] = []
    private var active: [Resolution] = []

    /// A queue under a dial policy; `count` notes what was turned away.
    init(
        policy: DialPolicy, count: @escaping ((inout DiscoveryCounters) -> Void) -> Void
    ) {
        self.policy = policy
        self.count = count
    }

    /// Operations to poll.
    var handles: [ServiceHandle] { active.flatMap(\.handles) }

    /// The time at which `advance` has something to do without any answer; nil when nothing runs or
    /// waits.
    var nextDeadlineMilliseconds: Int64? {
        let starts = active.count < Self.running ? waiting.map(\.notBeforeMilliseconds) : []
        return (active.map(\.deadlineMilliseconds) + starts).min()
    }

    /// Adds an instance unless it is here already.
    func add(_ key: InstanceKey, interfaceIndex: UInt32, atMilliseconds now: Int64) {
        let isHere =
            active.contains { $0.key == key && $0.interfaceIndex == interfaceIndex }
            || waiting.contains { $0.key == key && $0.interfaceIndex == interfaceIndex }
        guard !isHere else { return }
        waiting.append(
            Waiting(
                key: key, interfaceIndex: interfaceIndex, failures: 0, notBeforeMilliseconds: now))
    }

    /// Drops what runs or waits for the instances that a closure names.
    func cancel(where isCancelled: (InstanceKey, UInt32) -> Bool) {
        waiting.removeAll { isCancelled($0.key, $0.interfaceIndex) }
        for resolution in active where isCancelled(resolution.key, resolution.interfaceIndex) {
            resolution.close()
        }
        active.removeAll { isCancelled($0.key, $0.interfaceIndex) }
    }

    /// Ends attempts whose time is up and starts waiting ones, those with fewer failures first;
    /// returns what the ended ones found out.
    func advance(interfaces: [NetworkInterface], atMilliseconds now: Int64) -> [Finding] {
        var findings: [Finding] = []
        for resolution in active where resolution.deadlineMilliseconds <= now {
            let isFailure = resolution.addresses.isEmpty
            if !isFailure {
                findings.append(Self.finding(resolution, interfaces, isComplete: true))
            }
            finish(resolution, isFailure: isFailure, atMilliseconds: now)
        }
        while active.count < Self.running,
            let next = waiting.filter({ $0.notBeforeMilliseconds <= now })
                .min(by: { $0.failures < $1.failures })
        {
            waiting.removeAll { $0.key == next.key && $0.interfaceIndex == next.interfaceIndex }
            do {
                active.append(
                    try Resolution(
                        next.key, interfaceIndex: next.interfaceIndex, failures: next.failures,
                        atMilliseconds: now))
            } catch {
                retry(next.key, next.interfaceIndex, failures: next.failures + 1, now)
            }
        }
        return findings
    }

    /// Takes in the replies of one operation; returns what is known when it became more.
    func handle(
        _ replies: [Reply], from handle: ServiceHandle, interfaces: [NetworkInterface],
        atMilliseconds now: Int64
    ) -> Finding? {
        guard let resolution = active.first(where: { $0.handles.contains { $0 === handle } })
        else { return nil }
        var hasNews = false
        for reply in replies where active.contains(where: { $0 === resolution }) {
            switch reply {
            case .resolved(let host, let port, let txt):
                guard resolution.port == 0 else { continue }
                ask(resolution, host: host, port: port, txt: txt, atMilliseconds: now)
            case .address(let address):
                let interface =
                    interfaces.first { $0.index == resolution.interfaceIndex }
                    ?? .unknown(index: resolution.interfaceIndex)
                guard policy.allows(address: address, answeredOn: interface) else {
                    count { $0.refusedAddresses += 1 }
                    continue
                }
                if resolution.keep(address, atMilliseconds: now) { hasNews = true }
            case .failed:
                // Avahi fails each family on its own; one that answered is enough.
                guard resolution.addresses.isEmpty else { continue }
                finish(resolution, isFailure: true, atMilliseconds: now)
            case .browsed, .registered:
                continue
            }
        }
        return hasNews ? Self.finding(resolution, interfaces, isComplete: false) : nil
    }

    private func ask(
        _ resolution: Resolution, host: [UInt8], port: UInt16, txt: [UInt8],
        atMilliseconds now: Int64
    ) {
        guard port != 0, txt.count <= Limits.discoveryTextBytes, let host = HostName.local(host)
        else {
            count { $0.badAnswers += 1 }
            drop(resolution)
            return
        }
        do {
            try resolution.askForAddresses(host: host, port: port, txt: txt, atMilliseconds: now)
        } catch {
            finish(resolution, isFailure: true, atMilliseconds: now)
        }
    }

    private func finish(_ resolution: Resolution, isFailure: Bool, atMilliseconds now: Int64) {
        drop(resolution)
        guard isFailure else { return }
        retry(resolution.key, resolution.interfaceIndex, failures: resolution.failures + 1, now)
    }

    private func retry(
        _ key: InstanceKey, _ interfaceIndex: UInt32, failures: Int, _ now: Int64
    ) {
        guard failures < Self.attempts else { return }
        waiting.append(
            Waiting(
                key: key, interfaceIndex: interfaceIndex, failures: failures,
                notBeforeMilliseconds: now + 500 << Int64(failures)))
    }

    private func drop(_ resolution: Resolution) {
        resolution.close()
        active.removeAll { $0 === resolution }
    }

    private static func finding(
        _ resolution: Resolution, _ interfaces: [NetworkInterface], isComplete: Bool
    ) -> Finding {
        let index = resolution.interfaceIndex
        let isLoopback = interfaces.first { $0.index == index }?.isLoopback ?? false
        let addresses = resolution.addresses.sorted().map {
            InstanceAddress(address: $0, interfaceIndex: index, isLoopback: isLoopback)
        }
        return Finding(
            instance: Instance(
                name: resolution.key.name, type: resolution.key.type, host: resolution.host,
                port: resolution.port, txt: resolution.txt, addresses: addresses),
            interfaceIndex: index, isComplete: isComplete)
    }
}
