import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A replica shows what an obvious fold of its batches gives.
final class ShownAsFolded: Checker {
    let invariant = Invariant.referenceFold
    let sights: [Sight.Kind] = [.answered, .record, .records, .vanished]
    private let known: Knowledge
    private var turns = FoldTurns()

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .answered(let answer): try checkWarnings(answer)
        case .record(let record): try check(record)
        case .records(let device, let shown): try checkNothingMissing(shown: shown, device)
        case .vanished(let device, let key):
            throw violation("record \(key.record) is no longer stored", on: device)
        default: break
        }
    }

    private func check(_ sight: Sight.RecordSight) throws(Violation) {
        known.comparisons += 1
        let key = sight.key
        guard sight.fold.schema.collection(id: key.collection) != nil else {
            if sight.after == nil { return }
            throw violation(
                "record \(key.record) is stored, and this version does not know its collection",
                on: sight.device)
        }
        // A record that has more than its latest changes is folded from its beginning.
        let difference: String?
        if let new = sight.new, !known.catalogue.intricate.contains(key) {
            difference = sight.fold.difference(sight.after, from: sight.before, and: new)
        } else {
            let operations = known.catalogue.operations[key]?.count ?? 0
            guard sight.new == nil || turns.isDue(key, operations: operations) else { return }
            difference = sight.fold.difference(sight.fold.record(key), sight.after)
        }
        guard let difference else { return }
        throw violation(
            "record \(key.record) of collection \(key.collection): \(difference)",
            on: sight.device)
    }

    /// Everything that applied batches mention, in collections that the version knows, is stored.
    private func checkNothingMissing(
        shown: Set<RecordKey>, _ device: Int
    ) throws(Violation) {
        let view = known.views[device]
        let schema = known.schemas[view.version]
        var missing: RecordKey?
        for (key, entries) in known.catalogue.operations where !shown.contains(key) {
            guard let collection = schema.collection(id: key.collection),
                entries.contains(where: {
                    view.applied.contains($0.fact) && ReferenceFold.admits($0.operation, collection)
                })
            else { continue }
            missing = min(missing ?? key, key)
        }
        guard let missing else { return }
        throw violation(
            "record \(missing.record) is missing although it was written", on: device)
    }

    /// Every operation here was made by a valid write: none may be refused on arrival.
    private func checkWarnings(_ answer: Sight.Answer) throws(Violation) {
        for case .warning(.quarantined(let id, _)) in answer.events {
            throw violation(
                "batch \(id.description.prefix(8)) was quarantined", on: answer.device)
        }
    }
}
