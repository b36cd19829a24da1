import LinnetCRDT
import LinnetReplication
import LinnetWire

/// An entry of a log never changes and never goes; a second content under its name is
/// kept beside it, and told.
final class ImmutableLogs: Checker {
    let invariant = Invariant.immutableLogs
    let sights: [Sight.Kind] = [.record]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .record(let record) = sight else { return }
        if case .log(let log)? = record.after?.content(of: 0) { try checkSources(log, record) }
        guard case .log(let old)? = record.before?.content(of: 0) else { return }
        let name = record.key.record
        guard case .log(let now)? = record.after?.content(of: 0) else {
            throw violation("record \(name) of a log is gone", on: record.device)
        }
        let kept = now.entries.map(\.payload)
        guard old.entries.allSatisfy({ kept.contains($0.payload) }) else {
            throw violation("record \(name) of a log lost a content", on: record.device)
        }
        guard now.isCollision == (kept.count > 1), !kept.isEmpty else {
            throw violation("the collision of record \(name) is not told", on: record.device)
        }
        // An earlier writer may take the first place only from another content.
        if !now.isCollision, now.first?.payload != old.first?.payload {
            throw violation("record \(name) of a log changed", on: record.device)
        }
    }

    /// Every content that shows was written so by somebody.
    private func checkSources(
        _ log: LogEntries, _ sight: Sight.RecordSight
    ) throws(Violation) {
        let written = (known.catalogue.operations[sight.key] ?? []).map(\.operation.payload)
        guard log.entries.contains(where: { !written.contains($0.payload) }) else { return }
        throw violation(
            "record \(sight.key.record) of a log says what nobody wrote", on: sight.device)
    }

    /// A write that must be refused was accepted.
    static func accepted(_ device: Int) -> Violation {
        Violation(
            .immutableLogs, "a change of what never changes was accepted", devices: [device])
    }
}
