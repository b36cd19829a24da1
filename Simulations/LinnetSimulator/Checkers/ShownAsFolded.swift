import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// I3: a replica shows what an obvious fold of its batches gives.
extension Inspector {
    func checkReference(
        _ key: RecordKey, _ state: RecordState?, since new: [FactOperation]?,
        _ fold: ReferenceFold, _ device: Int
    ) throws(Violation) {
        comparisons += 1
        guard schemas[views[device].version].collection(id: key.collection) != nil else {
            if state == nil { return }
            throw Violation(
                .referenceFold,
                "record \(key.record) is stored, and this version does not know its collection",
                devices: [device])
        }
        let before = views[device].records[key]
        // What is not just the latest change is folded from its beginning each time.
        let isPlain = !catalogue.intricate.contains(key)
        let expected =
            new.flatMap { isPlain ? fold.record(before, and: $0) : nil } ?? fold.record(key)
        guard let difference = fold.difference(expected, state) else { return }
        throw Violation(
            .referenceFold,
            "record \(key.record) of collection \(key.collection): \(difference)",
            devices: [device])
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
            applied: view.applied, chains: chains)
    }

    /// Everything that applied batches mention, in collections that the version knows, is stored.
    func checkNothingMissing(shown: Set<RecordKey>, _ device: Int) throws(Violation) {
        let view = views[device]
        let schema = schemas[view.version]
        var missing: RecordKey?
        for (key, entries) in catalogue.operations where !shown.contains(key) {
            guard let collection = schema.collection(id: key.collection),
                entries.contains(where: {
                    view.applied.contains($0.fact) && ReferenceFold.admits($0.operation, collection)
                })
            else { continue }
            missing = min(missing ?? key, key)
        }
        guard let missing else { return }
        throw Violation(
            .referenceFold, "record \(missing.record) is missing although it was written",
            devices: [device])
    }

    /// Every operation here was made by a valid write: none may be refused on arrival.
    func checkWarnings(_ events: [Event], _ device: Int) throws(Violation) {
        for case .warning(.quarantined(let id, _)) in events {
            throw Violation(
                .referenceFold, "batch \(id.description.prefix(8)) was quarantined",
                devices: [device])
        }
    }
}
