import LinnetReplication
import LinnetWire

/// A home in doubt about its past becomes another author at its start, and no other home does.
final class Incarnations: Checker {
    let invariant = Invariant.uniqueAuthors
    let sights: [Sight.Kind] = [.started, .restored]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .started(let start): try check(start)
        case .restored(let restored):
            guard restored.lostOwn, let before = restored.before, before == restored.now else {
                return
            }
            throw violation(
                "a restored home goes on under its old author", on: restored.device)
        default: break
        }
    }

    private func check(_ start: Sight.Start) throws(Violation) {
        let view = known.views[start.device]
        guard let now = start.incarnation, let before = view.incarnation else { return }
        let past = view.past
        let mayRotate = start.isDoubted || past.wentBack || past.lostPower || past.hasRotted
        if start.isDoubted, now == before {
            throw violation("a home in doubt goes on under its old author", on: start.device)
        }
        if now != before, !mayRotate {
            throw violation("a home became another author without a cause", on: start.device)
        }
    }
}
