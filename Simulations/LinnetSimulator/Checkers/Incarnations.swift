import LinnetReplication
import LinnetWire

/// I10, at a start: a home in doubt about its past becomes another author, and no other home does.
extension Inspector {
    /// What the shell found outside the database.
    struct Doubts {
        /// The witness is missing or names another place.
        var mustRotate: Bool
        /// How many batches the witness says were written.
        var count: UInt64
    }

    func checkIncarnation(
        _ device: Int, now: Incarnation?, doubts: Doubts
    ) throws(Violation) {
        let view = views[device]
        guard let now, let before = view.incarnation else { return }
        let mayRotate = doubts.mustRotate || view.wentBack || view.lostPower || view.hasRotted
        if doubts.mustRotate, now == before {
            throw Violation(
                .uniqueAuthors, "a home in doubt goes on under its old author", devices: [device])
        }
        if now != before, !mayRotate {
            throw Violation(
                .uniqueAuthors, "a home became another author without a cause", devices: [device])
        }
    }

    /// A device restored under a newer witness must not go on as the author it was.
    func checkRestored(_ device: Int, lostOwn: Bool, before: Incarnation?, now: Incarnation?)
        throws(Violation)
    {
        guard lostOwn, let before, before == now else { return }
        throw Violation(
            .uniqueAuthors, "a restored home goes on under its old author", devices: [device])
    }

    func noteDevice(_ index: Int, _ device: DeviceID?) {
        guard let device, !(indices[device] ?? []).contains(index) else { return }
        indices[device, default: []].append(index)
    }

    /// What is on another device was durable on its author's: nothing is said before.
    func checkDurability(of number: Int, _ device: Int) throws(Violation) {
        for (author, view) in views.enumerated()
        where author != device && view.relaxed.contains(number) && !view.lostPower
            && !view.wentBack
        {
            throw Violation(
                .acknowledgedWritesSurvive,
                "batch \(describe(number)) was sent before it was durable",
                devices: [author, device])
        }
    }

    /// Who says that a peer holds the same is right.
    func checkInStep(_ events: [Event], _ device: Int) throws(Violation) {
        for case .peerInStep(let peer) in events {
            guard let others = indices[peer], others.count == 1, let other = others.first,
                !views[other].wentBack, !views[other].hasRotted, !views[other].lostPower
            else { continue }
            let left = scopesLeft(other)
            let lacks = views[device].held.subtracting(views[other].held).contains {
                !left.contains(catalogue.facts[$0].root.scope)
            }
            guard lacks else { continue }
            throw Violation(
                .contiguousVectors, "a device says that a peer holds what it does not",
                devices: [device, other])
        }
    }
}
