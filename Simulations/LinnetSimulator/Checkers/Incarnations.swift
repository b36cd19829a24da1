import LinnetReplication
import LinnetWire

/// A home in doubt about its past becomes another author at its start, and no other home does; one
/// that sees batches of its own life that it lacks does before it writes again.
final class Incarnations: Checker {
    let invariant = Invariant.uniqueAuthors
    let sights: [Sight.Kind] = [.started, .restored, .learnt, .stored, .written]
    private let known: Knowledge
    /// The batch that was seen for the first time just now.
    private var newest: Int?
    /// By device: the author as which it wrote last, and whether others showed it more of that one.
    private var authors: [Int: (name: AuthorID, isAhead: Bool)] = [:]

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
        case .learnt(let number, _): newest = number
        case .stored(let storing): noteAhead(storing)
        case .written(let written): try check(written)
        default: break
        }
    }

    /// Notes that a home that went back gets what it wrote itself from somebody else.
    private func noteAhead(_ storing: Sight.Storing) {
        let past = known.views[storing.device].past
        guard storing.isNew, storing.isRecent, storing.number != newest, past.wentBack,
            !past.hasRotted, !past.hasRottenRows, !past.mayLackRows,
            let author = authors[storing.device]
        else { return }
        let root = known.catalogue.facts[storing.number].root
        // Batches that come back with a scope that was left are nothing that it lost.
        guard root.chain == author.name, !known.everLeft.contains(root.scope) else { return }
        authors[storing.device]?.isAhead = true
    }

    private func check(_ written: Sight.Written) throws(Violation) {
        for number in written.facts {
            let name = known.catalogue.facts[number].root.chain
            if let author = authors[written.device], author.isAhead, author.name == name {
                throw violation(
                    "a home writes on as an author of which others showed it more than it had",
                    on: written.device)
            }
            authors[written.device] = (name, false)
        }
    }

    private func check(_ start: Sight.Start) throws(Violation) {
        let view = known.views[start.device]
        // The batches that others showed may be gone again, with all that came of them.
        if view.past.mayHaveLost || view.past.lostPower {
            authors[start.device]?.isAhead = false
        }
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
