import LinnetCRDT
import LinnetReplication
import LinnetWire

/// I9: what a record of a log says never changes and never goes; a second content under its name is
/// kept beside it, and told.
extension Inspector {
    func checkLog(
        _ key: RecordKey, before: RecordState?, after: RecordState?, _ device: Int
    ) throws(Violation) {
        guard case .log(let old)? = before?.content(of: 0) else { return }
        guard case .log(let now)? = after?.content(of: 0) else {
            throw Violation(
                .immutableLogs, "record \(key.record) of a log is gone", devices: [device])
        }
        let kept = now.entries.map(\.payload)
        guard old.entries.allSatisfy({ kept.contains($0.payload) }) else {
            throw Violation(
                .immutableLogs, "record \(key.record) of a log lost a content", devices: [device])
        }
        guard now.isCollision == (kept.count > 1), !kept.isEmpty else {
            throw Violation(
                .immutableLogs, "the collision of record \(key.record) is not told",
                devices: [device])
        }
        // An earlier writer may take the first place only from another content.
        if !now.isCollision, now.first?.payload != old.first?.payload {
            throw Violation(
                .immutableLogs, "record \(key.record) of a log changed", devices: [device])
        }
    }

    /// Every content that shows was written so by somebody.
    func checkLogSources(
        _ key: RecordKey, _ state: RecordState?, _ device: Int
    ) throws(Violation) {
        guard case .log(let log)? = state?.content(of: 0) else { return }
        let written = (catalogue.operations[key] ?? []).map(\.operation.payload)
        guard log.entries.contains(where: { !written.contains($0.payload) }) else { return }
        throw Violation(
            .immutableLogs, "record \(key.record) of a log says what nobody wrote",
            devices: [device])
    }

    /// A write that must be refused was accepted.
    func accepted(_ device: Int) -> Violation {
        Violation(
            .immutableLogs, "a change of what never changes was accepted", devices: [device])
    }
}
