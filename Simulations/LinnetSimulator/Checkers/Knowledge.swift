import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The knowledge of a fleet: every batch there ever was, and all that each device held and
/// showed when it was last looked at. An inspector writes it, and checkers read it.
final class Knowledge {
    let schemas: [LinnetCRDT.Schema]
    let catalogue: Catalogue
    var views: [DeviceView] = []
    /// The true time, and the wall clock of the device that is looked at.
    var now: Int64 = 0
    var wallMilliseconds: Int64 = 0
    /// True when a home went back in time or ran twice: then its author may have two histories.
    var forksAllowed = false
    /// True when people attach files, which cost sessions more.
    var hasFiles = false
    /// True when devices fold batches, so that others take the whole base of what they lack.
    var hasBases = false
    /// The devices that hold the key of a device.
    var indices: [DeviceID: [Int]] = [:]
    /// The scopes that any device ever did without.
    var everLeft: Set<ScopeID> {
        Set(everLeftCollections.compactMap { catalogue.scopes[$0] })
    }
    /// The collections of those scopes.
    var everLeftCollections: Set<UInt32> = []
    /// The wishes of people about their medicines.
    var medication = MedicationReference()
    /// The number of records that were compared with the reference fold.
    var comparisons = 0
    private let folds = FoldMemory()
    /// The names of authors that were worked out, by those that replicas give their chains.
    private var roots: [ChainKey: (key: ChainKey, number: Int)] = [:]

    init(_ schemas: [LinnetCRDT.Schema]) {
        self.schemas = schemas
        catalogue = Catalogue(schemas)
    }

    /// The schema that runs on a device.
    func schema(of device: Int) -> LinnetCRDT.Schema { schemas[views[device].version] }

    /// The name that a chain which is no branch must have, and its number; nil before any of its
    /// batches is known.
    func numberedRoot(of row: ChainRow) -> (key: ChainKey, number: Int)? {
        let given = ChainKey(scope: row.scope, chain: row.chain)
        if let known = roots[given] { return known }
        let root = ChainNames.root(row)
        guard let number = catalogue.chainNumber(root) else { return nil }
        roots[given] = (root, number)
        return (root, number)
    }

    /// The scopes that a device does without.
    func scopesLeft(_ device: Int) -> [ScopeID] {
        views[device].leaves.compactMap { catalogue.scopes[$0] }
    }

    /// The fold of what a device holds now.
    func referenceFold(_ device: Int) -> ReferenceFold {
        let view = views[device]
        var chains: Set<ChainKey> = []
        if !catalogue.forkedRoots.isEmpty {
            for row in view.rows { chains.insert(ChainKey(scope: row.scope, chain: row.chain)) }
        }
        return ReferenceFold(
            catalogue: catalogue, schema: schemas[view.version], held: view.held,
            applied: view.applied, chains: chains, memory: folds)
    }

    /// A batch by author, number and what its commit was, for people.
    func describe(_ number: Int) -> String {
        guard catalogue.facts.indices.contains(number) else { return "\(number)" }
        let fact = catalogue.facts[number]
        return "\(fact.seq) of author \(fact.root.chain.description.prefix(8))"
    }
}

/// Promises that were made to people about their commits.
extension Knowledge {
    /// Notes what a commit gave its writer.
    func acknowledge(_ commit: CommitID, durable: Bool, _ device: Int) {
        let view = views[device]
        for number in catalogue.parts(of: commit) where view.held.contains(number) {
            if durable {
                view.promised.durable.append(number)
            } else {
                view.promised.relaxed.append(number)
                view.promised.unlisted.append(number)
            }
        }
    }

    /// A flush made everything before it durable.
    func acknowledgeRelaxed(_ device: Int) {
        let view = views[device]
        if !view.promised.relaxed.isEmpty || !view.promised.unsynced.isEmpty {
            view.promised.flushedAt = now
        }
        view.promised.durable += view.promised.relaxed
        view.promised.relaxed.removeAll(keepingCapacity: true)
        view.promised.unsynced.removeAll(keepingCapacity: true)
    }
}

/// The accidents of a home.
extension Knowledge {
    /// A process died: what was not durable may be gone.
    func crashed(_ device: Int, power: Bool) {
        views[device].past.isFresh = true
        // A killed process loses nothing that was written.
        if power { views[device].past.lostPower = true }
    }

    /// The first look after a start may find losses; the next one may not.
    func reopened(_ device: Int) { views[device].past.isFresh = true }

    /// A home is older than what its device has said, or runs twice.
    func wentBack(_ device: Int) {
        views[device].past.mayHaveLost = true
        views[device].past.wentBack = true
        forksAllowed = true
    }

    func noteDevice(_ index: Int, _ device: DeviceID?) {
        guard let device, !(indices[device] ?? []).contains(index) else { return }
        indices[device, default: []].append(index)
    }

    /// True for two homes of one device.
    func areOne(_ left: Int, _ right: Int) -> Bool {
        indices.values.contains { $0.contains(left) && $0.contains(right) }
    }
}

/// Batches that a device waits for.
extension Knowledge {
    /// A chain of which a replica does not show all that it could.
    func stuckChain(_ device: Int) -> ChainRow? {
        let waiting = views[device].rows.filter { $0.applied < $0.stored }
        guard !waiting.isEmpty else { return nil }
        let doomed = catalogue.doomed()
        return waiting.first { row in
            let next = catalogue.facts(at: ChainNames.root(row), row.applied + 1).filter {
                views[device].held.contains($0) && !views[device].applied.contains($0)
            }
            return next.isEmpty || next.contains { !doomed.contains($0) }
        }
    }

    /// True when two devices differ, and only in what is gone for ever or builds on it.
    func isLoss(_ one: FactSet, _ other: FactSet) -> Bool {
        let doomed = catalogue.doomed()
        let differing = one.subtracting(other) + other.subtracting(one)
        return !differing.isEmpty && differing.allSatisfy(doomed.contains)
    }

    /// Names the batches that the next one of a chain waits for, for people.
    func wait(of row: ChainRow, _ device: Int) -> String {
        let root = ChainNames.root(row)
        for number in catalogue.facts(at: root, row.applied + 1)
        where views[device].held.contains(number) {
            for scope in catalogue.facts[number].body.attributes.dependencies {
                for dependency in scope.heads {
                    let needed = catalogue.number(prefix: dependency.prefix)
                    if let needed, views[device].applied.contains(needed) { continue }
                    guard let needed else { return ", waits for a batch that nobody ever had" }
                    let holders = views.indices.filter { views[$0].held.contains(needed) }
                    return ", waits for batch \(describe(needed)), which \(holders) hold"
                }
            }
        }
        return ", waits for the rest of a commit, for a key, or for nothing"
    }
}
