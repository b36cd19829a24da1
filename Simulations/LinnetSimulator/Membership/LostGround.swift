import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The batches that some members hold between them, for the question whether one of them can show:
/// what it builds on may be held by nobody any more.
struct LostGround {
    private struct Batch {
        let scope: ScopeID
        let previous: BatchID
        let body: BatchBody
        let commit: CommitID
    }

    private var batches: [BatchID: Batch] = [:]
    private var named: [Bytes8: BatchID] = [:]
    private var places: [ChainKey: [UInt64: BatchID]] = [:]
    private var commits: [CommitID: [BatchID]] = [:]

    /// Reads all that these devices hold and can open.
    init(_ fleet: [SimulatedDevice]) throws(Violation) {
        for device in fleet {
            do throws(StorageError) {
                try read(device)
            } catch {
                throw Violation(
                    .noTraps, "a home cannot be read: \(error)", devices: [device.index])
            }
        }
    }

    private mutating func read(_ device: SimulatedDevice) throws(StorageError) {
        guard let log = device.replica?.log else { return }
        for row in device.replica?.chainRows ?? [] where row.stored >= row.first {
            let key = ChainKey(scope: row.scope, chain: row.chain)
            for seq in row.first...row.stored where places[key]?[seq] == nil {
                guard let content = try log.content(chain: row, seq: seq),
                    let body = content.body
                else { continue }
                let commit = body.attributes.name(of: content.id)
                places[key, default: [:]][seq] = content.id
                guard batches[content.id] == nil else { continue }
                batches[content.id] = Batch(
                    scope: row.scope, previous: content.prev, body: body, commit: commit)
                named[Bytes8(Array(content.id.array.prefix(8))) ?? .zero] = content.id
                commits[commit, default: []].append(content.id)
            }
        }
    }

    /// True when a batch is here and opens.
    func holds(_ seq: UInt64, of chain: ChainKey) -> Bool { places[chain]?[seq] != nil }

    /// True when a batch builds on one that nobody here holds, in scopes that a device reads, or
    /// belongs to a commit of which parts are missing there.
    func hides(_ seq: UInt64, of chain: ChainKey, from reads: (ScopeID) -> Bool) -> Bool {
        guard let id = places[chain]?[seq] else { return true }
        var seen: Set<BatchID> = []
        var open = [id]
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            guard let batch = batches[next] else { return true }
            if batch.previous != .zero { open.append(batch.previous) }
            guard let more = ground(of: batch, reads) else { return true }
            open += more
        }
        return false
    }

    /// The batches that one names, and the other parts of its commit; nil where one is missing.
    private func ground(of batch: Batch, _ reads: (ScopeID) -> Bool) -> [BatchID]? {
        var ground: [BatchID] = []
        let attributes = batch.body.attributes
        for scope in attributes.dependencies where reads(scope.scope) {
            for head in scope.heads {
                guard let id = named[head.prefix] else { return nil }
                ground.append(id)
            }
        }
        guard attributes.parts > 1 else { return ground }
        let parts = (commits[batch.commit] ?? []).filter { id in
            batches[id].map { reads($0.scope) } ?? false
        }
        let needed =
            attributes.partScopes.isEmpty
            ? Int(attributes.parts)
            : attributes.partScopes.reduce(0) { $0 + (reads($1.scope) ? Int($1.parts) : 0) }
        let numbers = Set(parts.compactMap { batches[$0]?.body.attributes.part })
        return numbers.count < needed ? nil : ground + parts
    }
}
