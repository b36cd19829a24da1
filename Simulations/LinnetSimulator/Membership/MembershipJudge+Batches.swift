import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import MembershipReference

extension MembershipJudge.Mark {
    /// True for a device's chain with it.
    func isHeld(_ entry: VectorEntry) -> Bool {
        entry.scope == chain.scope && entry.chain == chain.chain && entry.seq >= seq
    }
}

extension MembershipJudge.View {
    /// The scopes of a device by the last good record of its role.
    func lastGrant(of device: DeviceID) -> ScopeGrant {
        for record in log.records.reversed() where reference.rule.good.contains(record.id) {
            if case .role(let payload) = record.payload, payload.device == device {
                return payload.scopes
            }
        }
        return .all
    }
}

extension MembershipJudge {
    private static func counts(_ mark: Mark, in view: View) -> Bool {
        switch view.reference.counted(of: mark.device) {
        case .all: true
        case .upTo(let heads): isBelow(mark, heads)
        // None of the scopes of marks is divided, so that each is its own root.
        case .within(let roots, let heads):
            roots.contains(mark.chain.scope) || isBelow(mark, heads)
        }
    }

    private static func isBelow(_ mark: Mark, _ heads: [BatchHead]) -> Bool {
        heads.contains {
            $0.scope == mark.chain.scope && $0.incarnation == mark.incarnation
                && $0.sequence >= mark.seq
        }
    }

    /// G3: what a device that is out holds of its own is with a member, where it counts or waits
    /// for a person; returns the first mark of which that is not so.
    func notHandedOver(
        from former: SimulatedDevice, to device: SimulatedDevice
    ) throws(Violation) -> String? {
        guard let author = former.replica?.device, let view = try view(of: device),
            let known = try self.view(of: former), let id = device.replica?.device
        else { return nil }
        let own = former.replica?.log.vectorEntries() ?? []
        let held = device.replica?.log.vectorEntries() ?? []
        let late: [LateWrites]
        do throws(ReplicaError) {
            late = try device.replica?.reading.lateWrites(withDropped: true) ?? []
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: [device.index])
        }
        let lacking = marks.first { mark in
            guard mark.device == author, own.contains(where: mark.isHeld),
                // What it wrote before it was bound elsewhere it sends no more.
                known.lastGrant(of: author).allows(mark.chain.scope),
                view.lastGrant(of: id).allows(mark.chain.scope)
            else { return false }
            let waits = late.contains {
                $0.scope == mark.chain.scope && $0.chain == mark.chain.chain
                    && ($0.first...$0.last).contains(mark.seq)
            }
            return !held.contains(where: mark.isHeld) || !(waits || Self.counts(mark, in: view))
        }
        return lacking.map { "\($0.key.record)" }
    }

    /// A device knows less than it did. A part of a commit may be lost that it alone had, as one of
    /// a scope that those who have the other parts are not given.
    func wentBack(_ device: Int) {
        isSomebodyGone = true
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
            state.member(own) != nil, own != author
        else { return }
        for mark in shown {
            if try shows(mark, device) { continue }
            throw Violation(
                .whatCountsShows,
                "\(mark.key.record) went with the removal or the binding of its author",
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

    /// True when the next batch of a chain opens under no key that a device has, as on one that
    /// came with the recovery words while others began an epoch.
    private func isClosed(
        _ entry: VectorEntry, to device: SimulatedDevice
    ) throws(Violation) -> Bool {
        guard entry.visible < entry.seq else { return false }
        return !(try LostGround([device])).holds(
            entry.visible + 1, of: ChainKey(scope: entry.scope, chain: entry.chain))
    }

    /// G3: each mark that is held shows if and only if it counts. Where a device has no keys for it
    /// yet, or does not hold what it builds on, it waits: what came with the recovery words may be
    /// the copy of a device that was bound to scopes. In the end, `fleet` has met, and waits only
    /// for what none of it holds, where the author is out, or a device knows less than it did or
    /// is in other hands.
    func checkShown(
        on device: SimulatedDevice, in fleet: [SimulatedDevice]? = nil
    ) throws(Violation) {
        guard let own = device.replica?.device, let view = try view(of: device),
            view.reference.members[own] != nil
        else { return }
        let entries = device.replica?.log.vectorEntries() ?? []
        let grant = view.reference.scopes(of: own)
        var ground: LostGround?
        // Nobody judges batches of a scope that it does not read.
        for mark in marks where grant.allows(mark.chain.scope) {
            guard let entry = entries.first(where: mark.isHeld) else { continue }
            let counts = Self.counts(mark, in: view)
            let shows = try shows(mark, device)
            guard shows != counts else { continue }
            if counts, fleet == nil, try isClosed(entry, to: device) { continue }
            let mayLack = view.reference.members[mark.device] == nil || isSomebodyGone
            if counts, entry.visible < mark.seq, fleet == nil || mayLack {
                if ground == nil { ground = try LostGround(fleet ?? [device]) }
                if ground?.hides(mark.seq, of: mark.chain, from: grant.allows) ?? true { continue }
            }
            throw Violation(
                .whatCountsShows,
                "\(mark.key.record) counts: \(counts), and shows: \(shows)",
                devices: [device.index])
        }
    }
}
