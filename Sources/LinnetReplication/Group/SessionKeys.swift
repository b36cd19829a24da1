import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The keys with which a session of two members may open: those of epochs, and those of pairs,
/// which no epoch can take away.
struct SessionKeys {
    /// Bytes of a preface's nonce before the tag that names the key.
    private static let saltBytes = 8

    /// The keys that are tried where the preface names none, as that of an older version does not.
    private(set) var unnamed: [SharedSecret] = []
    private var pairs = OrderedTable<DeviceID, SharedSecret>()
    /// The key of each held epoch whose network key is known: that in use first, then the newest
    /// first.
    private var network: [(epoch: EpochID, key: SharedSecret)] = []
    /// The key of each held epoch whose data key is known, in the same order.
    private var data: [(epoch: EpochID, key: SharedSecret)] = []
    /// The epochs of which each member has a box.
    private var boxes = OrderedTable<DeviceID, OrderedSet<EpochID>>()
    /// The keys that are shared with devices that belonged to the group once: those come to hear
    /// that they do no more, or bring what makes them members again.
    private var former = OrderedTable<DeviceID, SharedSecret>()
    /// The dials of a member, or of nobody in particular, that failed since one succeeded.
    private var misses = OrderedTable<DeviceID, Int>()

    /// Takes in what the log and the ring have gained.
    mutating func update(log: MembershipLog, ring: KeyRing, keys: borrowing DeviceKeys) {
        unnamed = ring.memberPSKs.map(\.psk)
        let first = ring.writing?.id ?? ring.current(in: log)?.id
        let held = ring.epochs.filter { $0.id == first } + ring.epochs.filter { $0.id != first }
        network = held.compactMap { epoch in epoch.psk.map { (epoch.id, $0) } }
        data = held.compactMap { epoch in
            epoch.dataKey.map {
                (epoch.id, SharedSecret(KeyDerivation.derive($0.bytes, .dataPSK, log.group.array)))
            }
        }
        var pairs = OrderedTable<DeviceID, SharedSecret>()
        boxes = OrderedTable()
        for member in log.state.members where member.device != keys.device {
            pairs[member.device] =
                self.pairs[member.device]
                ?? Self.pairKey(keys.noise, member.certificate.noiseKey, log.group)
            boxes[member.device] = OrderedSet(
                held.lazy.map(\.id).filter { id in
                    log.state.epoch(id).map { log.state.isHeld($0, by: member) } ?? false
                })
        }
        self.pairs = pairs
        var former = OrderedTable<DeviceID, SharedSecret>()
        for certificate in log.state.former where certificate.device != keys.device {
            former[certificate.device] =
                self.former[certificate.device]
                ?? Self.pairKey(keys.noise, certificate.noiseKey, log.group)
        }
        self.former = former
    }

    /// The nonce of a preface that names the key of a dial: half of it random, half a tag that says
    /// something only to whoever has the key.
    func nonce(for origin: LinkOrigin, random: [UInt8]) -> [UInt8] {
        guard let key = key(for: origin) else { return random }
        let salt = Array(random.prefix(Self.saltBytes))
        return salt + Self.tag(key, salt)
    }

    /// The keys to try for a preface: the one that it names, or where it names none of ours those
    /// of the newest epochs.
    func keys(for nonce: [UInt8]) -> [SharedSecret] {
        let (salt, tag) = (Array(nonce.prefix(Self.saltBytes)), nonce.dropFirst(Self.saltBytes))
        for key in all where tag.elementsEqual(Self.tag(key, salt)) { return [key] }
        return Array(unnamed.prefix(Limits.pskTrials))
    }

    /// Notes that a dial came to nothing: the next one names another key.
    mutating func failed(_ origin: LinkOrigin) {
        guard let peer = origin.dialledPeer else { return }
        misses[peer, default: 0] += 1
    }

    /// Notes that a dial led to a member.
    mutating func succeeded(_ origin: LinkOrigin) {
        if let peer = origin.dialledPeer { misses[peer] = nil }
    }

    private var all: [SharedSecret] {
        (network.first.map { [$0.key] } ?? []) + pairs.values + network.dropFirst().map(\.key)
            + data.map(\.key) + former.values
    }

    /// The keys for a dial of nobody in particular. The epoch before the one in use comes early: a
    /// device that is out had it, and so did one that has not heard of the newest yet.
    private var usual: [SharedSecret] {
        let epochs = network.prefix(1 + Limits.earlierEpochs).map(\.key)
        return Array(epochs.prefix(2)) + pairs.values + epochs.dropFirst(2)
            + data.prefix(1 + Limits.earlierEpochs).map(\.key) + former.values
    }

    private func key(for origin: LinkOrigin) -> SharedSecret? {
        var candidates: [SharedSecret]
        switch origin {
        case .accepted, .dialledToPair: return nil
        case .dialledHolder(let epoch):
            return network.first { $0.epoch == epoch }?.key ?? network.first?.key
        case .dialledMember(let device):
            // One that has not heard of this device knows no key of the pair, and of the epochs
            // with a box for it perhaps the first one alone.
            let common = boxes[device] ?? OrderedSet()
            // Of two that removed each other each one takes the other for one that is out.
            candidates = (pairs[device] ?? former[device]).map { [$0] } ?? []
            candidates += network.filter { common.contains($0.epoch) }.suffix(1).map(\.key)
            candidates += data.filter { common.contains($0.epoch) }.suffix(1).map(\.key)
            // It may know this device, though nothing here tells of it.
            if candidates.isEmpty { candidates = usual }
        case .dialled: candidates = usual
        }
        guard let first = candidates.first else { return nil }
        var misses = origin.dialledPeer.flatMap { self.misses[$0] } ?? 0
        if origin == .dialled, candidates.count > 1 {
            // There are many others, and most dials that fail do so for another reason than the
            // key: every other one is usual.
            guard !misses.isMultiple(of: 2) else { return first }
            candidates.removeFirst()
            misses /= 2
        }
        // From lap to lap the order shifts, so that dials that take turns get to all.
        return candidates[(misses + misses / candidates.count) % candidates.count]
    }

    private static func tag(_ key: SharedSecret, _ salt: [UInt8]) -> [UInt8] {
        Array(Hash.keyed(by: key.bytes, .sessionKey, salt).prefix(8))
    }

    /// The key that two devices share by their static keys; nil for a key that is of no use.
    private static func pairKey(
        _ own: borrowing AgreementKey, _ other: Bytes32, _ group: GroupID
    ) -> SharedSecret? {
        do {
            let shared = try own.agree(with: other.array)
            let (low, high) =
                own.publicKey.lexicographicallyPrecedes(other.array)
                ? (own.publicKey, other.array) : (other.array, own.publicKey)
            return SharedSecret(
                KeyDerivation.derive(shared, .staticPSK, group.array + low + high))
        } catch {
            return nil
        }
    }
}

extension LinkOrigin {
    /// The device for which a dial is meant, or `zero` for nobody in particular; nil for other
    /// links.
    fileprivate var dialledPeer: DeviceID? {
        switch self {
        case .dialled: .zero
        case .dialledMember(let device): device
        case .accepted, .dialledHolder, .dialledToPair: nil
        }
    }
}
