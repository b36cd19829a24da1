package import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A reason for which batches are not folded into the base.
package enum CompactionHoldback: Equatable, Sendable {
    /// A member was never met, so that nobody knows what it holds.
    case neverMet(DeviceID)
    /// A member lacked batches when it was last heard, in Unix milliseconds.
    case behind(DeviceID, lastHeard: Int64)
    /// A device wrote two histories, in whose scope nothing is folded.
    case forked(DeviceID)
    /// A device said again what its disk had lost, which is not folded.
    case saidAgain(DeviceID)
    /// A device wrote what this version of the application does not know.
    case unknownChanges(DeviceID)
    /// A record is too large to be held.
    case tooLarge(RecordKey)
    /// Some batches are damaged here, or wait for keys.
    case unreadable(DeviceID)
    /// Devices exchange through a mailbox, in which batches stand for themselves.
    case mailbox
    /// This device holds no key to write under.
    case noKeys
}

/// The batches that may be folded now, and what holds the rest back.
struct CompactionPlan {
    /// By chain, the last batch that may be folded, where there is one.
    private(set) var ends = OrderedTable<ChainKey, UInt64>()
    private(set) var holdbacks: [CompactionHoldback] = []

    /// Finds what every member held when it was last heard, and shows here.
    ///
    /// - Parameters:
    ///   - lapsedBefore: the time, in Unix milliseconds, before which a member that was not heard
    ///     since holds nothing back: it takes the base of another one when it comes back. The first
    ///     admin by name never lapses, so that of two that did not meet for long one can take what
    ///     the other has.
    init(
        _ chains: ChainBook, _ group: GroupState, on device: DeviceID, _ sessions: Sessions,
        lapsedBefore: Int64, in store: any Store
    ) throws(StorageError) {
        let peers = try store.peers()
        let first = group.log.state.members.filter { $0.role == .admin }.map(\.device).min()
        var known: [(device: DeviceID, scopes: ScopeFilter, listing: PeerKnowledge)] = []
        for member in group.log.state.members where member.device != device {
            if let open = sessions.informed(of: member.device) {
                known.append(
                    (member.device, open.greeting.scopes, PeerKnowledge(open, before: .init())))
                continue
            }
            guard let row = peers.first(where: { $0.device == member.device }),
                !row.acknowledged.isEmpty
            else {
                note(.neverMet(member.device))
                continue
            }
            guard row.lastHeardWallMilliseconds >= lapsedBefore || member.device == first
            else { continue }
            let kept = PeerKnowledge(decoding: row.acknowledged)
            known.append((member.device, kept.scopes ?? .everything, kept))
        }
        guard holdbacks.isEmpty else { return }
        for (key, row) in chains.rows where row.parent == nil && row.applied > row.start {
            guard !chains.index.hasForks(in: key.scope) else {
                if let fork = chains.rows.values.first(where: {
                    $0.scope == key.scope && $0.forkedAt != nil
                }) {
                    note(.forked(fork.device))
                }
                continue
            }
            var end = min(row.applied, row.folded, chains.durableSeq(row))
            end = min(end, group.counted.shown(of: row))
            // A batch that nobody else is known to hold stays as it was written: two devices that
            // each had folded what the other lacks could never come together.
            if group.log.state.members.count > 1 {
                end = min(end, known.map { $0.listing.seq(of: key) }.max() ?? 0)
            }
            for member in known where member.device != row.device {
                guard group.rights.filter(of: member.device).holds(key.scope),
                    member.scopes.holds(key.scope)
                else { continue }
                let held = member.listing.seq(of: key)
                guard held < end else { continue }
                end = held
                let heard = peers.first { $0.device == member.device }
                note(
                    .behind(member.device, lastHeard: heard?.lastHeardWallMilliseconds ?? 0))
            }
            if end > row.start { ends[key] = end }
        }
    }

    private mutating func note(_ holdback: CompactionHoldback) {
        if !holdbacks.contains(holdback) { holdbacks.append(holdback) }
    }
}
