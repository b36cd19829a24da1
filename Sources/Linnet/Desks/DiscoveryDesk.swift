import LinnetCrypto
import LinnetDiscovery
import LinnetSystem
import LinnetWire

/// The desk of DNS-SD: the devices that are found there, and the names under which this one is
/// announced.
struct DiscoveryDesk: Desk {
    /// The number of this device's names that answers may still carry.
    private static let ownNamesKept = 64
    private static let hourMilliseconds: Int64 = 3_600_000

    let service: DNSSDService
    /// True when this node may announce itself.
    let announces: Bool
    var recogniser = Recogniser()
    /// The instances of members and strangers, as they were resolved last.
    var instances: [InstanceName: Instance] = [:]
    /// The instances that show a pairing code; nil while nobody looks for one.
    var pairing: [InstanceName: Instance]?
    var state = NetworkState.searching
    /// The recognised instances that proved false too often.
    private var falseNames: Set<InstanceName> = []
    /// The epochs whose keys are used.
    private var epochs: [EpochID] = []
    /// The time at which a new name is due, in uptime milliseconds.
    private(set) var nextDeadline: Int64?
    private(set) var ownNames: [InstanceName] = []

    init(service: DNSSDService, announces: Bool) {
        self.service = service
        self.announces = announces
    }

    /// Uses the keys of the group's epochs from now on; returns false when nothing is new.
    mutating func use(_ keys: [DiscoveryKey]) -> Bool {
        guard !keys.isEmpty, keys.map(\.epoch) != epochs else { return false }
        epochs = keys.map(\.epoch)
        recogniser.setKeys(keys)
        service.browse(.member)
        return true
    }

    /// Announces this device under a new name, with a tag for this hour, where it listens and has
    /// a key.
    mutating func announce(at port: UInt16?, with key: DiscoveryKey?, _ now: Moment) {
        nextDeadline = nil
        guard announces, let port, let key else { return }
        var entropy = Entropy(seed: SystemEntropy.seed())
        let name = InstanceName(entropy: entropy.bytes(InstanceName.entropyBytes))
        let hour = DiscoveryTag.hour(wallMilliseconds: now.wallMilliseconds)
        let tag = DiscoveryTag.tag(key: key, name: name, port: port, hour: hour)
        let record = TXTRecord(tags: [tag], hour: hour, entropy: &entropy)
        own(name)
        service.announce(.member, name: name, port: port, txt: record.encoded)
        let passed = max(0, now.wallMilliseconds) % Self.hourMilliseconds
        nextDeadline = now.uptimeMilliseconds + Self.hourMilliseconds - passed
    }

    /// Announces an offer to pair and returns its name; nil when nothing is announced.
    mutating func announceOffer(at port: UInt16?) -> InstanceName? {
        guard announces, let port else { return nil }
        var entropy = Entropy(seed: SystemEntropy.seed())
        let name = InstanceName(entropy: entropy.bytes(InstanceName.entropyBytes))
        own(name)
        service.announce(.pairing, name: name, port: port, txt: TXTRecord.pairing)
        return name
    }

    /// Looks for devices that show a code.
    mutating func browseForOffers() {
        pairing = [:]
        service.browse(.pairing)
    }

    /// Stops looking for devices that show a code.
    mutating func stopBrowsingForOffers() {
        service.stopBrowsing(.pairing)
        pairing = nil
    }

    /// Returns true when a new name is due; the next time is set with the announcement.
    mutating func fire(at now: Moment) -> Bool {
        guard let nextDeadline, nextDeadline <= now.uptimeMilliseconds else { return false }
        self.nextDeadline = nil
        return true
    }

    mutating func own(_ name: InstanceName) {
        ownNames = Array((ownNames + [name]).suffix(Self.ownNamesKept))
    }

    /// Takes over a name under which this device announced itself in an earlier life.
    mutating func own(heard name: String) {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return }
        instances[name] = nil
        own(name)
    }

    /// Counts a connection to a recognised instance; returns false when it proved false too often.
    mutating func mayDial(_ name: String) -> Bool {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return false }
        if recogniser.takeDial(name) { return true }
        falseNames.insert(name)
        return false
    }

    /// Counts a round of dials of a recognised instance that reached nobody; false when it was the
    /// last one under this name.
    mutating func roundFailed(_ name: String) -> Bool {
        guard mayDial(name), let known = InstanceName(heard: Array(name.utf8)) else { return false }
        return recogniser.hasDialsLeft(known)
    }

    /// The epoch under which an instance announces itself.
    func epoch(of name: String) -> EpochID? {
        InstanceName(heard: Array(name.utf8)).flatMap(recogniser.epoch)
    }

    /// Returns true when an instance proved false too often to be dialled again under this name.
    func isFalse(_ name: InstanceName) -> Bool {
        falseNames.contains(name) || !recogniser.hasDialsLeft(name)
    }

    /// The same of a name as it was heard.
    func isFalse(_ name: String) -> Bool {
        InstanceName(heard: Array(name.utf8)).map { isFalse($0) } ?? true
    }

    mutating func lost(_ name: InstanceName) {
        instances[name] = nil
        falseNames.remove(name)
    }

    mutating func dialSucceeded(_ name: String) {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return }
        recogniser.dialSucceeded(name)
    }
}

extension Instance {
    /// The addresses at which the instance can be dialled.
    var socketAddresses: [SocketAddress] {
        addresses.map {
            SocketAddress(ip: $0.address, port: port, scope: $0.interfaceIndex)
        }
    }
}
