/// What stands of a dose, as a list shows it.
struct DoseSummary: Equatable, Sendable {
    /// What stands.
    var outcome = DoseOutcome.open
    /// How many devices recorded that it was taken.
    var witnesses = 0
    /// What it consisted of; nil where no event says so.
    var content: DoseContent?
}

extension DoseSummary {
    /// What stands of a dose.
    init(_ dose: Dose) {
        self.init(outcome: dose.outcome, witnesses: dose.witnesses, content: dose.content)
    }
}
