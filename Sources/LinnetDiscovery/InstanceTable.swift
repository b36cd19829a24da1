/// A name under a type.
package struct InstanceKey: Hashable, Comparable, Sendable {
    /// The service type.
    package let type: ServiceType
    /// The instance name.
    package let name: InstanceName

    /// A key from its parts.
    package init(type: ServiceType, name: InstanceName) {
        self.type = type
        self.name = name
    }

    package static func < (left: InstanceKey, right: InstanceKey) -> Bool {
        (left.type, left.name) < (right.type, right.name)
    }
}

/// The answer of one interface about an instance.
package struct Finding: Equatable, Sendable {
    /// The claims, with the addresses of this interface alone.
    package let instance: Instance
    /// The interface that answered.
    package let interfaceIndex: UInt32
    /// True when the time for answers is over, so that an address that is missing is gone.
    package let isComplete: Bool

    /// A finding from its parts.
    package init(instance: Instance, interfaceIndex: UInt32, isComplete: Bool) {
        self.instance = instance
        self.interfaceIndex = interfaceIndex
        self.isComplete = isComplete
    }

    /// Returns true when this says nothing beyond an earlier claim, as far as it can say.
    fileprivate func isCovered(by earlier: Instance) -> Bool {
        if isComplete { return instance == earlier }
        return instance.port == earlier.port && instance.txt == earlier.txt
            && instance.addresses.allSatisfy(earlier.addresses.contains)
    }
}

