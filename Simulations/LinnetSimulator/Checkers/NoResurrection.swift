import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I8: a life of a record never ends twice nor begins by itself.
extension Inspector {
    func checkLife(
        _ key: RecordKey, before: RecordState?, after: RecordState?, _ device: Int
    ) throws(Violation) {
        guard let before, let after else { return }
        guard after.generation >= before.generation else {
            throw Violation(
                .noResurrection, "record \(key.record) went back from life \(before.generation)",
                devices: [device])
        }
        guard before.generation > 0, !before.isLive, after.isLive else { return }
        let isCaused =
            after.generation > before.generation
            ? beginsLife(key, after, device) : outlivesDelete(key, after, device)
        guard !isCaused else { return }
        throw Violation(
            .noResurrection, "record \(key.record) lives again and nobody brought it back",
            devices: [device])
    }

    /// A restore, or a write, of just this life was applied.
    private func beginsLife(_ key: RecordKey, _ state: RecordState, _ device: Int) -> Bool {
        (catalogue.operations[key] ?? []).contains {
            views[device].applied.contains($0.fact)
                && $0.operation.generation == state.visibleGeneration
        }
    }

    /// Updates win, and one was applied that nobody who deleted the record had seen.
    private func outlivesDelete(_ key: RecordKey, _ state: RecordState, _ device: Int) -> Bool {
        let schema = schemas[views[device].version]
        guard schema.collection(id: key.collection)?.deletePolicy == .updateWins else {
            return false
        }
        // Who forked has seen what the numbers do not say.
        guard catalogue.forkedRoots.isEmpty else { return true }
        let all = (catalogue.operations[key] ?? []).filter {
            views[device].applied.contains($0.fact)
        }
        let deletes = all.filter {
            $0.operation.generation == state.generation && !$0.statement.isWrite
        }
        return all.contains { write in
            write.statement.isWrite && write.operation.generation < state.generation
                && !deletes.contains { hasSeen($0, write) }
        }
    }

    /// Whether a delete was made by somebody who had merged a write: one who knew its field.
    private func hasSeen(_ delete: FactOperation, _ write: FactOperation) -> Bool {
        guard delete.fact != write.fact else { return write.index < delete.index }
        let version = catalogue.facts[delete.fact].body.attributes.schemaVersion
        let collection = schemas.first { $0.version == version }?
            .collection(id: write.operation.collection)
        return catalogue.hasSeen(delete.fact, write.fact)
            && collection.map { ReferenceFold.admits(write.operation, $0) } ?? true
    }

    /// A write that begins a life was made by somebody who had seen the end of the one before.
    func checkBirth(
        of number: Int, author before: (RecordKey) -> RecordState?, _ device: Int
    ) throws(Violation) {
        var seen: [RecordKey: UInt32] = [:]
        for operation in catalogue.facts[number].body.operations {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            let old = before(key)
            let known = seen[key] ?? old?.visibleGeneration ?? old?.generation ?? 0
            guard operation.generation <= known + 1 else {
                throw Violation(
                    .noResurrection,
                    "record \(key.record) went from life \(known) to \(operation.generation)",
                    devices: [device])
            }
            guard operation.generation >= known else {
                throw Violation(
                    .noResurrection, "record \(key.record) was written in a life that had ended",
                    devices: [device])
            }
            seen[key] = operation.generation
        }
    }
}
