import LinnetCRDT
import LinnetReplication
import LinnetStorage

/// A change that rows of a device showed, of a batch that its disk lost, shows again once that was
/// said again, and nothing else has changed.
final class LostBatchesReturn: Checker {
    let invariant = Invariant.lossesAreSaidAgain
    let sights: [Sight.Kind] = [.lost, .compared]
    private let known: Knowledge
    /// The records before their devices' disks lost something, until that was said again.
    private var losses: [Int: Loss] = [:]

    private struct Loss {
        var batches: [Int]
        var records: [RecordKey: RecordState]
        var applied: FactSet
    }

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .lost(let device, let batches, let records):
            losses[device] = Loss(
                batches: batches, records: records, applied: known.views[device].applied)
        case .compared(let device, isAll: true): try check(device)
        default: break
        }
    }

    private func check(_ device: Int) throws(Violation) {
        let view = known.views[device]
        guard let loss = losses[device], !view.isDamaged, !view.past.hasRottenRows else { return }
        losses[device] = nil
        // A device that got back what it lost shows what all batches give, which others look at.
        let gone = loss.batches.filter { !view.applied.contains($0) }
        guard !gone.isEmpty else { return }
        var changed = keys(of: view.applied.subtracting(loss.applied), newTo: device)
        if view.past.hasRotted {
            // Rows that were made anew without a changed batch of which peers seemed to have a good
            // copy tell nothing of it.
            for number in loss.applied.subtracting(view.applied)
            where !loss.batches.contains(number) {
                changed.formUnion(known.catalogue.operationsOfFact[number].map(\.key))
            }
        }
        for (key, before) in loss.records.sorted(by: { $0.key < $1.key })
        where !changed.contains(key) {
            guard shows(view.records[key], the: before, device) else {
                throw violation(
                    "record \(key.record) of collection \(key.collection) showed what batches said "
                        + "that the disk lost, and does not any more", on: device)
            }
        }
    }

    /// The records that batches touch which say nothing of the device's own again.
    private func keys(of batches: [Int], newTo device: Int) -> Set<RecordKey> {
        let own = Set(
            known.views[device].rows
                .filter { known.indices[$0.device]?.contains(device) ?? false }
                .map { ChainNames.root($0) })
        var keys: Set<RecordKey> = []
        for number in batches {
            // Batches that others say again may be new here.
            if let said = known.catalogue.facts[number].restated, own.contains(said.root) {
                continue
            }
            for operation in known.catalogue.operationsOfFact[number] { keys.insert(operation.key) }
        }
        return keys
    }

    /// True when a record lives as it did, with the same values for a reader.
    private func shows(
        _ now: RecordState?, the before: RecordState, _ device: Int
    ) -> Bool {
        guard let now else { return !before.isLive }
        guard let collection = known.schema(of: device).collection(id: before.collection) else {
            return true
        }
        return now.isLive == before.isLive && values(now, collection) == values(before, collection)
    }

    private func values(
        _ state: RecordState, _ collection: Collection
    ) -> [UInt32: [Value]] {
        guard state.isLive else { return [:] }
        var values: [UInt32: [Value]] = [:]
        for field in collection.fields {
            guard let shown = state.content(of: field.id)?.values(of: field) else { continue }
            // An empty set or text is none.
            if shown.allSatisfy(Self.isNothing) { continue }
            values[field.id] = shown
        }
        return values
    }

    private static func isNothing(_ value: Value) -> Bool {
        switch value {
        case .null: true
        case .text(let text): text.isEmpty
        case .list(let values): values.isEmpty
        default: false
        }
    }
}
