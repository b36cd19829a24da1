import LinnetReplication
import LinnetWire

/// No batch is applied twice, and no intent is carried out twice.
final class ExactlyOnce: Checker {
    let invariant = Invariant.exactlyOnce
    let sights: [Sight.Kind] = [.announced, .tried, .appliedAgain]
    private let known: Knowledge
    /// The intents that any device has tried.
    private var triedIntents: Set<[UInt8]> = []

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .announced(let device, let applied, let events):
            try checkAnnounced(applied, events, device)
        case .tried(let device, let intent, let receipt):
            let isNew = triedIntents.insert(intent).inserted
            if let receipt { try check(intent, receipt, isNew: isNew, device) }
        case .appliedAgain(let device, let number):
            throw violation("batch \(known.describe(number)) was applied twice", on: device)
        default: break
        }
    }

    private func checkAnnounced(
        _ applied: [Int], _ events: [Event], _ device: Int
    ) throws(Violation) {
        let isFresh = known.views[device].past.isFresh
        // A call that had nothing to do, like a repeated intent, says nothing yet.
        if !events.isEmpty { known.views[device].past.isFresh = false }
        guard !isFresh else { return }
        var said = 0
        for case .batchApplied in events { said += 1 }
        // A batch that comes after what says it again has all that shows made anew, and announced.
        let isAnew =
            known.catalogue.hasRestatements
            && said >= known.views[device].applied.count + applied.count
        guard said != applied.count, !isAnew else { return }
        throw violation(
            "\(said) batches were announced and \(applied.count) show", on: device)
    }

    /// After a commit with an intent: one commit carries it, however often it was tried.
    private func check(
        _ intent: [UInt8], _ receipt: CommitReceipt, isNew: Bool, _ device: Int
    ) throws(Violation) {
        if receipt.repeated, isNew {
            throw violation(
                "a new intent was answered as if it had been carried out", on: device)
        }
        guard !known.views[device].past.wentBack else { return }
        let alive = known.catalogue.commits(ofIntent: intent).filter { commit in
            known.catalogue.parts(of: commit).contains { !known.catalogue.facts[$0].isLost }
        }
        let carriedOut = Set(alive.map(first))
        guard
            carriedOut.count > 1
                || receipt.repeated && carriedOut.contains(where: { $0 != first(receipt.commit) })
        else { return }
        throw violation(
            "one intent was carried out by \(carriedOut.count) commits", on: device)
    }

    /// Returns the commit that one says again, after a loss or two; itself when it says none.
    private func first(_ commit: CommitID) -> CommitID {
        var commit = commit
        while let said = said(by: commit) { commit = said }
        return commit
    }

    private func said(by commit: CommitID) -> CommitID? {
        for part in known.catalogue.parts(of: commit) {
            guard let old = known.catalogue.facts[part].restated else { continue }
            for fact in known.catalogue.facts(at: old.root, old.seq) {
                let named = known.catalogue.facts[fact].commit
                if named != commit { return named }
            }
        }
        return nil
    }
}
