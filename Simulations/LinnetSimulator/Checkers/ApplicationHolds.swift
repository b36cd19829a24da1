/// An invariant that the application declared.
final class ApplicationHolds: Checker {
    let invariant = Invariant.application
    let sights: [Sight.Kind] = [.whole]
    private let known: Knowledge
    private let complaint: (SimulatedReplica) -> String?

    init(_ known: Knowledge, _ complaint: @escaping (SimulatedReplica) -> String?) {
        self.known = known
        self.complaint = complaint
    }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .whole(let whole) = sight,
            let complaint = complaint(SimulatedReplica(known, whole.device))
        else { return }
        throw violation(complaint, on: whole.device)
    }
}
