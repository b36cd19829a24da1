import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A life of a record never ends twice nor begins by itself.
final class NoResurrection: Checker {
    let invariant = Invariant.noResurrection
    let sights: [Sight.Kind] = [.record, .written]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .record(let record): try checkLife(record)
        case .written(let written):
            for number in written.facts { try checkBirth(of: number, written) }
        default: break
        }
    }

    private func checkLife(_ sight: Sight.RecordSight) throws(Violation) {
        guard let before = sight.before, let after = sight.after else { return }
        let (key, device) = (sight.key, sight.device)
        guard after.generation >= before.generation else {
            throw violation(
                "record \(key.record) went back from life \(before.generation)", on: device)
        }
        guard before.generation > 0, !before.isLive, after.isLive else { return }
        let isCaused =
            after.generation > before.generation
            ? beginsLife(key, after, device) : outlivesDelete(key, after, device)
        guard !isCaused else { return }
        throw violation("record \(key.record) lives again and nobody brought it back", on: device)
    }

    /// A restore, or a write, of just this life was applied.
    private func beginsLife(_ key: RecordKey, _ state: RecordState, _ device: Int) -> Bool {
        let (view, generation) = (known.views[device], state.visibleGeneration)
        // The latest are looked at first: it began lately.
        return known.catalogue.operations[key]?.reversed().contains {
            $0.operation.generation == generation && view.applied.contains($0.fact)
        } ?? false
    }

    /// Updates win, and one was applied that nobody who deleted the record had seen.
    private func outlivesDelete(_ key: RecordKey, _ state: RecordState, _ device: Int) -> Bool {
        let view = known.views[device]
        let collection = known.schema(of: device).collection(id: key.collection)
        guard collection?.deletePolicy == .updateWins else { return false }
        // Who forked has seen what the numbers do not say.
        guard known.catalogue.forkedRoots.isEmpty else { return true }
        let all = (known.catalogue.operations[key] ?? []).filter { view.applied.contains($0.fact) }
        let deletes = all.filter {
            $0.operation.generation == state.generation && !$0.statement.isWrite
        }
        return all.contains { write in
            write.statement.isWrite && write.operation.generation < state.generation
                && !deletes.contains { hasSeen($0, write) }
        }
    }

    /// True when a delete was made by somebody who had merged a write: one who knew its field.
    private func hasSeen(_ delete: FactOperation, _ write: FactOperation) -> Bool {
        guard delete.fact != write.fact else { return write.index < delete.index }
        let version = known.catalogue.facts[delete.fact].body.attributes.schemaVersion
        let collection = known.schemas.first { $0.version == version }?
            .collection(id: write.operation.collection)
        return known.catalogue.hasSeen(first(delete.fact), write.fact)
            && collection.map { ReferenceFold.admits(write.operation, $0) } ?? true
    }

    /// The batch as it was written at first: one that says it again names more as seen.
    private func first(_ number: Int) -> Int {
        var number = number
        while let old = known.catalogue.facts[number].restated,
            let before = known.catalogue.facts(at: old.root, old.seq).first
        {
            number = before
        }
        return number
    }

    /// A write that begins a life was made by somebody who had seen the end of the one before.
    private func checkBirth(of number: Int, _ written: Sight.Written) throws(Violation) {
        var seen: [RecordKey: UInt32] = [:]
        for operation in known.catalogue.facts[number].body.operations {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            let old = written.before[key]
            let life = seen[key] ?? old?.visibleGeneration ?? old?.generation ?? 0
            guard operation.generation <= life + 1 else {
                throw violation(
                    "record \(key.record) went from life \(life) to \(operation.generation)",
                    on: written.device)
            }
            guard operation.generation >= life else {
                throw violation(
                    "record \(key.record) was written in a life that had ended",
                    on: written.device)
            }
            seen[key] = operation.generation
        }
    }
}
