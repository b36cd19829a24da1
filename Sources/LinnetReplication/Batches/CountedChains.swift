import LinnetMembership
import LinnetStorage
import LinnetWire

/// The batches that count of devices of which not all do.
///
/// Those that do not count are kept and passed on, since others may build on them, and are passed
/// over where batches are shown and read.
struct CountedChains: Equatable {
    /// The devices whose chains end early, or never begin.
    private var limited = OrderedSet<DeviceID>()
    /// By chain, the last batch that counts.
    private var ends = OrderedTable<Int64, UInt64>()

    /// All batches count.
    init() {}

    /// Finds the ends of the chains of every device whose batches do not all count.
    init(
        _ chains: ChainIndex, _ state: MembershipState, _ rights: ScopeRights, in store: any Store
    ) throws(StorageError) {
        for row in chains.rows.values {
            switch state.verdict.batches[row.device] ?? .none {
            case .all: continue
            case .none: limited.insert(row.device)
            case .within(_, let heads):
                limited.insert(row.device)
                ends[row.index] =
                    try rights.filter(of: row.device).holds(row.scope)
                    ? .max : Self.end(of: row, heads, chains, in: store)
            case .upTo(let heads):
                limited.insert(row.device)
                ends[row.index] = try Self.end(of: row, heads, chains, in: store)
            }
        }
    }

    /// True when a device has batches that do not count.
    func limits(_ device: DeviceID) -> Bool { limited.contains(device) }

    /// True when a batch of a chain counts.
    func counts(_ seq: UInt64, of row: ChainRow) -> Bool {
        !limited.contains(row.device) || seq <= ends[row.index] ?? 0
    }

    /// The batches that are held of a chain and do not count; empty when all do.
    func late(in row: ChainRow) -> Range<UInt64> {
        guard limited.contains(row.device) else { return row.stored..<row.stored }
        let end = min(ends[row.index] ?? 0, row.stored)
        let first = max(end, row.first - 1) + 1
        return first..<max(first, row.stored + 1)
    }

    /// True when less or more counts of what a chain shows than before.
    func differs(from old: CountedChains, in row: ChainRow) -> Bool {
        shown(of: row) != old.shown(of: row)
    }

    /// The last batch of a chain that counts, of those that were shown or passed over.
    func shown(of row: ChainRow) -> UInt64 {
        limited.contains(row.device) ? min(row.applied, ends[row.index] ?? 0) : row.applied
    }

    private static func end(
        of row: ChainRow, _ heads: [BatchHead], _ chains: ChainIndex, in store: any Store
    ) throws(StorageError) -> UInt64 {
        let family = chains.family(row.scope, author: row.author)
        // A folded batch counts here, since it cannot be taken out of the base.
        var end = row.start
        for head in heads where head.scope == row.scope && head.incarnation == row.incarnation {
            var isHeld = false
            for other in family
            where other.first <= head.sequence && head.sequence <= other.stored {
                guard try store.batchID(chain: other.index, seq: head.sequence) == head.batch
                else { continue }
                isHeld = true
                if chains.lineage(of: other).contains(where: { $0.index == row.index }) {
                    end = max(end, head.sequence)
                }
            }
            // As long as the named batch is not here, the trunk is taken for what leads to it.
            if !isHeld, row.parent == nil {
                end = max(end, head.sequence)
            }
        }
        return end
    }
}

extension ChainBook {
    /// Finds how far each chain counts, as the device judges that holds them.
    func counted(
        by group: GroupState?, on device: DeviceID, in store: any Store
    ) throws(StorageError) -> CountedChains {
        guard let group, !group.log.state.countsAll, group.log.state.member(device) != nil else {
            return CountedChains()
        }
        return try CountedChains(index, group.log.state, group.rights, in: store)
    }
}

extension ChainIndex {
    /// The last batches of the chains of a device, up to which all that is held here counts.
    func heads(of device: DeviceID) -> [BatchHead] {
        rows.values.filter { $0.device == device && Self.holdsAny($0) }.map {
            BatchHead(
                incarnation: $0.incarnation, scope: $0.scope, sequence: $0.stored, batch: $0.head)
        }.sorted()
    }

    /// Those of them in scopes that a device may read, or might when it was a member last: nothing
    /// that it signs elsewhere counts.
    func heads(of device: DeviceID, within rights: ScopeRights?) -> [BatchHead] {
        guard let filter = rights?.filter(of: device), filter != .everything else {
            return heads(of: device)
        }
        return heads(of: device).filter { filter.holds($0.scope) }
    }

    /// As many of them as one record names.
    func firstHeads(of device: DeviceID) -> [BatchHead] {
        Array(heads(of: device).prefix(BatchHead.usual))
    }
}
