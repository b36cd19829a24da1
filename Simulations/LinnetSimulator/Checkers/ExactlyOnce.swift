import LinnetReplication
import LinnetWire

/// I6: no batch is applied twice, and no intent is carried out twice.
extension Inspector {
    func checkExactlyOnce(
        _ applied: [Int], _ events: [Event], _ device: Int
    ) throws(Violation) {
        let isFresh = views[device].isFresh
        // A call that had nothing to do, like a repeated intent, says nothing yet.
        if !events.isEmpty { views[device].isFresh = false }
        guard !isFresh else { return }
        var said = 0
        for case .batchApplied in events { said += 1 }
        guard said != applied.count else { return }
        throw Violation(
            .exactlyOnce, "\(said) batches were announced and \(applied.count) show",
            devices: [device])
    }

    /// After a commit with an intent: one commit carries it, however often it was tried.
    func checkIntent(_ intent: [UInt8], _ receipt: CommitReceipt, _ device: Int) throws(Violation) {
        let isNew = triedIntents.insert(intent).inserted
        if receipt.repeated, isNew {
            throw Violation(
                .exactlyOnce, "a new intent was answered as if it had been carried out",
                devices: [device])
        }
        guard !views[device].wentBack else { return }
        let alive = catalogue.commits(ofIntent: intent).filter { commit in
            catalogue.parts(of: commit).contains { !catalogue.facts[$0].isLost }
        }
        guard alive.count > 1 || receipt.repeated && alive.contains(where: { $0 != receipt.commit })
        else { return }
        throw Violation(
            .exactlyOnce, "one intent was carried out by \(alive.count) commits",
            devices: [device])
    }
}
