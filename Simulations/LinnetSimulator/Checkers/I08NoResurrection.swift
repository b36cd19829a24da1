import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I8: a life of a record never ends twice nor begins by itself.
extension Inspector {
    func checkLife(
        _ key: RecordKey, before: RecordState?, after: RecordState?, _ device: Int
    ) throws(Violation) {
        guard let before, let after, after.generation < before.generation else { return }
        throw Violation(
            .noResurrection, "record \(key.record) went back from life \(before.generation)",
            devices: [device])
    }

    /// A write that begins a life was made by somebody who had seen the end of the one before.
    func checkBirth(
        of number: Int, author before: (RecordKey) -> RecordState?, _ device: Int
    ) throws(Violation) {
        var seen: [RecordKey: UInt32] = [:]
        for operation in catalogue.facts[number].body.operations {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            let known = seen[key] ?? before(key)?.generation ?? 0
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
