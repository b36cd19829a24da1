package import LinnetCrypto
package import LinnetSystem
package import LinnetWire

/// The plan of dialling: whom to dial, at which address and at what time. It is a value: time and
/// randomness are arguments.
///
/// Each target's addresses are raced; a round that fails is repeated after a pause that doubles
/// from half a second to a minute, with jitter. A device that is connected is not dialled, and no
/// address is dialled for two targets at a time.
package struct DialPlan {
    /// The pause after the first failed round, in milliseconds; it doubles after each further one.
    package static let firstPauseMilliseconds: Int64 = 500
    /// The longest pause, in milliseconds.
    package static let longestPauseMilliseconds: Int64 = 60_000
    /// The number of addresses of one target that are tried in a round.
    package static let addressesPerTarget = 16

    private enum Phase: Equatable {
        case waiting(until: Int64)
        case resolving
        case racing(DialRace)
        /// Every address leads back to this device.
        case itself
    }

    private struct Entry: Equatable {
        var endpoint: Endpoint?
        var addresses: [SocketAddress]
        var phase: Phase
        var failedRounds: Int64 = 0
        var device: DeviceID?
        var lastGood: SocketAddress?
    }

    private var entries: [DialTarget: Entry] = [:]
    private var owners: [AttemptID: DialTarget] = [:]
    private var connected: Set<DeviceID> = []
    private var abandoned: [AttemptID] = []
    /// The addresses that lead back to this device, until the network changes.
    private var own: Set<SocketAddress> = []
    private var lastAttempt: UInt64 = 0

    /// Begins with nobody to dial.
    package init() {}

    /// The targets, in order.
    package var targets: [DialTarget] { entries.keys.sorted() }

    /// Adds a target to dial now; one that is known gets the new addresses for its next round.
    package mutating func add(
        _ target: DialTarget, addresses: [SocketAddress], device: DeviceID? = nil, at now: Moment
    ) {
        let kept = Array(addresses.prefix(Self.addressesPerTarget))
        guard var entry = entries[target] else {
            entries[target] = Entry(
                addresses: kept, phase: .waiting(until: now.uptimeMilliseconds), device: device)
            return
        }
        let isNews = !Set(kept).isSubset(of: entry.addresses)
        entry.addresses = kept
        if let device { entry.device = device }
        if isNews, entry.phase == .itself {
            entry.phase = .waiting(until: now.uptimeMilliseconds)
        }
        if isNews, case .waiting(let until) = entry.phase {
            entry.phase = .waiting(until: min(until, now.uptimeMilliseconds))
        }
        entries[target] = entry
    }

    /// Adds a peer that the person named; a name is looked up anew for each round.
    package mutating func add(peer endpoint: Endpoint, at now: Moment) {
        add(.peer(endpoint.description), endpoint, at: now)
    }

    /// Adds an address where a device may show a pairing code.
    package mutating func add(pairing endpoint: Endpoint, at now: Moment) {
        add(.pairing(endpoint.description), endpoint, at: now)
    }

    private mutating func add(_ target: DialTarget, _ endpoint: Endpoint, at now: Moment) {
        if let address = endpoint.socketAddress {
            return add(target, addresses: [address], at: now)
        }
        guard entries[target] == nil else { return }
        entries[target] = Entry(
            endpoint: endpoint, addresses: [], phase: .waiting(until: now.uptimeMilliseconds))
    }

    /// Forgets a target; a handshake that runs goes on.
    package mutating func remove(_ target: DialTarget) {
        guard let entry = entries.removeValue(forKey: target) else { return }
        giveUpConnecting(entry)
    }

    /// Dials every waiting target now, because the network changed or the person asked. An address
    /// that led back to this device may lead elsewhere now.
    package mutating func hurry(at now: Moment) {
        own = []
        for (target, entry) in entries {
            switch entry.phase {
            case .waiting, .itself: break
            case .resolving, .racing: continue
            }
            entries[target]?.phase = .waiting(until: now.uptimeMilliseconds)
            entries[target]?.failedRounds = 0
        }
    }
}

// The outcomes that the owner reports.
extension DialPlan {
    /// Takes in the addresses of a name that was looked up; without one the round has failed.
    package mutating func resolved(
        _ target: DialTarget, _ addresses: [SocketAddress], at now: Moment, entropy: inout Entropy
    ) {
        guard var entry = entries[target], entry.phase == .resolving else { return }
        entry.addresses = Array(addresses.prefix(Self.addressesPerTarget))
        beginRound(of: target, &entry, at: now, entropy: &entropy)
        entries[target] = entry
    }

