import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Finds what changed on replicas after every step, and shows it to the checkers.
final class Inspector {
    let known: Knowledge
    let checkers: CheckerRegistry
    /// Batches that the current meeting brought, for its account of traffic.
    private(set) var newBatches = 0
    private(set) var newBytes = 0
    /// By device: the batches that it ever got from others, whoever brought them.
    private(set) var received: [Int: Totals] = [:]
    /// The sights of records that a long swarm must have.
    private(set) var sightings = Coverage()
    /// The number of times that all records of a device were gone through.
    var looks = 0
    /// Learns which batches show.
    var recorder: StoryRecorder?

    var views: [DeviceView] { known.views }
    var catalogue: Catalogue { known.catalogue }

    init(_ known: Knowledge, _ checkers: CheckerRegistry) {
        self.known = known
        self.checkers = checkers
    }

    func show(_ sight: Sight) throws(Violation) {
        recorder?.saw(sight, known)
        try checkers.show(sight)
    }

    /// Looks at what a step changed on one device.
    func observe(
        _ device: Int, _ replica: borrowing Replica, events: [Event]
    ) throws(Violation) {
        try show(.answered(.init(device: device, events: events, clock: replica.clockLast)))
        let rows = replica.chainRows
        let view = views[device]
        if !view.promised.unlisted.isEmpty, !replica.hasRelaxedWrites {
            view.promised.unlisted = []
            view.promised.flushedAt = known.now
        }
        let isDamaged = replica.damagedBatches > 0
        guard !isDamaged, !view.isDamaged, let grown = growth(from: view.rows, to: rows) else {
            try observeAll(device, replica)
            return
        }
        var applied: [Int] = []
        view.rows = rows
        if !grown.isEmpty {
            do {
                for (row, stored, shown) in grown {
                    for seq in stored..<row.stored {
                        _ = try hold(row, seq + 1, nil, device, replica, isRecent: true)
                    }
                    for seq in shown..<row.applied {
                        if let fact = try fact(row, seq + 1, nil, device, replica) {
                            applied.append(fact)
                        }
                    }
                }
            } catch {
                throw problem(error, device)
            }
            catalogue.coverNew()
        }
        if !events.isEmpty || !applied.isEmpty {
            try show(.announced(device: device, applied: applied, events: events))
        }
        try show(applied, device, replica)
        view.incarnation = replica.incarnation
        let pending = replica.storeForReading.pendingTotals
        // Most calls change nothing of all this.
        guard !grown.isEmpty || !events.isEmpty || pending != view.pending else { return }
        view.pending = pending
        try show(.stepped(.init(device: device, events: events, pending: pending)))
    }

    /// The chains that grew or were begun, each with how far it was before; nil when any was
    /// renamed, split or cut.
    private func growth(
        from old: [ChainRow], to new: [ChainRow]
    ) -> [(row: ChainRow, stored: UInt64, applied: UInt64)]? {
        var grown: [(row: ChainRow, stored: UInt64, applied: UInt64)] = []
        var matched = 0
        // A chain that was not written since the last look lies where it lay.
        if Self.isSame(old, new) { return grown }
        for row in new {
            guard matched < old.count, old[matched].index == row.index else {
                guard row.parent == nil, row.forkedAt == nil, row.first == 1, row.floor == 0
                else { return nil }
                grown.append((row, 0, 0))
                continue
            }
            let before = old[matched]
            guard before.first == row.first, before.floor == row.floor,
                before.forkedAt == row.forkedAt,
                before.chain == row.chain, before.stored <= row.stored,
                before.applied <= row.applied
            else { return nil }
            if before.stored != row.stored || before.applied != row.applied {
                grown.append((row, before.stored, before.applied))
            }
            matched += 1
        }
        return matched == old.count ? grown : nil
    }

