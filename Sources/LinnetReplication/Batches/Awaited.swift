import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The first thing for which a stored batch waits before it shows. Nothing else of the batch stays
/// in memory meanwhile.
enum Awaited: Equatable {
    /// A batch that its author had seen, by its chain's name, its place and its identifier.
    case batch(scope: ScopeID, chain: AuthorID, seq: UInt64, prefix: Bytes8)
    /// The batches of a chain up to a sequence number, which come before a part of its commit.
    case chain(ChainKey, upTo: UInt64)
    /// A batch of another group, which somebody has to say again.
    case restated(ChainKey, seq: UInt64)
}

extension ChainIndex {
    /// Returns true when that is visible for which a batch waits.
    func shows(_ awaited: Awaited, in store: any Store) throws(StorageError) -> Bool {
        switch awaited {
        case .chain(let key, let seq): return rows[key].map { $0.applied >= seq } ?? true
        case .restated(let key, let seq): return restatements.first(of: key, at: seq) != nil
        case .batch(let scope, let chain, let seq, let prefix):
            let key = ChainKey(scope: scope, chain: chain)
            if restatements.firstOwn(of: key, at: seq) != nil { return true }
            if let row = self[ChainKey(scope: scope, chain: chain)], row.forkedAt == nil {
                return try shows(row, seq, prefix, in: store)
            }
            for row in family(named: chain, scope: scope)
            where try shows(row, seq, prefix, in: store) { return true }
            return false
        }
    }

    private func shows(
        _ row: ChainRow, _ seq: UInt64, _ prefix: Bytes8, in store: any Store
    ) throws(StorageError) -> Bool {
        // Of a batch that is gone only its place is known.
        if row.isFolded, seq < row.first { return true }
        guard row.first <= seq, seq <= row.applied else { return false }
        return try store.rememberedID(of: row, at: seq)?.prefix8 == prefix
    }

    /// Says for a person what a batch waits for.
    func reason(_ awaited: Awaited) -> String {
        switch awaited {
        case .chain(let key, let seq):
            guard let row = rows[key] else { return "a change that it builds on" }
            return "change \(seq) of device \(row.device.shortName)"
        case .restated: return "a change of the other group that it builds on"
        case .batch(let scope, let chain, let seq, _):
            let family = family(named: chain, scope: scope)
            guard let row = family.first else {
                return "a change of a device that is not known here"
            }
            guard !family.contains(where: { $0.applied >= seq }) else {
                return "a change that it builds on"
            }
            return "change \(seq) of device \(row.device.shortName)"
        }
    }
}
