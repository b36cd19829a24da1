/// The part of a dose that a list shows.
struct DoseSummary: Equatable, Sendable {
    /// The outcome that stands.
    var outcome = DoseOutcome.open
    /// The number of devices that recorded that it was taken.
    var witnesses = 0
    /// The content of the dose; nil where no event says so.
    var content: DoseContent?
}

extension DoseSummary {
    /// Takes from a dose what a list shows.
    init(_ dose: Dose) {
        self.init(outcome: dose.outcome, witnesses: dose.witnesses, content: dose.content)
    }
}