    /// Returns true when two lists are one and the same in memory.
    private static func isSame(_ one: [ChainRow], _ other: [ChainRow]) -> Bool {
        unsafe one.withUnsafeBufferPointer { one in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe one.baseAddress == other.baseAddress && one.count == other.count
            }
        }
    }

    /// Makes newly applied batches visible to the checkers.
    private func show(
        _ applied: [Int], _ device: Int, _ replica: borrowing Replica
    ) throws(Violation) {
        guard !applied.isEmpty else { return }
        let view = views[device]
        for number in applied {
            guard view.applied.insert(number) else {
                try show(.appliedAgain(device: device, number))
                continue
            }
            view.appliedPrint ^= catalogue.facts[number].print
        }
        try show(.shown(device: device, applied))
        var touched: [RecordKey] = []
        var new: [RecordKey: [FactOperation]] = [:]
        for number in applied {
            for entry in catalogue.operationsOfFact[number] {
                if new[entry.key] == nil { touched.append(entry.key) }
                new[entry.key, default: []].append(entry)
            }
        }
        let fold = known.referenceFold(device)
        for key in touched {
            let state: RecordState?
            do {
                state = try replica.reader.existing(key)
            } catch {
                throw unreadable(device, error)
            }
            try compare(key, state, since: new[key] ?? [], fold, device)
        }
        try show(.compared(device: device, isAll: false))
    }

    /// Shows one record as it is stored, and remembers how it is.
    func compare(
        _ key: RecordKey, _ state: RecordState?, since new: [FactOperation]?,
        _ fold: ReferenceFold, _ device: Int
    ) throws(Violation) {
        let view = views[device]
        let before = view.records[key]
        try show(
            .record(
                .init(
                    device: device, key: key, before: before, after: state, new: new, fold: fold)))
        guard before != state else { return }
        if let state, catalogue.intricate.contains(key) { sightings.saw(state) }
        view.statePrint.change(key)
        view.records[key] = state
    }

    /// The number of a stored batch, which is learnt when it is new; nil while it cannot be opened.
    ///
    /// - Parameter id: its identifier, where that is at hand.
    private func fact(
        _ row: ChainRow, _ seq: UInt64, _ id: BatchID?, _ device: Int,
        _ replica: borrowing Replica
    ) throws -> Int? {
        let stored = try id ?? replica.storeForReading.batchID(chain: row.index, seq: seq)
        guard let id = stored else {
            if !views[device].past.mayLackRows { try show(.hole(device: device, seq: seq)) }
            return nil
        }
        if let number = catalogue.number(id) { return number }
        guard let content = try replica.log.content(chain: row, seq: seq), let body = content.body,
            let sealed = try replica.log.sealedBytes(chain: row, seq: seq)
        else { return nil }
        let bytes = sealed.header + sealed.ciphertext + sealed.signature
        let number = catalogue.learn(
            Fact(
                id: content.id, prev: content.prev, root: ChainNames.root(row), seq: seq,
                body: body,
                restated: body.restates.map { ChainNames.root(row, life: $0.incarnation) },
                sealed: bytes))
        try show(.learnt(number, header: sealed.header))
        return number
    }

    /// Notes that a device stores a batch.
    func hold(
        _ row: ChainRow, _ seq: UInt64, _ id: BatchID?, _ device: Int,
        _ replica: borrowing Replica, isRecent: Bool
    ) throws -> Int? {
        let view = views[device]
        let factsBefore = catalogue.facts.count
        guard let number = try fact(row, seq, id, device, replica) else {
            view.held.isComplete = false
            return nil
        }
        let isNew = view.held.insert(number)
        try show(
            .stored(
                .init(
                    device: device, number: number, isFirst: seq == row.first && seq == 1,
                    isNew: isNew, isRecent: isRecent,
                    isUnflushed: isRecent && replica.storeForReading.isUnflushed,
                    isCountedRelaxed: isRecent && replica.hasRelaxedWrites)))
        if isNew {
            view.changedAt = known.now
            newBatches += 1
            newBytes += catalogue.facts[number].sealedBytes
            // A batch that nobody had before is the device's own.
            if number < factsBefore { noteReceived(number, by: device) }
        }
        return number
    }

    private func noteReceived(_ number: Int, by device: Int) {
        let before = received[device] ?? Totals(count: 0, bytes: 0)
        received[device] = Totals(
            count: before.count + 1,
            bytes: before.bytes + catalogue.facts[number].sealedBytes)
    }

    func unreadable(_ device: Int, _ error: StorageError) -> Violation {
        Violation(
            .acknowledgedWritesSurvive, "a store that serves cannot be read: \(error)",
            devices: [device])
    }

    /// The meaning of an error while a device is looked at: a violation itself, or a broken store.
    func problem(_ error: any Error, _ device: Int) -> Violation {
        switch error {
        case let violation as Violation: violation
        case let error as StorageError: unreadable(device, error)
        default: Violation(.noTraps, "\(error)", devices: [device])
        }
    }
}
