package import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The batches of one chain that came here and count nowhere, since their author was taken out of
/// the group or may write no more: the inbox of late writes.
package struct LateWrites: Equatable, Sendable {
    /// Most records that are named.
    package static let mostRecords = 64

    /// The device that wrote them.
    package let device: DeviceID
    /// The scope of the chain.
    package let scope: ScopeID
    /// The life of the device in which it wrote.
    package let incarnation: Incarnation
    /// The chain: the author, or a branch after a fork.
    package let chain: AuthorID
    /// The number of the first of them.
    package let first: UInt64
    /// The number of the last of them.
    package let last: UInt64
    /// True when they were dropped, and so are not listed unless somebody asks for them.
    package let isDropped: Bool
    /// The number of their operations, as far as this device can read them.
    package private(set) var operations = 0
    /// The number of batches that this device cannot read.
    package private(set) var unreadable = 0
    /// The first time at which they say that they were written.
    package private(set) var earliest: Timestamp?
    /// The last such time.
    package private(set) var latest: Timestamp?
    /// The records that they touch, ascending, at most `mostRecords`.
    package private(set) var records = OrderedSet<RecordKey>()
    /// True when they touch others, too.
    package private(set) var hasMoreRecords = false

    /// A name of the chain for people.
    package var label: String { Self.label(scope, chain) }

    static func label(_ scope: ScopeID, _ chain: AuthorID) -> String {
        "\(scope.description.prefix(8))-\(chain.description.prefix(8))"
    }

    init(_ row: ChainRow, _ late: Range<UInt64>, isDropped: Bool) {
        (device, scope, incarnation) = (row.device, row.scope, row.incarnation)
        (chain, first, last) = (row.chain, late.lowerBound, late.upperBound - 1)
        self.isDropped = isDropped
    }

    /// Takes in what one batch says; nil stands for one that cannot be read.
    mutating func add(_ body: BatchBody?) {
        guard let body else {
            unreadable += 1
            return
        }
        operations += body.operations.count
        let stamp = body.attributes.baseStamp
        earliest = min(earliest ?? stamp, stamp)
        latest = max(latest ?? stamp, stamp)
        for operation in body.operations {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if records.contains(key) { continue }
            if records.count < Self.mostRecords {
                records.insert(key)
            } else {
                hasMoreRecords = true
            }
        }
    }
}

/// A chain of which batches do not count.
struct LateChain {
    let row: ChainRow
    /// The batches that do not count; never empty.
    let late: Range<UInt64>
    /// Those of them that were dropped.
    let dropped: Range<UInt64>
    /// Those of them that are listed.
    let listed: Range<UInt64>

    /// Nil where all counts that is held.
    init?(_ row: ChainRow, _ late: Range<UInt64>, droppedThrough last: UInt64) {
        guard !late.isEmpty else { return nil }
        let next = last == .max ? last : last + 1
        let border = min(max(late.lowerBound, next), late.upperBound)
        (self.row, self.late) = (row, late)
        (dropped, listed) = (late.lowerBound..<border, border..<late.upperBound)
    }
}

extension ReplicaReading {
    /// Returns the inbox of late writes, by device and chain. Those that were dropped are left out,
    /// unless they are asked for.
    package func lateWrites(withDropped: Bool = false) throws(ReplicaError) -> [LateWrites] {
        try storage { () throws(StorageError) in
            var found: [LateWrites] = []
            for chain in try lateChains() {
                if withDropped, !chain.dropped.isEmpty {
                    found.append(try lateWrites(chain.row, chain.dropped, isDropped: true))
                }
                if !chain.listed.isEmpty {
                    found.append(try lateWrites(chain.row, chain.listed, isDropped: false))
                }
            }
            return found.sorted {
                ($0.device, $0.scope, $0.chain, $0.first)
                    < ($1.device, $1.scope, $1.chain, $1.first)
            }
        }
    }

    /// Returns the number of batches in the inbox of late writes.
    func lateBatches() throws(StorageError) -> Int {
        try lateChains().reduce(0) { $0 + $1.listed.count }
    }

    /// Returns the chains of which batches do not count.
    func lateChains() throws(StorageError) -> [LateChain] {
        guard let group = log.group, group.counted != CountedChains() else { return [] }
        let dropped = try DroppedBatches(kept: log.store.value(.droppedLate))
        return log.chains.rows.values.compactMap { row -> LateChain? in
            // Nothing makes batches count of a device that never could write.
            guard case .upTo? = group.log.state.verdict.batches[row.device] else { return nil }
            return LateChain(
                row, group.counted.late(in: row), droppedThrough: dropped.last(in: row.key))
        }
    }

    private func lateWrites(
        _ row: ChainRow, _ late: Range<UInt64>, isDropped: Bool
    ) throws(StorageError) -> LateWrites {
        var writes = LateWrites(row, late, isDropped: isDropped)
        for seq in late {
            guard let stored = try log.store.batch(chain: row.index, seq: seq) else { continue }
            writes.add(log.group?.body(of: stored, in: row))
        }
        return writes
    }
}
