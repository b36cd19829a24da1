import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Looks at replicas after every step, at what the step touched, and knows what they must be.
///
/// Each invariant has a file of its own, in an extension; this one finds what changed.
final class Inspector {
    let catalogue: Catalogue
    var views: [DeviceView] = []
    let schemas: [LinnetCRDT.Schema]
    /// States by version and applied batches, with the device that showed them first.
    var states: [StateKey: (print: UInt64, device: Int)] = [:]
    var digests: [StateKey: (digest: Bytes32, device: Int)] = [:]
    /// Whether a home went back in time or ran twice: then its author may have two histories.
    var forksAllowed = false
    /// The application's own invariant, asked at each full check.
    var applicationCheck: ((SimulatedReplica) -> String?)?
    /// Batches that the current meeting brought, for its account of traffic.
    var newBatches = 0
    var newBytes = 0
    /// The true time.
    var now: Int64 = 0
    /// The wall clock of the device that is looked at.
    var wallMilliseconds: Int64 = 0
    /// Which devices hold the key of a device, and which intents each device has tried.
    var indices: [DeviceID: [Int]] = [:]
    var triedIntents: Set<[UInt8]> = []
    /// What may be counted once only, and what was counted.
    var ledger: TallyLedger?
    var ledgerLines: [LedgerLine] = []
    var triedKeys: Set<TriedKey> = []
    /// What people did with their medicines.
    var medication = MedicationReference()
    /// What was seen of records that a long swarm must see.
    var sightings = Coverage()
    /// How many records were compared with the reference fold.
    var comparisons = 0
    /// How often all records of a device were gone through.
    var looks = 0
    /// The names of authors that were worked out, by those that replicas give their chains.
    private var roots: [ChainKey: ChainKey] = [:]

    struct StateKey: Hashable {
        var version: Int
        var applied: UInt64
        var count: Int
    }

    init(schemas: [LinnetCRDT.Schema]) {
        self.schemas = schemas
        catalogue = Catalogue(schemas)
    }

    func add(version: Int) {
        views.append(DeviceView())
        views[views.count - 1].version = version
        views[views.count - 1].shownVersion = version
    }

    /// Looks at what a step changed on one device.
    func observe(
        _ device: Int, _ replica: borrowing Replica, events: [Event]
    ) throws(Violation) {
        try checkWarnings(events, device)
        let rows = replica.chainRows()
        let old = views[device].rows
        try checkClock(device, replica)
        let isDamaged = replica.damagedBatches > 0
        guard !isDamaged, !views[device].isDamaged, let grown = growth(from: old, to: rows) else {
            try observeAll(device, replica)
            return
        }
        if !grown.isEmpty { views[device].rows = rows }
        var applied: [Int] = []
        do {
            for (row, stored, shown) in grown {
                for seq in stored..<row.stored {
                    guard let number = try hold(row, seq + 1, device, replica) else { continue }
                    try noteUnsynced(number, device, replica)
                }
                for seq in shown..<row.applied {
                    if let fact = try fact(row, seq + 1, replica) { applied.append(fact) }
                }
            }
        } catch let error as StorageError {
            throw unreadable(device, error)
        } catch let error as Violation {
            throw error
        } catch {
            throw Violation(.noTraps, "\(error)", devices: [device])
        }
        catalogue.coverNew()
        try checkExactlyOnce(applied, events, device)
        try show(applied, device, replica)
        try checkInStep(events, device)
        views[device].incarnation = replica.incarnation
        try checkBounds(device, replica)
    }

    /// The chains that grew or were begun, each with how far it was before; nil when any was
    /// renamed, split or cut.
    private func growth(
        from old: [ChainRow], to new: [ChainRow]
    ) -> [(row: ChainRow, stored: UInt64, applied: UInt64)]? {
        var grown: [(row: ChainRow, stored: UInt64, applied: UInt64)] = []
        var matched = 0
        for row in new {
            guard matched < old.count, old[matched].index == row.index else {
                guard row.parent == nil, row.forkedAt == nil, row.first == 1 else { return nil }
                grown.append((row, 0, 0))
                continue
            }
            let before = old[matched]
            guard before.first == row.first, before.forkedAt == row.forkedAt,
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

    /// The name that a chain which is no branch must have.
    func root(of row: ChainRow) -> ChainKey {
        let given = ChainKey(scope: row.scope, chain: row.chain)
        if let known = roots[given] { return known }
        let root = ChainNames.root(row)
        roots[given] = root
        return root
    }

    /// Makes newly applied batches visible to the checks.
    func show(
        _ applied: [Int], _ device: Int, _ replica: borrowing Replica
    ) throws(Violation) {
        guard !applied.isEmpty else { return }
        for number in applied { try markApplied(number, device) }
        try checkCausality(of: applied, device)
        var touched: [RecordKey] = []
        var new: [RecordKey: [FactOperation]] = [:]
        for number in applied {
            for entry in catalogue.operationsOfFact[number] {
                let key = entry.key
                if new[key] == nil { touched.append(key) }
                new[key, default: []].append(entry)
            }
        }
        try compare(touched, since: new, device, replica)
        try checkEqualStates(device)
    }

    private func markApplied(_ number: Int, _ device: Int) throws(Violation) {
        guard views[device].applied.insert(number) else {
            throw Violation(
                .exactlyOnce, "batch \(describe(number)) was applied twice", devices: [device])
        }
        views[device].appliedPrint ^= catalogue.facts[number].print
    }

    /// Compares records with the reference fold, of everything or of what is new, and remembers how
    /// they are.
    func compare(
        _ keys: [RecordKey], since new: [RecordKey: [FactOperation]]? = nil, _ device: Int,
        _ replica: borrowing Replica
    ) throws(Violation) {
        let fold = referenceFold(device)
        for key in keys {
            let state: RecordState?
            do {
                state = try replica.recordState(key)
            } catch {
                throw unreadable(device, error)
            }
            try compare(key, state, since: new.map { $0[key] ?? [] }, fold, device)
        }
    }

    /// Compares one record as it is stored with what it must be.
    func compare(
        _ key: RecordKey, _ state: RecordState?, since new: [FactOperation]?,
        _ fold: ReferenceFold, _ device: Int
    ) throws(Violation) {
        try checkReference(key, state, since: new, fold, device)
        let before = views[device].records[key]
        try checkLife(key, before: before, after: state, device)
        try checkLog(key, before: before, after: state, device)
        try checkLedger(key, state, device)
        guard before != state else { return }
        try checkLogSources(key, state, device)
        if let state, catalogue.intricate.contains(key) { sightings.saw(state) }
        views[device].statePrint.change(key)
        views[device].records[key] = state
    }

    func unreadable(_ device: Int, _ error: StorageError) -> Violation {
        Violation(
            .acknowledgedWritesSurvive, "a store that serves cannot be read: \(error)",
            devices: [device])
    }

    /// A batch by author, number and what its commit was, for people.
    func describe(_ number: Int) -> String {
        let fact = catalogue.facts[number]
        return "\(fact.seq) of author \(fact.root.chain.description.prefix(8))"
    }
}
