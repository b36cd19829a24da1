import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A choice among the late writes of one device.
package struct LateChoice: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The beginning of a chain's label; empty for all chains.
    package let chain: String
    /// The last batch that is meant, of one chain; nil for all that wait.
    package let through: UInt64?

    /// Chooses.
    package init(_ device: DeviceID, chain: String = "", through: UInt64? = nil) {
        (self.device, self.chain, self.through) = (device, chain, through)
    }
}

extension Replica {
    /// Lets late writes of a device count, with those before them in their chains; returns the
    /// number of batches.
    package mutating func acceptLateWrites(
        _ choice: LateChoice, at now: Moment
    ) throws(ReplicaError) -> (Int, [Effect]) {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        let chosen = try chosen(choice)
        var heads: [BatchHead] = []
        for (row, last) in chosen {
            let id = try storage { () throws(StorageError) in
                try store.batchID(chain: row.index, seq: last)
            }
            guard let id else { throw .noLateWrites }
            heads.append(
                BatchHead(
                    incarnation: row.incarnation, scope: row.scope, sequence: last, batch: id))
        }
        heads.sort()
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            var log = group.log
            for start in stride(from: 0, to: heads.count, by: BatchHead.usual) {
                let part = Array(heads[start..<min(start + BatchHead.usual, heads.count)])
                let extend = try log.makeExtend(of: choice.device, heads: part, keys: keys)
                _ = try log.insert(extend)
                records.append(extend)
            }
        } catch {
            throw .membership(error)
        }
        let counted = chosen.reduce(0) { total, chain in
            total + Int(clamping: chain.last + 1 - group.counted.late(in: chain.row).lowerBound)
        }
        return (counted, try publish(records, at: now))
    }

    /// Lists late writes no more; returns the number of batches. They stay in the log, and no other
    /// device hears of it.
    package mutating func dropLateWrites(_ choice: LateChoice) throws(ReplicaError) -> Int {
        guard group != nil else { throw .notAMember }
        if let failure { throw .storage(failure) }
        let chosen = try chosen(choice)
        let rows = chains.rows
        return try storage { () throws(StorageError) in
            var dropped = try DroppedBatches(kept: store.value(.droppedLate))
            var count = 0
            for (row, last) in chosen {
                let late = group?.counted.late(in: row) ?? last..<last
                let before = LateChain(
                    row, late, droppedThrough: dropped.last(in: row.key))?.listed.lowerBound
                if let before, before <= last { count += Int(clamping: last + 1 - before) }
                dropped.drop(row.key, through: last)
            }
            dropped.keep { rows[$0] != nil }
            // The end of a transaction that the application has open keeps this.
            guard !store.isInTransaction else {
                try store.setValue(.droppedLate, dropped.encoded)
                return count
            }
            do throws(StorageError) {
                try store.begin(.full)
                try store.setValue(.droppedLate, dropped.encoded)
                try store.commit()
            } catch {
                store.rollback()
                throw error
            }
            return count
        }
    }

    /// The chains that a choice means, each with its last batch. Without a number, what was dropped
    /// is not meant.
    private func chosen(
        _ choice: LateChoice
    ) throws(ReplicaError) -> [(row: ChainRow, last: UInt64)] {
        let reading = reading
        let all = try storage { () throws(StorageError) in try reading.lateChains() }
        let meant = all.filter {
            $0.row.device == choice.device
                && LateWrites.label($0.row.scope, $0.row.chain).hasPrefix(choice.chain)
        }
        var chosen: [(row: ChainRow, last: UInt64)] = []
        if let through = choice.through {
            guard meant.count < 2 else { throw .severalLateChains }
            for chain in meant where chain.late.lowerBound <= through {
                chosen.append((chain.row, min(through, chain.late.upperBound - 1)))
            }
        } else {
            for chain in meant where !chain.listed.isEmpty {
                chosen.append((chain.row, chain.late.upperBound - 1))
            }
        }
        guard !chosen.isEmpty else { throw .noLateWrites }
        return chosen
    }
}
