import LinnetReplication
import LinnetWire

/// Replicas of one version that applied the same batches show the same bytes: by fingerprints as
/// they go, by digests at each look at everything.
final class EqualStates: Checker {
    let invariant = Invariant.equalVectorsEqualStates
    let sights: [Sight.Kind] = [.compared, .whole]
    private let known: Knowledge
    /// By version and applied batches, with the device that showed them first.
    private var states: [Key: (print: UInt64, device: Int)] = [:]
    private var digests: [Key: (digest: Bytes32, device: Int)] = [:]

    private struct Key: Hashable {
        var version: Int
        var applied: UInt64
        var count: Int
    }

    init(_ known: Knowledge) { self.known = known }

    /// Replicas that go the same way come by the same numbers of batches: one in so many is looked
    /// at, and of those after the first ones fewer.
    private static let everyCount = 64
    private static let everyLaterCount = 256
    private static let firstCounts = 1_024

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .compared(let device, let isAll):
            let view = known.views[device]
            let count = view.applied.count
            let every = count <= Self.firstCounts ? Self.everyCount : Self.everyLaterCount
            guard isAll || count.isMultiple(of: every) else { return }
            try compareStates(device, view)
        case .whole(let whole):
            if let digest = whole.digest { try compare(digest, whole) }
        default: break
        }
    }

    private func compareStates(_ device: Int, _ view: DeviceView) throws(Violation) {
        let mark = view.statePrint.value(of: view.records)
        let key = Key(
            version: view.version, applied: view.appliedPrint, count: view.applied.count)
        guard let first = states[key] else {
            states[key] = (mark, device)
            return
        }
        // Branch names depend on which batches are held, and forks show late on some replicas.
        guard first.print != mark, known.catalogue.forkedRoots.isEmpty else { return }
        throw violation(
            "two replicas that applied the same \(view.applied.count) batches differ",
            on: first.device, device)
    }

    private func compare(_ digest: Bytes32, _ whole: Sight.Whole) throws(Violation) {
        let view = known.views[whole.device]
        // What is held decides the names of branches, and so the ties.
        var held = TraceHash()
        held.add(view.appliedPrint)
        if !known.catalogue.forkedRoots.isEmpty {
            for entry in whole.vector {
                held.add(entry.chain.array)
                held.add(entry.seq)
            }
        }
        let key = Key(version: view.version, applied: held.value, count: view.applied.count)
        guard let first = digests[key] else {
            digests[key] = (digest, whole.device)
            return
        }
        guard first.digest != digest else { return }
        throw violation(
            "two replicas with equal vectors have different digests",
            on: first.device, whole.device)
    }
}
