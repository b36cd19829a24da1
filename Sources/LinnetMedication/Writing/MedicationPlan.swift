public import LinnetCRDT

/// The changes that a command comes to: one commit, all or nothing.
public struct MedicationPlan: Equatable, Sendable {
    /// The changes; none when what was asked for is so already.
    package let writes: [Write]
    /// The medication, or the schedule's, that it is about.
    public let medication: RecordID
    /// The dose that it is about.
    public var dose: DoseKey?
    /// The event that it logs; where there is nothing to write, the one that says so already.
    public var event: RecordID?

    /// True when all of it was done before.
    public var isDone: Bool { writes.isEmpty }

    /// Joins the parts.
    package init(
        _ writes: [Write], medication: RecordID, dose: DoseKey? = nil, event: RecordID? = nil
    ) {
        self.writes = writes.filter { !$0.changes.isEmpty }
        self.medication = medication
        self.dose = dose
        self.event = event
    }
}