    /// Notes that a connection is open; returns false when another attempt was first: close this
    /// one.
    package mutating func connected(_ attempt: AttemptID) -> Bool {
        guard let target = owners[attempt], case .racing(var race)? = entries[target]?.phase else {
            owners[attempt] = nil
            return false
        }
        let losers = race.connected(attempt)
        if losers == nil { owners[attempt] = nil }
        drop(losers ?? [])
        entries[target]?.phase = .racing(race)
        return losers != nil
    }

    /// Notes that an attempt became a session with a device; its target rests while the device
    /// is connected.
    package mutating func succeeded(_ attempt: AttemptID, device: DeviceID, at now: Moment) {
        guard let target = owners.removeValue(forKey: attempt), var entry = entries[target] else {
            return
        }
        if case .racing(let race) = entry.phase { entry.lastGood = race.handshaking?.address }
        entry.device = device
        if let address = entry.lastGood, !target.isPairing { note(device, at: address) }
        entry.failedRounds = 0
        entry.phase = .waiting(until: now.uptimeMilliseconds)
        entries[target] = entry
        deviceConnected(device)
    }

    /// Notes that an attempt ended without a session.
    package mutating func failed(_ attempt: AttemptID, at now: Moment, entropy: inout Entropy) {
        guard let target = owners.removeValue(forKey: attempt), var entry = entries[target],
            case .racing(var race) = entry.phase
        else { return }
        race.failed(attempt, at: now.uptimeMilliseconds)
        entry.phase = .racing(race)
        if race.isLost { rest(&entry, at: now, entropy: &entropy) }
        entries[target] = entry
    }

    /// Notes that an attempt led back to this device. A target that was found by its
    /// announcement is forgotten; a peer that the person named rests until the network changes or
    /// it gets new addresses; a remembered device goes on with its other addresses.
    package mutating func reachedItself(
        _ attempt: AttemptID, _ address: SocketAddress, at now: Moment, entropy: inout Entropy
    ) {
        guard let target = owners.removeValue(forKey: attempt), var entry = entries[target],
            case .racing(var race) = entry.phase
        else { return }
        own.insert(address)
        switch target {
        case .instance, .pairing: remove(target)
        case .peer:
            drop(race.connecting.keys.sorted())
            entry.phase = .itself
            entries[target] = entry
        case .device:
            race.failed(attempt, at: now.uptimeMilliseconds)
            entry.phase = .racing(race)
            if race.isLost { rest(&entry, at: now, entropy: &entropy) }
            entries[target] = entry
        }
    }

    /// Notes that a session with the device is open, whichever side dialled.
    package mutating func deviceConnected(_ device: DeviceID) {
        connected.insert(device)
        for (target, entry) in entries where entry.device == device {
            giveUpConnecting(entry)
            entries[target]?.phase = .waiting(until: 0)
            entries[target]?.failedRounds = 0
        }
    }

    /// Notes that the last session with the device ended: it is dialled again, after a short
    /// pause.
    package mutating func deviceDisconnected(
        _ device: DeviceID, at now: Moment, entropy: inout Entropy
    ) {
        connected.remove(device)
        for target in targets {
            guard var entry = entries[target], entry.device == device else { continue }
            rest(&entry, at: now, entropy: &entropy)
            entries[target] = entry
        }
    }
}

// The actions that are due, and the time of the next ones.
extension DialPlan {
    /// Returns the actions that are due, to be carried out in order.
    package mutating func actions(at now: Moment, entropy: inout Entropy) -> [DialAction] {
        var actions = abandoned.map { DialAction.abandon($0) }
        abandoned = []
        for target in targets {
            guard var entry = entries[target], !isConnected(entry) else { continue }
            if case .waiting(let until) = entry.phase, until <= now.uptimeMilliseconds {
                if waits(target, entry, for: addressesDialled) { continue }
                if let endpoint = entry.endpoint, case .name(let name) = endpoint.host {
                    entry.phase = .resolving
                    actions.append(.resolve(target, name: name, port: endpoint.port))
                } else {
                    beginRound(of: target, &entry, at: now, entropy: &entropy)
                }
            }
            if case .racing(var race) = entry.phase {
                if let address = race.takeStart(at: now.uptimeMilliseconds) {
                    let attempt = newAttempt(of: target)
                    race.started(attempt, address)
                    actions.append(.dial(attempt, target, address))
                }
                entry.phase = .racing(race)
            }
            entries[target] = entry
        }
        return actions
    }

