import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The finder of the branch that a writer means by a forked author's name: the branch that holds
/// the batch which the writer's latest dependency on that name names (docs/protocol.md, "Forks").
///
/// It reads each chain once, and only in scopes where somebody forked. It reads all anew when a
/// chain forks or a branch comes.
struct BranchReader {
    /// A batch of a divided chain that a writer named as seen.
    private struct Sighting {
        /// The writer's batch that names it.
        let from: UInt64
        let seq: UInt64
        let prefix: Bytes8
    }

    /// The part of one chain that was read, and the batches of divided chains that it names, by the
    /// names of those chains.
    private struct Reading {
        var upTo: UInt64
        var sightings: OrderedTable<AuthorID, [Sighting]> = OrderedTable()
    }

    private var readings: OrderedTable<Int64, Reading> = OrderedTable()
    /// The number of chains, and of divided ones among them, when they were read.
    private var shape = Shape()

    private struct Shape: Equatable {
        var chains = 0
        var forks = 0
    }

    /// Returns the meaning of each divided chain's name in one batch.
    mutating func names(
        for row: ChainRow, at seq: UInt64, _ log: BatchLog
    ) throws(StorageError) -> BranchNames {
        let chains = log.chains
        guard chains.hasForks(in: row.scope) else { return BranchNames() }
        let now = Shape(
            chains: chains.rows.count, forks: chains.rows.values.count { $0.forkedAt != nil })
        if now != shape {
            readings.removeAll()
            shape = now
        }
        let lineage = chains.lineage(of: row)
        var table: OrderedTable<AuthorID, [BranchNames.Branch]> = OrderedTable()
        for trunk in chains.rows.values
        where trunk.forkedAt != nil && trunk.scope == row.scope {
            var preferred = lineage.map(\.index)
            if let seen = try sighting(of: trunk, lineage, at: seq, log) {
                preferred += chains.lineage(of: seen).map(\.index)
            }
            table[trunk.chain] = chains.branches(of: trunk, preferring: preferred)
        }
        return BranchNames(table, trunks: chains.trunks(in: row.scope))
    }

    /// Returns the branch with the batch that a writer named last under the name of a divided
    /// chain; nil if it named none.
    private mutating func sighting(
        of trunk: ChainRow, _ lineage: [ChainRow], at seq: UInt64, _ log: BatchLog
    ) throws(StorageError) -> ChainRow? {
        var last = seq
        for row in lineage {
            try read(row, upTo: last, log)
            let named = readings[row.index]?.sightings[trunk.chain]
            if let found = named?.last(where: { $0.from <= last }) {
                for branch in log.chains.family(named: trunk.chain, scope: trunk.scope)
                where branch.first <= found.seq && found.seq <= branch.stored {
                    let id = try log.store.batchID(chain: branch.index, seq: found.seq)
                    if id?.prefix8 == found.prefix { return branch }
                }
                return nil
            }
            // The batches that its author wrote before the fork are on the trunk.
            last = row.first - 1
        }
        return nil
    }

    /// Reads a chain further, up to one of its batches.
    private mutating func read(
        _ row: ChainRow, upTo last: UInt64, _ log: BatchLog
    ) throws(StorageError) {
        var reading = readings[row.index] ?? Reading(upTo: row.first - 1)
        let last = min(last, row.stored)
        guard reading.upTo < last else { return }
        for seq in reading.upTo + 1...last {
            guard let stored = try log.store.batch(chain: row.index, seq: seq),
                let attributes = log.group?.body(of: stored, in: row)?.attributes
            else { continue }
            for scope in attributes.dependencies where scope.scope == row.scope {
                for head in scope.heads {
                    let name = attributes.authors[head.author]
                    let key = ChainKey(scope: row.scope, chain: name)
                    guard log.chains[key]?.forkedAt != nil else { continue }
                    reading.sightings[name, default: []].append(
                        Sighting(from: seq, seq: head.seq, prefix: head.prefix))
                }
            }
        }
        reading.upTo = last
        readings[row.index] = reading
    }
}
