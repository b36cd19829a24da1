import LinnetMembership
import LinnetReplication
import LinnetWire

/// Those who are connected tell each other what they hear, and are not called level before.
extension MembershipWorld {
    /// Parts a device that has heard something from those of which it says all the same that they
    /// hold what it holds, as a person does who reads so. What is on its way arrives.
    func partInStep(_ device: SimulatedDevice, hearing input: Input) throws(Violation) {
        guard liars.isEmpty, device.isMember else { return }
        var source: Int?
        if case .received(let end, _) = input { source = links.peer(of: end) }
        for id in device.replica?.devicesInStep ?? [] {
            guard let peer = devices.first(where: { self.id(of: $0) == id }),
                peer.index != source, peer.isRunning,
                let end = links.end(of: device.index, with: peer.index)
            else { continue }
            let heads = try judge.log(of: device).heads.elements
            links.parted.append((device.index, peer.index, heads))
            hangUp(end)
        }
    }

    /// I2: once nothing is on its way, devices that talk hold the same records. I4: a device that
    /// was said to hold what another one holds does.
    func judgeSessions() throws(Violation) {
        let ended = links.parted
        links.parted = []
        guard liars.isEmpty else { return }
        for (device, peer, heads) in ended where devices[peer].isRunning {
            guard let log = try judge.view(of: devices[peer])?.log else { continue }
            guard !heads.allSatisfy(log.contains) else { continue }
            throw Violation(
                .contiguousVectors,
                "a device says that a peer holds all that it holds, and the peer lacks records",
                devices: [device, peer])
        }
        for (one, other) in links.talking {
            let (left, right) = (devices[one], devices[other])
            guard left.isRunning, right.isRunning,
                left.replica?.memberRecordBytes != right.replica?.memberRecordBytes,
                let mine = try judge.view(of: left)?.log.heads,
                let theirs = try judge.view(of: right)?.log.heads, mine != theirs
            else { continue }
            throw Violation(
                .convergence, "devices that are connected hold different records",
                devices: [one, other])
        }
    }
}

extension MembershipJudge {
    /// I2: two devices that do not know each other, and of which one holds the key in use on the
    /// other, or the one before it, meet all the same when they dial again and again.
    func checkStrangers(
        _ left: SimulatedDevice, _ right: SimulatedDevice
    ) throws(Violation) {
        guard left.isRunning, right.isRunning, left.isMember, right.isMember else { return }
        let pair = [left, right]
        let logs = try pair.map { (device) throws(Violation) in try log(of: device) }
        let ids = pair.map {
            SimulatedDevice.keys(seed: seed, identity: $0.identity).device
        }
        for (log, peer) in zip(logs, ids.reversed()) {
            let isKnown =
                log.state.member(peer) != nil
                || log.state.former.contains { $0.device == peer }
            if isKnown { return }
        }
        guard zip(logs, ids).allSatisfy({ $0.state.member($1) != nil }) else { return }
        let held = zip(logs, pair).map { log, device in
            let keys = SimulatedDevice.keys(seed: seed, identity: device.identity)
            return KeyRing(log: log, keys: keys).epochs.filter { $0.networkKey != nil }.map(\.id)
        }
        guard
            held[0].prefix(2).contains(where: held[1].contains)
                || held[1].prefix(2).contains(where: held[0].contains)
        else { return }
        throw Violation(
            .convergence, "two devices that hold a key in common do not come to a session",
            devices: [left.index, right.index])
    }
}
