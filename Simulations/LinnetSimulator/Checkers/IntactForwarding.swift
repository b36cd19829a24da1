import LinnetReplication
import LinnetStorage
import LinnetWire

/// A replica forwards batches as their author signed them.
final class IntactForwarding: Checker {
    let invariant = Invariant.intactForwarding
    let sights: [Sight.Kind] = [.sealed]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .sealed(let device, let number, let print) = sight,
            !known.views[device].past.hasRotted, print != known.catalogue.facts[number].sealed
        else { return }
        throw violation(
            "batch \(known.describe(number)) is not stored as it was signed", on: device)
    }
}
