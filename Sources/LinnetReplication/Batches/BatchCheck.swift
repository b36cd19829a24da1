import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A batch, or a place for one, that is not as its author made it.
package struct BatchFault: Equatable, Sendable {
    /// The fault that was found.
    package enum Problem: Equatable, Sendable {
        /// The chain has no batch here, although it should.
        case missing
        /// Its identifier is not that of its bytes.
        case changed
        /// Its signature is not its author's.
        case unsigned
        /// It does not follow the batch before it.
        case unlinked
        /// The pages that hold it cannot be read.
        case unreadable
    }

    /// The device that wrote it.
    package let device: DeviceID
    /// True when this device wrote it.
    package let isOwn: Bool
    /// Its place in the chain.
    package let seq: UInt64
    /// The fault that was found.
    package let problem: Problem
}

/// A check of every stored batch, a few at a time: bytes, signature, place in the chain and seal.
package struct BatchCheck: Sendable {
    /// The number of faults that are named; those beyond it are only counted.
    private static let namedFaults = 20

    /// The number of batches when the check began.
    package let total: Int
    /// The number of batches that were looked at.
    package fileprivate(set) var checked = 0
    /// True when every batch was looked at.
    package fileprivate(set) var isDone = false
    /// The first faults that were found, at most 20.
    package private(set) var faults: [BatchFault] = []
    /// The number of all faults.
    package private(set) var faultCount = 0
    /// The number of batches that are whole and do not open under the keys that this device has,
    /// since their author sealed them so.
    package fileprivate(set) var unopened = 0
    /// The chain and the sequence number to go on with.
    fileprivate var place: (key: ChainKey, seq: UInt64)?
    /// The identifier of the batch before that one; nil when it was not looked at.
    fileprivate var previous: BatchID?

    /// Begins a check, and reads only the number of batches.
    package init(_ replica: borrowing Replica) {
        total = replica.chains.rows.values.reduce(0) { sum, row in
            sum + Int(clamping: row.stored + 1 - min(row.first, row.stored + 1))
        }
    }

    fileprivate mutating func note(
        _ problem: BatchFault.Problem, _ seq: UInt64, in row: ChainRow, of device: DeviceID
    ) {
        faultCount += 1
        guard faults.count < Self.namedFaults else { return }
        faults.append(
            BatchFault(
                device: row.device, isOwn: row.device == device, seq: seq, problem: problem))
    }
}

extension Replica {
    /// Looks at some more batches, up to `bytes` of them, and asks peers for those that changed.
    package mutating func go(
        on check: inout BatchCheck, bytes: Int, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            try chains.look(&check, bytes: bytes, group: group, &turn)
            askForRepairs()
            if check.isDone { try restateWhenDue() }
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }
}

extension ChainBook {
    /// Looks at some more batches.
    fileprivate mutating func look(
        _ check: inout BatchCheck, bytes: Int, group: GroupState?, _ turn: inout Turn
    ) throws(StorageError) {
        let next =
            check.place.flatMap { place in rows.first(atOrAfter: place.key) }
            ?? (check.place == nil ? rows.first : nil)
        guard let (key, row) = next else {
            check.isDone = true
            return
        }
        if check.place?.key != key { check.previous = nil }
        var seq = row.first
        if let place = check.place, place.key == key { seq = max(seq, place.seq) }
        guard seq <= row.stored else { return leave(key, &check) }
        let found: [BatchRow]
        do throws(StorageError) {
            found = try turn.store.batches(chain: row.index, from: seq, maxBytes: bytes)
        } catch {
            guard case .corrupt = error else { throw error }
            // One bad page hides all behind it in the same read, so that the check goes on with the
            // next batch.
            check.note(.unreadable, seq, in: row, of: device)
            check.checked += 1
            check.previous = nil
            check.place = (key, seq + 1)
            return
        }
        guard !found.isEmpty else {
            noteGaps(seq...row.stored, in: row, &check, &turn)
            return leave(key, &check)
        }
        var expected = seq
        for stored in found where stored.seq <= row.stored {
            if stored.seq > expected {
                noteGaps(expected...stored.seq - 1, in: row, &check, &turn)
                check.previous = nil
            }
            if let problem = try problem(
                of: stored, in: row, after: check.previous, group, &turn)
            {
                check.note(problem, stored.seq, in: row, of: device)
            } else if !Self.opens(stored, in: row, group) {
                check.unopened += 1
            }
            check.previous = stored.id
            check.checked += 1
            expected = stored.seq + 1
        }
        check.place = (key, expected)
        if expected > row.stored {
            if let last = check.previous, last != row.head {
                check.note(.unlinked, row.stored, in: row, of: device)
            }
            leave(key, &check)
        }
    }

    /// Notes batches whose rows are gone, so that peers are asked for them.
    private mutating func noteGaps(
        _ seqs: ClosedRange<UInt64>, in row: ChainRow, _ check: inout BatchCheck, _ turn: inout Turn
    ) {
        for seq in seqs {
            check.note(.missing, seq, in: row, of: device)
            damaged.note(.gap(in: row, at: seq), in: row, &turn)
        }
    }

    /// Goes on with the next chain.
    private func leave(_ key: ChainKey, _ check: inout BatchCheck) {
        check.previous = nil
        guard let at = rows.index(of: key), let next = rows.entry(at: at + 1) else {
            check.isDone = true
            return
        }
        check.place = (next.key, next.value.first)
    }

    private mutating func problem(
        of stored: BatchRow, in row: ChainRow, after previous: BatchID?, _ group: GroupState?,
        _ turn: inout Turn
    ) throws(StorageError) -> BatchFault.Problem? {
        let batch = SealedBatch(stored, in: row, of: group?.log.group)
        guard batch.isIntact, batch.isSigned else {
            damaged.note(stored, in: row, &turn)
            return batch.isIntact ? .unsigned : .changed
        }
        if let previous, previous != stored.prev { return .unlinked }
        return nil
    }

    /// Returns true when the content opens, or its keys are not here.
    private static func opens(_ stored: BatchRow, in row: ChainRow, _ group: GroupState?) -> Bool {
        do throws(CryptoError) {
            _ = try group?.plaintext(of: stored, in: row)
            return true
        } catch {
            return false
        }
    }
}
