import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I17: no clock refuses a local write, and an overwrite is stamped above what it replaces.
extension Inspector {
    func checkStamps(
        of number: Int, author before: (RecordKey) -> RecordState?, _ device: Int
    ) throws(Violation) {
        let fact = catalogue.facts[number]
        for operation in fact.body.operations where operation.field > 0 {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            guard let old = before(key)?.fields[operation.field],
                old.generation == operation.generation, old.stamp < .ceiling
            else { continue }
            let stamp = fact.body.stamp(of: operation)
            guard stamp <= old.stamp else { continue }
            throw Violation(
                .clocksNeverRefuse,
                "field \(operation.field) of \(key.record) was overwritten with an older stamp",
                devices: [device])
        }
    }

    func refused(_ error: ReplicaError, _ device: Int) -> Violation {
        Violation(
            .clocksNeverRefuse, "a good write was refused: \(error)", devices: [device])
    }
}
