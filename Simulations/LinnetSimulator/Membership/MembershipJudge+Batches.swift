import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import MembershipReference

extension MembershipJudge {
    /// A device knows less than it did.
    func wentBack(_ device: Int) {
        forget(device)
        held[device] = nil
    }

    /// The marks of an author that a device shows.
    func shown(of author: DeviceID, on device: SimulatedDevice) throws(Violation) -> [Mark] {
        var shown: [Mark] = []
        for mark in marks where mark.device == author {
            if try shows(mark, device) { shown.append(mark) }
        }
        return shown
    }

    /// G3: what showed when its author was removed goes on to show.
    func checkKept(
        _ shown: [Mark], of author: DeviceID, on device: SimulatedDevice
    ) throws(Violation) {
        guard let own = device.replica?.device, let state = try view(of: device)?.log.state,
            state.member(own) != nil, state.member(author) == nil
        else { return }
        for mark in shown {
            if try shows(mark, device) { continue }
            throw Violation(
                .whatCountsShows, "\(mark.key.record) went with the removal of its author",
                devices: [device.index])
        }
    }

    private func shows(_ mark: Mark, _ device: SimulatedDevice) throws(Violation) -> Bool {
        do {
            return try device.replica?.reader.existing(mark.key)?.isLive == true
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: [device.index])
        }
    }

    /// G3: nothing that was stored is gone.
    func checkHeld(on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, let entries = device.replica?.log.vectorEntries() else { return }
        let now = Dictionary(
            entries.map { (ChainKey(scope: $0.scope, chain: $0.chain), $0.seq) },
            uniquingKeysWith: { $1 })
        for (key, seq) in held[device.index] ?? [:] where now[key] ?? 0 < seq {
            throw Violation(
                .whatCountsShows, "\(now[key] ?? 0) of \(seq) batches of a chain are left",
                devices: [device.index])
        }
        held[device.index] = now
    }

    /// G3: each mark that is held shows if and only if it counts.
    func checkShown(on device: SimulatedDevice) throws(Violation) {
        guard let own = device.replica?.device, let view = try view(of: device),
            view.reference.members[own] != nil
        else { return }
        let entries = device.replica?.log.vectorEntries() ?? []
        for mark in marks {
            let isHeld = entries.contains {
                $0.scope == mark.chain.scope && $0.chain == mark.chain.chain
                    && $0.seq >= mark.seq
            }
            guard isHeld else { continue }
            let counts =
                switch view.reference.counted(of: mark.device) {
                case .all: true
                case .upTo(let heads):
                    heads.contains {
                        $0.scope == mark.chain.scope && $0.incarnation == mark.incarnation
                            && $0.sequence >= mark.seq
                    }
                }
            let shows = try shows(mark, device)
            guard shows != counts else { continue }
            throw Violation(
                .whatCountsShows,
                "\(mark.key.record) counts: \(counts), and shows: \(shows)",
                devices: [device.index])
        }
    }
}
