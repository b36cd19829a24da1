import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

extension Inspector {
    /// The number of a stored batch, which is learnt when it is new; nil while it cannot be opened.
    func fact(
        _ row: ChainRow, _ seq: UInt64, _ replica: borrowing Replica
    ) throws -> Int? {
        guard let id = try replica.storeForReading.batchID(chain: row.index, seq: seq) else {
            throw Violation(
                .contiguousVectors, "batch \(seq) of a chain that reaches it is not stored")
        }
        if let number = catalogue.number(id) { return number }
        return try learn(row, seq, replica)
    }

    private func learn(
        _ row: ChainRow, _ seq: UInt64, _ replica: borrowing Replica
    ) throws -> Int? {
        guard let content = try replica.content(chain: row, seq: seq), let body = content.body,
            let sealed = try replica.sealedBytes(chain: row, seq: seq)
        else { return nil }
        let bytes = sealed.header + sealed.ciphertext + sealed.signature
        let fact = Fact(
            id: content.id, prev: content.prev, root: ChainNames.root(row), seq: seq, body: body,
            sealed: bytes)
        let number = catalogue.learn(fact)
        try checkUniqueness(number)
        if catalogue.facts.count.isMultiple(of: 4) { try checkEncoding(fact, sealed.header) }
        return number
    }

    /// Notes that a device stores a batch.
    func hold(
        _ row: ChainRow, _ seq: UInt64, _ device: Int, _ replica: borrowing Replica
    ) throws -> Int? {
        guard let number = try fact(row, seq, replica) else {
            views[device].held.isComplete = false
            return nil
        }
        let fact = catalogue.facts[number]
        let expected = seq == row.first && seq == 1 ? BatchID.zero : nil
        if let expected, fact.prev != expected {
            throw Violation(
                .contiguousVectors, "a chain begins with a batch that has a predecessor",
                devices: [device])
        }
        if views[device].held.insert(number) {
            try checkDurability(of: number, device)
            views[device].changedAt = now
            newBatches += 1
            newBytes += fact.sealedBytes
        }
        return number
    }

    /// Looks at all that shows on one device, every thousand events.
    func observeRecords(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        guard !views[device].isDamaged else { return }
        do {
            try checkCounts(device)
            try observeRecords(device, replica, before: views[device], looksAtAll: false)
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.noTraps, "a store that serves cannot be read: \(error)")
        }
        try checkEqualStates(device, always: true)
        try checkDigest(device, replica)
        try checkBounds(device, replica)
        try checkForks(device)
        try checkApplication(device)
    }

    /// Looks at everything on one device: after a start, after a fork, and at the end.
    func observeAll(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let before = views[device]
        var view = DeviceView()
        view.acknowledged = before.acknowledged
        view.relaxed = before.relaxed
        view.unsynced = before.unsynced
        view.version = before.version
        view.shownVersion = before.version
        view.wentBack = before.wentBack
        view.leaves = before.leaves
        view.hasRotted = before.hasRotted
        view.hasRottenRows = before.hasRottenRows
        view.isDamaged = replica.damagedBatches > 0
        view.clock = replica.clockLast
        view.changedAt = now
        view.incarnation = replica.incarnation
        view.rows = replica.chainRows()
        views[device] = view
        var applied: [Int] = []
        do {
            for row in view.rows {
                try checkChain(row, replica)
                guard row.stored >= row.first else { continue }
                for seq in row.first...row.stored {
                    let number = try hold(row, seq, device, replica)
                    if seq <= row.applied, let number { applied.append(number) }
                }
            }
            catalogue.coverNew()
            if replica.storeForReading.isUnflushed, !before.isFresh {
                views[device].unsynced += views[device].held.subtracting(before.held)
            }
            try checkLosses(device, before: before)
            try checkClock(device, before: before)
            for number in applied {
                views[device].applied.insert(number)
                views[device].appliedPrint ^= catalogue.facts[number].print
            }
            if view.isDamaged { return }
            try checkCausality(of: applied, device)
            try observeRecords(device, replica, before: before, looksAtAll: true)
        } catch let error as Violation {
            throw error
        } catch let error as StorageError {
            throw unreadable(device, error)
        } catch {
            throw Violation(.noTraps, "\(error)", devices: [device])
        }
        try checkEqualStates(device, always: true)
        try checkDigest(device, replica)
        try checkBounds(device, replica)
        try checkForwarding(device, replica)
        try checkForks(device)
        try checkApplication(device)
    }

    private func checkApplication(_ device: Int) throws(Violation) {
        try checkMedication(device)
        guard let complaint = applicationCheck?(SimulatedReplica(self, device)) else { return }
        throw Violation(.application, complaint, devices: [device])
    }

    /// How many looks it takes until each record was folded anew that did not change meanwhile.
    private static let looksForAll = 8

    /// - Parameter looksAtAll: whether every record is folded anew, and not just those that changed
    ///   and a share of the others.
    private func observeRecords(
        _ device: Int, _ replica: borrowing Replica, before: DeviceView, looksAtAll: Bool
    ) throws {
        var stored: [(key: RecordKey, state: RecordState)] = []
        try replica.forEachRecord { (state) throws(StorageError) in
            let key = RecordKey(collection: state.collection, record: state.record)
            stored.append((key, state))
        }
        let shown = Set(stored.map(\.key))
        let isWhole = before.held.subtracting(views[device].held).isEmpty
        let isSame =
            isWhole && !before.mayHaveLost && !before.isDamaged
            && before.shownVersion == before.version
        if isSame {
            views[device].records = before.records
            views[device].statePrint = before.statePrint
            // The smallest: what a violation names must not depend on a hash table.
            if let key = before.records.keys.filter({ !shown.contains($0) }).min() {
                throw Violation(
                    .referenceFold, "record \(key.record) is no longer stored", devices: [device])
            }
        }
        let fold = referenceFold(device)
        looks += 1
        for (place, (key, state)) in stored.enumerated() {
            // What a batch touched was compared then; after a fork names mean other branches.
            let isDue =
                looksAtAll || !catalogue.forkedRoots.isEmpty
                || (place + looks).isMultiple(of: Self.looksForAll)
            guard isDue || views[device].records[key] != state else { continue }
            try compare(key, state, since: nil, fold, device)
        }
        try checkNothingMissing(shown: shown, device)
        try checkLedgerComplete(device)
    }
}
