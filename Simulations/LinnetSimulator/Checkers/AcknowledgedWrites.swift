import LinnetReplication
import LinnetStorage
import LinnetWire

/// A batch that was acknowledged as durable is never lost while any holder survives, and none is
/// told to others before it is durable.
final class AcknowledgedWrites: Checker {
    let invariant = Invariant.acknowledgedWritesSurvive
    let sights: [Sight.Kind] = [.stored, .renewed]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .stored(let stored):
            if stored.isNew { try checkDurability(of: stored.number, stored.device) }
            if stored.isRecent { try noteUnsynced(stored) }
        case .renewed(let device, let before, _): try checkLosses(device, before: before)
        default: break
        }
    }

    /// A batch on another device was durable on its author's: nothing is said before.
    private func checkDurability(of number: Int, _ device: Int) throws(Violation) {
        for (author, view) in known.views.enumerated()
        where author != device && view.promised.relaxed.contains(number) && !view.past.lostPower
            && !view.past.wentBack
        {
            throw violation(
                "batch \(known.describe(number)) was sent before it was durable",
                on: author, device)
        }
    }

    /// The replica must not count on batches that the store may still lose.
    private func noteUnsynced(_ stored: Sight.Storing) throws(Violation) {
        guard stored.isUnflushed else { return }
        known.views[stored.device].promised.unsynced.append(stored.number)
        guard !stored.isCountedRelaxed else { return }
        throw violation(
            "batch \(known.describe(stored.number)) counts as durable before it is synced",
            on: stored.device)
    }

    /// After a restart or a rename: whatever was there is there, unless the disk went back in time.
    private func checkLosses(_ device: Int, before: DeviceView) throws(Violation) {
        let view = known.views[device]
        let lost = before.held.subtracting(view.held)
        let allowed = before.past.mayHaveLost || view.past.hasRotted
        for number in lost where !allowed {
            let isRelaxed =
                before.promised.relaxed.contains(number)
                || before.promised.unsynced.contains(number)
            guard !before.past.lostPower || !isRelaxed else { continue }
            throw violation(
                "batch \(known.describe(number)) is gone from a device that held it", on: device)
        }
        for number in lost where !known.views.contains(where: { $0.held.contains(number) }) {
            known.catalogue.markLost(number)
        }
        view.promised.relaxed.removeAll { lost.contains($0) }
        view.promised.unsynced.removeAll { lost.contains($0) }
    }

    /// Everything acknowledged that had a surviving holder shows everywhere.
    func finish() throws(Violation) {
        let doomed = known.catalogue.doomed()
        for view in known.views {
            for number in view.promised.durable where !doomed.contains(number) {
                for (device, other) in known.views.enumerated()
                where !other.applied.contains(number) {
                    throw violation(
                        "acknowledged batch \(known.describe(number)) does not show on a device",
                        on: device)
                }
            }
        }
    }
}
