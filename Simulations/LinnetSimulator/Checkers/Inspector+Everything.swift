import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The looks at everything on one device.
extension Inspector {
    func add(version: Int) { known.views.append(DeviceView(version: version)) }

    /// Looks at all that shows on one device, every thousand events, and sometimes at its digest.
    func observeRecords(
        _ device: Int, _ replica: borrowing Replica, withDigest: Bool
    ) throws(Violation) {
        let view = views[device]
        guard !view.isDamaged else { return }
        do {
            try observeRecords(device, replica, kept: view.records, looksAtAll: false)
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.noTraps, "a store that serves cannot be read: \(error)")
        }
        try show(.compared(device: device, isAll: false))
        try observeWhole(device, replica, withDigest: withDigest)
    }

    /// Looks at everything on one device: after a start, after a fork, and at the end.
    func observeAll(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let before = views[device]
        let view = DeviceView(after: before)
        view.isDamaged = replica.damagedBatches > 0
        view.changedAt = known.now
        view.incarnation = replica.incarnation
        view.rows = replica.log.chainRows()
        known.views[device] = view
        do {
            let held = try holdAll(device, replica)
            catalogue.coverNew()
            if view.past.mayLackRows {
                view.past.mayLackRows = !view.held.isComplete
                view.isDamaged = view.isDamaged || view.past.mayLackRows
            }
            if replica.storeForReading.isUnflushed, !before.past.isFresh {
                view.promised.unsynced += view.held.subtracting(before.held)
            }
            try show(
                .renewed(device: device, before: before, clock: replica.clockLast))
            let applied = held.compactMap { $0.seq <= $0.row.applied ? $0.number : nil }
            for number in applied {
                view.applied.insert(number)
                view.appliedPrint ^= catalogue.facts[number].print
            }
            if view.isDamaged { return }
            try show(.shown(device: device, applied))
            // A replica that was opened shows in slices, before anybody looks at it.
            let goesOnToShow =
                replica.isShowingDue && !before.applied.subtracting(view.applied).isEmpty
            let isSame =
                before.held.subtracting(view.held).isEmpty && !before.past.mayHaveLost
                && !before.isDamaged && before.shownVersion == before.version && !goesOnToShow
            if isSame {
                view.records = before.records
                view.statePrint = before.statePrint
            }
            try observeRecords(device, replica, kept: view.records, looksAtAll: true)
            try show(.compared(device: device, isAll: true))
            try observeWhole(device, replica, withDigest: true)
            try showSealed(held, device, replica)
        } catch {
            throw problem(error, device)
        }
    }

    /// A batch that is stored, and its number where it can be opened.
    private struct Held {
        let row: ChainRow
        let seq: UInt64
        let number: Int?
    }

    /// Goes through all chains from their beginnings.
    private func holdAll(_ device: Int, _ replica: borrowing Replica) throws -> [Held] {
        var held: [Held] = []
        for row in views[device].rows {
            var stored: [BatchRow] = []
            if row.stored >= row.first {
                stored = try replica.storeForReading.batches(
                    chain: row.index, from: row.first, maxBytes: .max)
            }
            if views[device].past.mayLackRows, UInt64(stored.count) + row.first <= row.stored {
                views[device].held.isComplete = false
            } else {
                try show(.chain(row, stored))
            }
            for fact in folded(below: stored.first, of: row) {
                views[device].held.insert(fact)
                held.append(Held(row: row, seq: catalogue.facts[fact].seq, number: fact))
            }
            for batch in stored {
                let number = try hold(
                    row, batch.seq, batch.id, device, replica, isRecent: false)
                held.append(Held(row: row, seq: batch.seq, number: number))
            }
        }
        return held
    }

    /// The batches of a chain that the base stands for, which others showed when they were there.
    private func folded(below first: BatchRow?, of row: ChainRow) -> [Int] {
        var facts: [Int] = []
        guard row.floor > 0, var id = first?.prev else { return [] }
        while let number = catalogue.number(id) {
            facts.append(number)
            id = catalogue.facts[number].prev
        }
        return facts.reversed()
    }

    private func showSealed(
        _ held: [Held], _ device: Int, _ replica: borrowing Replica
    ) throws {
        for held in held {
            guard let number = held.number,
                let sealed = try replica.log.sealedBytes(chain: held.row, seq: held.seq)
            else { continue }
            let bytes = sealed.header + sealed.ciphertext + sealed.signature
            try show(.sealed(device: device, number, print: TraceHash.of(bytes)))
        }
    }

    /// Shows the sum of it all, after its records were gone through.
    private func observeWhole(
        _ device: Int, _ replica: borrowing Replica, withDigest: Bool
    ) throws(Violation) {
        if withDigest { try compareKept(device, replica) }
        try show(
            .whole(
                .init(
                    device: device, pending: replica.storeForReading.pendingTotals,
                    digest: withDigest && replica.isMember ? try? replica.reader.digest() : nil,
                    vector: catalogue.forkedRoots.isEmpty ? [] : replica.log.vectorEntries())))
        guard !known.medication.entries.isEmpty else { return }
        try show(.medication(MedicationSight(device, of: known)))
    }

    /// The sums that are kept of many rows say the same as the rows.
    private func compareKept(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        guard replica.isMember else { return }
        let reader = replica.reader
        do {
            let (kept, anew) = (try reader.root(), try reader.root(anew: true))
            guard kept == anew else {
                throw Violation(
                    .referenceFold, "the digest of the pages is not that of the records",
                    devices: [device])
            }
            for collection in replica.schema.collections {
                var read = 0
                try reader.forEachRecord(collection: collection.id) { state in
                    if state.isLive { read += 1 }
                }
                let counted = try reader.liveCount(of: collection.id)
                guard counted == read else {
                    throw Violation(
                        .referenceFold,
                        "\(collection.name) has \(read) records, and \(counted) are counted",
                        devices: [device])
                }
            }
        } catch {
            throw problem(error, device)
        }
    }

    /// The number of looks until each record was folded anew that did not change meanwhile.
    private static let looksForAll = 64

    /// - Parameters:
    ///   - kept: the records that must still be there.
    ///   - looksAtAll: whether every record is folded anew, and not just those that changed and a
    ///     share of the others.
    private func observeRecords(
        _ device: Int, _ replica: borrowing Replica, kept: [RecordKey: RecordState],
        looksAtAll: Bool
    ) throws {
        var stored: [(key: RecordKey, state: RecordState)] = []
        try replica.reader.forEachRecord { (state) throws(StorageError) in
            let key = RecordKey(collection: state.collection, record: state.record)
            stored.append((key, state))
        }
        let shown = Set(stored.map(\.key))
        // The smallest: what a violation names must not depend on a hash table.
        if let key = kept.keys.filter({ !shown.contains($0) }).min() {
            try show(.vanished(device: device, key))
        }
        let fold = known.referenceFold(device)
        looks += 1
        for (place, (key, state)) in stored.enumerated() {
            // What a batch touched was compared then; after a fork names mean other branches.
            let isDue =
                looksAtAll || !catalogue.forkedRoots.isEmpty
                || (place + looks).isMultiple(of: Self.looksForAll)
            guard isDue || views[device].records[key] != state else { continue }
            try compare(key, state, since: nil, fold, device)
        }
        try show(.records(device: device, shown))
    }

    /// The last look: what waits, and then whatever checkers want to see at the end.
    func finish(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let store = replica.storeForReading
        var waiting: [BatchID] = []
        do {
            for chain in try store.pendingChains() {
                waiting += try store.pending(
                    scope: chain.scope, device: chain.device, incarnation: chain.incarnation,
                    maxBytes: .max
                ).map(\.id)
            }
        } catch {
            throw Violation(.boundedStorage, "what waits cannot be read: \(error)")
        }
        try show(
            .waiting(device: device, waiting, counted: store.pendingTotals.count))
    }

    /// Shows how many chunks of files a device keeps, and how many of them records have named.
    func showChunks(
        of device: Int, _ replica: borrowing Replica, named: OrderedSet<Bytes32>
    ) throws(Violation) {
        let store = replica.storeForReading
        let counts: (kept: Int, named: Int)
        do throws(StorageError) {
            let kept = try store.chunkTotals().count
            var held = 0
            for name in named where try store.hasChunk(name) { held += 1 }
            counts = (kept, held)
        } catch {
            throw Violation(.noTraps, "the chunks cannot be counted: \(error)", devices: [device])
        }
        try show(.chunks(device: device, kept: counts.kept, named: counts.named))
    }
}
