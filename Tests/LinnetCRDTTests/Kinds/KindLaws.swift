import LinnetCRDT
import LinnetWire

/// What every kind of field keeps to.
enum KindLaw: CaseIterable, Equatable {
    /// Concurrent ops give one state in every order.
    case order
    /// An op that was applied before changes nothing and says so.
    case again
    /// What a reader sees is what the set of ops says.
    case fold
    /// a merged with b is b merged with a, and the state of the union.
    case mergeUnion
    /// (a merged with b) merged with c is a merged with (b merged with c).
    case mergeGroups
    /// a merged with itself, or with a part of itself, is a.
    case mergeTwice
    /// Contents that share no op join to what one field would hold.
    case join
    /// Bytes read back, and equal states have equal bytes.
    case codec
    /// Changed bytes throw, or are the bytes of what was read.
    case hostile
}

extension KindModel {
    /// The laws that a random history breaks.
    func brokenLaws(seed: Int, careless: Bool) -> [KindLaw] {
        let history = CausalHistory(seed: seed, self, careless: careless)
        var seeded = Seeded(seed + 1_000_000)
        // A careless author breaks causality, so nothing is left but the order of each chain.
        let causal = !careless
        var broken: [KindLaw] = []
        for _ in 0..<4 {
            let parts = (0..<3).map { _ in history.part(&seeded, causal: causal) }
            let states = parts.map {
                state(history.order(of: $0, &seeded, causal: causal))
            }
            let ordered = history.order(of: parts[0], &seeded, causal: causal)
            if state(ordered) != states[0] { broken.append(.order) }
            if !isUnchanged(states[0], by: ordered) { broken.append(.again) }
            if seen(states[0]) != fold(parts[0].map { history.ops[$0] }) { broken.append(.fold) }
            let union = OrderedSet(parts[0] + parts[1]).elements
            let whole = state(history.order(of: union, &seeded, causal: causal))
            broken += brokenMerges(states, union: whole)
            broken += brokenBytes(whole, &seeded)
        }
        if !joins(seed: seed) { broken.append(.join) }
        return KindLaw.allCases.filter(broken.contains)
    }

    private func merged(_ left: State, _ right: State) -> State {
        var result = left
        merge(&result, right)
        return result
    }

    private func isUnchanged(_ state: State, by ops: [Stamped<Op>]) -> Bool {
        var again = state
        let changes = ops.map { apply(&again, $0) }
        return !changes.contains(true) && again == state
    }

    private func brokenMerges(_ states: [State], union: State) -> [KindLaw] {
        let (first, second, third) = (states[0], states[1], states[2])
        var broken: [KindLaw] = []
        let both = merged(first, second)
        if both != merged(second, first) || both != union { broken.append(.mergeUnion) }
        if merged(both, third) != merged(first, merged(second, third)) {
            broken.append(.mergeGroups)
        }
        if merged(both, both) != both || merged(both, first) != both {
            broken.append(.mergeTwice)
        }
        return broken
    }

    private func brokenBytes(_ state: State, _ seeded: inout Seeded) -> [KindLaw] {
        var broken: [KindLaw] = []
        var collected = [Bytes16(repeating: 3), Bytes16(repeating: 200)]
        collectChains(state, &collected)
        let chains = OrderedSet(collected)
        let encoded = bytes(state, chains: chains)
        var reader = CBORReader(encoded, maxItems: encoded.count)
        let decoded = try? decode(&reader, chains.elements)
        if decoded != state || !reader.isAtEnd { broken.append(.codec) }
        for _ in 0..<8 {
            let changed = seeded.mutation(of: encoded)
            var reader = CBORReader(changed, maxItems: changed.count)
            guard let read = try? decode(&reader, chains.elements) else { continue }
            var needed: [AuthorID] = []
            collectChains(read, &needed)
            if !needed.allSatisfy(chains.contains)
                || bytes(read, chains: chains) != Array(changed.prefix(reader.offset))
            {
                broken.append(.hostile)
            }
        }
        return broken
    }

    /// Two generations of a field: the same chains, other batches, no op of one naming the other's.
    private func joins(seed: Int) -> Bool {
        let earlier = CausalHistory(seed: seed, self, careless: false, seqStep: 2).ops
        let later = CausalHistory(
            seed: seed + 1, self, careless: false, seqStep: 2, seqStart: 2
        ).ops
        var joined = state(earlier)
        join(&joined, state(later))
        let inChainOrder = (earlier + later).sorted { $0.position < $1.position }
        return joined == state(inChainOrder)
    }
}
