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
            guard let old = overwritten(operation, before(key)), old < .ceiling else { continue }
            let stamp = fact.body.stamp(of: operation)
            guard stamp <= old else { continue }
            throw Violation(
                .clocksNeverRefuse,
                "field \(operation.field) of \(key.record) was overwritten with an older stamp",
                devices: [device])
        }
    }

    /// The stamp of what an operation replaces.
    private func overwritten(_ operation: Operation, _ before: RecordState?) -> Timestamp? {
        switch before?.content(of: operation.field) {
        case .register(let old)? where old.generation == operation.generation: old.stamp
        case .tally(let tally)?
        where operation.kind == OperationKind.tallyBase.rawValue
            && before?.visibleGeneration == operation.generation:
            tally.base?.stamp
        default: nil
        }
    }

    /// A replica's clock never falls, and nobody else's pulls it far ahead of the device's own.
    func checkClock(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let (before, now) = (views[device].clock, replica.clockLast)
        views[device].clock = now
        guard before != .zero else { return }
        if now < before {
            throw Violation(
                .clocksNeverRefuse, "the clock of a replica went back", devices: [device])
        }
        let ahead = wallMilliseconds + Limits.clockClampMilliseconds
        if now > max(before.next, Timestamp(wallMilliseconds: ahead).advanced(by: 1) ?? .ceiling) {
            throw Violation(
                .clocksNeverRefuse, "the clock of a replica was pulled far ahead",
                devices: [device])
        }
    }

    /// Nor does it fall across a restart.
    func checkClock(_ device: Int, before: DeviceView) throws(Violation) {
        guard !before.mayHaveLost, !before.lostPower, views[device].clock < before.clock else {
            return
        }
        throw Violation(
            .clocksNeverRefuse, "the clock of a replica went back at a start", devices: [device])
    }

    func refused(_ error: ReplicaError, _ device: Int) -> Violation {
        Violation(
            .clocksNeverRefuse, "a good write was refused: \(error)", devices: [device])
    }
}