    /// The time at which `actions` has more to return, in uptime milliseconds.
    package var nextDeadline: Int64? {
        if !abandoned.isEmpty { return 0 }
        let dialled = addressesDialled
        return entries.compactMap { target, entry -> Int64? in
            guard !isConnected(entry), !waits(target, entry, for: dialled) else { return nil }
            switch entry.phase {
            case .waiting(let until): return until
            case .resolving, .itself: return nil
            case .racing(let race): return race.nextDeadline
            }
        }.min()
    }

    /// Returns true when the target's device is connected.
    package func isSatisfied(_ target: DialTarget) -> Bool {
        entries[target].map(isConnected) ?? false
    }

    /// Returns the number of rounds of a target in a row that reached nobody.
    package func failedRounds(of target: DialTarget) -> Int64 {
        entries[target]?.failedRounds ?? 0
    }

    /// Returns the target that an attempt belongs to, while it runs.
    package func target(of attempt: AttemptID) -> DialTarget? { owners[attempt] }

    private func isConnected(_ entry: Entry) -> Bool {
        entry.device.map(connected.contains) ?? false
    }

    /// True while each address of a target is being dialled for another one; a connection for
    /// pairing is of no use to the others, nor theirs to it.
    private func waits(
        _ target: DialTarget, _ entry: Entry, for dialled: Set<SocketAddress>
    ) -> Bool {
        guard case .waiting = entry.phase, !entry.addresses.isEmpty, !target.isPairing else {
            return false
        }
        let others = entry.addresses.filter { !own.contains($0) }
        return !others.isEmpty && dialled.isSuperset(of: others)
    }

    /// The addresses that are being dialled, but for those to pair with.
    private var addressesDialled: Set<SocketAddress> {
        var addresses: Set<SocketAddress> = []
        for (target, entry) in entries where !target.isPairing {
            if case .racing(let race) = entry.phase { addresses.formUnion(race.dialled) }
        }
        return addresses
    }

    /// Notes which device answers at an address, for the peers that are named by it.
    private mutating func note(_ device: DeviceID, at address: SocketAddress) {
        for (target, entry) in entries where entry.addresses == [address] {
            if case .peer = target { entries[target]?.device = device }
        }
    }

    private mutating func newAttempt(of target: DialTarget) -> AttemptID {
        lastAttempt += 1
        let attempt = AttemptID(number: lastAttempt)
        owners[attempt] = target
        return attempt
    }

    private func beginRound(
        of target: DialTarget, _ entry: inout Entry, at now: Moment, entropy: inout Entropy
    ) {
        guard !entry.addresses.isEmpty else { return rest(&entry, at: now, entropy: &entropy) }
        let others = entry.addresses.filter { !own.contains($0) }
        guard !others.isEmpty else {
            entry.phase = .itself
            return
        }
        let dialled = target.isPairing ? [] : addressesDialled
        let free = others.filter { !dialled.contains($0) }
        guard !free.isEmpty else {
            // It goes on when the other target's attempt has ended.
            entry.phase = .waiting(until: now.uptimeMilliseconds)
            return
        }
        let order = DialRace.order(free, preferring: entry.lastGood)
        entry.phase = .racing(DialRace(order, at: now.uptimeMilliseconds))
    }

    /// Waits half of the pause and a random part of the other half, so that devices that lost each
    /// other together do not dial together.
    private func rest(_ entry: inout Entry, at now: Moment, entropy: inout Entropy) {
        let doublings = min(entry.failedRounds, 16)
        let pause = min(Self.firstPauseMilliseconds << doublings, Self.longestPauseMilliseconds)
        let jitter = Int64(entropy.uniform(below: UInt32(pause / 2 + 1)))
        entry.failedRounds += 1
        entry.phase = .waiting(until: now.uptimeMilliseconds + pause / 2 + jitter)
    }

    private mutating func giveUpConnecting(_ entry: Entry) {
        guard case .racing(let race) = entry.phase else { return }
        drop(race.connecting.keys.sorted())
    }

    private mutating func drop(_ attempts: [AttemptID]) {
        for attempt in attempts { owners[attempt] = nil }
        abandoned += attempts
    }
}
