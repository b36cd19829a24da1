import LinnetDiscovery

/// A running service and what it told, in order.
final class Watcher: Sendable {
    let service: DNSSDService
    private let events: AsyncStream<DiscoveryEvent>

    init(policy: DialPolicy = .localOnly) throws {
        let (events, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        self.events = events
        service = try DNSSDService(policy: policy) { continuation.yield($0) }
    }

    /// Everything up to and with the first event that fits.
    func events(until fits: (DiscoveryEvent) -> Bool) async -> [DiscoveryEvent] {
        var seen: [DiscoveryEvent] = []
        for await event in events {
            seen.append(event)
            if fits(event) { break }
        }
        return seen
    }

    /// The next instance that is found and fits, with everything else passed over. Families answer
    /// each on their own: an address may come with a later finding of the same instance.
    func nextFound(where fits: (Instance) -> Bool = { _ in true }) async -> Instance? {
        let seen = await events {
            if case .found(let instance) = $0 { fits(instance) } else { false }
        }
        guard case .found(let instance) = seen.last else { return nil }
        return instance
    }
}
