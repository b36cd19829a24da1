import LinnetReplication
import LinnetWire

/// I1: equal vectors, equal states; by fingerprints at each step, by digests at each full check.
extension Inspector {
    /// Replicas that go the same way come by the same numbers of batches: every eighth is looked at.
    private static let everyCount = 8

    func checkEqualStates(_ device: Int, always: Bool = false) throws(Violation) {
        guard always || views[device].applied.count.isMultiple(of: Self.everyCount) else { return }
        let stateMark = views[device].statePrint.value(of: views[device].records)
        let view = views[device]
        let key = StateKey(
            version: view.version, applied: view.appliedPrint, count: view.applied.count)
        guard let known = states[key] else {
            states[key] = (stateMark, device)
            return
        }
        // Branch names depend on which batches are held, and forks show late on some replicas.
        guard known.print != stateMark, catalogue.forkedRoots.isEmpty else { return }
        throw Violation(
            .equalVectorsEqualStates,
            "two replicas that applied the same \(view.applied.count) batches differ",
            devices: [known.device, device])
    }

    func checkDigest(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        guard replica.isMember, let digest = try? replica.digest() else { return }
        let view = views[device]
        // What is held decides the names of branches, and so the ties.
        var held = TraceHash()
        held.add(view.appliedPrint)
        if !catalogue.forkedRoots.isEmpty {
            for entry in replica.vectorEntries() {
                held.add(entry.chain.array)
                held.add(entry.seq)
            }
        }
        let key = StateKey(version: view.version, applied: held.value, count: view.applied.count)
        guard let known = digests[key] else {
            digests[key] = (digest, device)
            return
        }
        guard known.digest != digest else { return }
        throw Violation(
            .equalVectorsEqualStates, "two replicas with equal vectors have different digests",
            devices: [known.device, device])
    }
}
