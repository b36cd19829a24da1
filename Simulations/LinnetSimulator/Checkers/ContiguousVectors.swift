import LinnetReplication
import LinnetStorage
import LinnetWire

/// A vector is the set of stored batches, without holes, and each batch continues the one before
/// it.
final class ContiguousVectors: Checker {
    let invariant = Invariant.contiguousVectors
    let sights: [Sight.Kind] = [.stored, .stepped, .chain, .records, .hole]
    private let known: Knowledge
    /// The batches that the call which is looked at stored, in no order of its own.
    private var recent: [Int] = []

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .stored(let stored): try check(stored)
        case .stepped(let step):
            let all = recent
            guard !all.isEmpty else { return }
            recent.removeAll(keepingCapacity: true)
            for number in all { try checkPredecessor(of: number, step.device) }
        case .hole(let device, let seq):
            throw violation(
                "batch \(seq) of a chain that reaches it is not stored", on: device)
        case .chain(let row, let batches): try check(row, batches)
        case .records(let device, _): try checkCounts(device)
        default: break
        }
    }

    private func check(_ stored: Sight.Storing) throws(Violation) {
        if stored.isRecent { recent.append(stored.number) }
        guard stored.isFirst, known.catalogue.facts[stored.number].prev != BatchID.zero else {
            return
        }
        throw violation("a chain begins with a batch that has a predecessor", on: stored.device)
    }

    /// The batch that a batch continues is there, on a branch the end of its trunk.
    private func checkPredecessor(of number: Int, _ device: Int) throws(Violation) {
        let (catalogue, held) = (known.catalogue, known.views[device].held)
        let fact = catalogue.facts[number]
        guard held.isComplete, fact.prev != BatchID.zero,
            catalogue.number(fact.prev).map({ !held.contains($0) }) ?? true
        else { return }
        throw violation(
            "batch \(known.describe(number)) is stored before the one that it continues",
            on: device)
    }

    /// As many batches are held and applied as the vector says.
    private func checkCounts(_ device: Int) throws(Violation) {
        let view = known.views[device]
        guard view.held.isComplete else { return }
        var (held, applied) = (0, 0)
        for row in view.rows {
            let begin = row.floor > 0 ? 1 : row.first
            held += Int(row.stored + 1 - begin)
            applied += Int(row.applied + 1 - begin)
        }
        guard held != view.held.count || applied != view.applied.count else { return }
        throw violation(
            "a vector says that \(held) batches are stored and \(applied) show; it should be "
                + "\(view.held.count) and \(view.applied.count)", on: device)
    }

    private func check(_ row: ChainRow, _ stored: [BatchRow]) throws(Violation) {
        guard row.applied <= row.stored, row.applied + 1 >= row.first else {
            throw violation("more of a chain shows than is stored")
        }
        guard row.stored >= row.first else { return }
        guard stored.count == Int(row.stored - row.first + 1) else {
            throw violation(
                "a vector names \(row.stored - row.first + 1) batches; \(stored.count) are stored")
        }
        for (before, after) in zip(stored, stored.dropFirst()) where after.prev != before.id {
            throw violation("batch \(after.seq) does not continue the one before it")
        }
        guard stored.last?.id == row.head else {
            throw violation("the head of a chain is not its last batch")
        }
        guard row.parent != nil, let first = stored.first?.id else { return }
        let name = ChainNames.branch(of: ChainNames.root(row), seq: row.first, first: first)
        guard row.chain == name else { throw violation("a branch has the name of another one") }
    }
}

/// A device that says that a peer holds the same is right.
final class PeersInStep: Checker {
    let invariant = Invariant.contiguousVectors
    let sights: [Sight.Kind] = [.stepped]
    private let known: Knowledge
    /// By device and peer: when the last session with it opened.
    private var opened: [Int: [DeviceID: Int64]] = [:]

    /// A peer lists in a session all that it stored so long before the session opened: no link
    /// lasts so long before its devices greet each other.
    private static let greetingMilliseconds: Int64 = 600_000

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .stepped(let step) = sight else { return }
        for event in step.events {
            switch event {
            case .sessionOpened(_, let peer, _): opened[step.device, default: [:]][peer] = known.now
            case .peerInStep(let peer):
                guard let others = known.indices[peer], others.count == 1, let other = others.first
                else { continue }
                let view = known.views[other]
                guard !view.past.wentBack, !view.past.hasRotted, !view.past.lostPower
                else { continue }
                try check(step.device, with: other)
                // A greeting makes durable what was relaxed, and lists it no more.
                if let time = opened[step.device]?[peer],
                    max(view.changedAt, view.promised.flushedAt)
                        < time - Self.greetingMilliseconds
                {
                    try checkListed(step.device, by: other)
                }
            default: break
            }
        }
    }

    private func check(_ device: Int, with other: Int) throws(Violation) {
        let left = known.scopesLeft(other)
        let lacks = known.views[device].held.subtracting(known.views[other].held).contains {
            !left.contains(known.catalogue.facts[$0].root.scope)
        }
        guard lacks else { return }
        throw violation("a device says that a peer holds what it does not", on: device, other)
    }

    /// All that the peer listed when it greeted is held, but for what a failed sync kept from the
    /// list.
    private func checkListed(_ device: Int, by other: Int) throws(Violation) {
        let (view, theirs) = (known.views[device], known.views[other])
        guard !view.past.hasRotted, view.held.isComplete else { return }
        let left = known.scopesLeft(device)
        let lacking = theirs.held.subtracting(view.held).first {
            !left.contains(known.catalogue.facts[$0].root.scope)
                && !theirs.promised.unlisted.contains($0)
                && !theirs.promised.unsynced.contains($0)
        }
        guard let lacking else { return }
        throw violation(
            "a device says that it holds all that a peer listed, and lacks "
                + known.describe(lacking), on: device, other)
    }
}