/// The instances that we follow: bounded in number and in how fast they may become more.
///
/// An instance over the rate waits its turn, so that a flood delays a member and does not hide it.
package struct InstanceTable {
    /// One followed or waiting instance.
    private struct Entry {
        let arrival: UInt64
        /// The number of reports by each interface; Avahi reports once for each address family.
        var reports: [UInt32: Int] = [:]
        var claims: [UInt32: Instance] = [:]
    }

    /// Interfaces that are kept for one instance.
    package static let interfacesPerInstance = 16
    /// Instances that wait for admission at most.
    package static let waitingInstances = 1024

    private let capacity: Int
    private var rate: AdmissionRate
    private var followed: [InstanceKey: Entry] = [:]
    private var waiting: [InstanceKey: Entry] = [:]
    private var arrivals: UInt64 = 0

    /// A table of at most `capacity` instances that admits `perMinute` new ones a minute.
    package init(capacity: Int, perMinute: Int) {
        self.capacity = capacity
        rate = AdmissionRate(perMinute: perMinute)
    }

    /// Followed instances.
    package var count: Int { followed.count }

    /// Followed instances that were resolved on one of these interfaces; a daemon may remember
    /// for an hour what an unplugged one brought.
    package func resolvedCount(on interfaces: [NetworkInterface]) -> Int {
        let usable = Set(
            interfaces.filter { $0.carriesMulticast || $0.isLoopback }.map(\.index))
        return followed.values.count { !usable.isDisjoint(with: $0.claims.keys) }
    }

    /// The time at which a waiting instance can be admitted, in the caller's milliseconds; nil if
    /// none waits.
    package var nextAdmissionMilliseconds: Int64? { waiting.isEmpty ? nil : rate.nextMilliseconds }

    /// Every followed instance with the interfaces that reported it, in order.
    package var reports: [(key: InstanceKey, interfaceIndex: UInt32)] {
        followed.sorted { $0.key < $1.key }.flatMap { key, entry in
            entry.reports.keys.sorted().map { (key, $0) }
        }
    }

    /// Notes a report; false when the instance could be neither followed nor made to wait.
    package mutating func appeared(_ key: InstanceKey, interfaceIndex: UInt32) -> Bool {
        if var entry = followed[key] {
            Self.report(&entry, interfaceIndex)
            followed[key] = entry
            return true
        }
        guard waiting[key] != nil || waiting.count < Self.waitingInstances else { return false }
        arrivals += 1
        var entry = waiting[key] ?? Entry(arrival: arrivals)
        Self.report(&entry, interfaceIndex)
        waiting[key] = entry
        return true
    }

    /// Lets waiting instances in, oldest first, as far as the rate allows; the oldest followed
    /// ones make room when the table is full.
    package mutating func admit(
        atMilliseconds now: Int64
    ) -> (admitted: [InstanceKey], evicted: [InstanceKey]) {
        var admitted: [InstanceKey] = []
        var evicted: [InstanceKey] = []
        let queue = waiting.sorted { $0.value.arrival < $1.value.arrival }
        for (key, entry) in queue {
            guard rate.take(atMilliseconds: now) else { break }
            if followed.count >= capacity,
                let oldest = followed.min(by: { $0.value.arrival < $1.value.arrival })
            {
                followed[oldest.key] = nil
                if !oldest.value.claims.isEmpty { evicted.append(oldest.key) }
            }
            waiting[key] = nil
            followed[key] = entry
            admitted.append(key)
        }
        return (admitted, evicted)
    }

    /// The interfaces that reported a followed instance.
    package func interfaces(of key: InstanceKey) -> [UInt32] {
        followed[key]?.reports.keys.sorted() ?? []
    }

    /// Returns true when an interface still reports a followed instance.
    package func isReported(_ key: InstanceKey, interfaceIndex: UInt32) -> Bool {
        followed[key]?.reports[interfaceIndex] != nil
    }

    /// Takes a report back; `isGone` when no interface reports it any more, `wasResolved` when
    /// the owner had been told of it.
    package mutating func disappeared(
        _ key: InstanceKey, interfaceIndex: UInt32
    ) -> (isGone: Bool, wasResolved: Bool) {
        if var entry = waiting[key] {
            Self.retract(&entry, interfaceIndex)
            waiting[key] = entry.reports.isEmpty ? nil : entry
        }
        guard var entry = followed[key] else { return (false, false) }
        let wasResolved = !entry.claims.isEmpty
        Self.retract(&entry, interfaceIndex)
        followed[key] = entry.reports.isEmpty ? nil : entry
        return (entry.reports.isEmpty, wasResolved)
    }

    /// Notes what one interface answered and returns the instance as all interfaces see it;
    /// nil when it is not followed or nothing is new.
    package mutating func resolved(_ finding: Finding) -> Instance? {
        let claim = finding.instance
        let key = InstanceKey(type: claim.type, name: claim.name)
        let index = finding.interfaceIndex
        guard var entry = followed[key], entry.reports[index] != nil else { return nil }
        if let earlier = entry.claims[index], finding.isCovered(by: earlier) { return nil }
        entry.claims[index] = claim
        followed[key] = entry
        let agreeing = entry.claims.values.filter {
            $0.port == claim.port && $0.txt == claim.txt
        }
        return Instance(
            name: claim.name, type: claim.type, host: claim.host, port: claim.port,
            txt: claim.txt, addresses: agreeing.flatMap(\.addresses).sorted())
    }

    /// Forgets instances of a type, or all of them; returns those the owner had been told of.
    package mutating func forget(_ type: ServiceType? = nil) -> [InstanceKey] {
        let isForgotten = { (key: InstanceKey) in type == nil || key.type == type }
        let told = followed.filter { isForgotten($0.key) && !$0.value.claims.isEmpty }
        followed = followed.filter { !isForgotten($0.key) }
        waiting = waiting.filter { !isForgotten($0.key) }
        return told.keys.sorted()
    }

    private static func report(_ entry: inout Entry, _ interfaceIndex: UInt32) {
        guard entry.reports[interfaceIndex] != nil || entry.reports.count < interfacesPerInstance
        else { return }
        entry.reports[interfaceIndex, default: 0] += 1
    }

    private static func retract(_ entry: inout Entry, _ interfaceIndex: UInt32) {
        guard let count = entry.reports[interfaceIndex] else { return }
        entry.reports[interfaceIndex] = count > 1 ? count - 1 : nil
        if count <= 1 { entry.claims[interfaceIndex] = nil }
    }
}
