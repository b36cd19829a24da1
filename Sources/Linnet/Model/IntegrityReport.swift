import LinnetSystem

/// The outcome of a look at a device's program and its surroundings.
///
/// It tells a person of mistakes and of clumsy attackers. Whoever controls the machine can hide
/// from it.
public struct IntegrityReport: Equatable, Sendable {
    /// The policy that counts on this device.
    public let policy: IntegrityPolicy
    /// The policy that was chosen on this device; nil where the group's counts.
    public let own: IntegrityPolicy?
    /// The policy that the group had when this device last knew; nil when it has none.
    public let group: IntegrityPolicy?
    /// One finding for each thing that was looked at, the good ones too.
    public let findings: [IntegrityFinding]

    /// The findings that say that something is wrong.
    public var found: [IntegrityFinding] { findings.filter { $0.state == .found } }

    init(_ record: IntegrityRecord, _ findings: [IntegrityFinding]) {
        (policy, own, group) = (record.policy, record.own, record.group)
        self.findings = findings
    }
}
