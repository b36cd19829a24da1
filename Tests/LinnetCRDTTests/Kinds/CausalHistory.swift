import LinnetCRDT
import LinnetWire

/// An op with its dot.
struct Stamped<Op> {
    let op: Op
    let stamp: Timestamp
    let position: Position
}

/// A kind of field as its laws see it: what it does, and what it ought to show.
struct KindModel<Op, State: Equatable, Seen: Equatable> {
    var empty: State
    /// Makes an op from what a replica has, perhaps naming ops it should not know.
    var write: (State, [Position], inout Seeded) -> Op
    var apply: (inout State, Stamped<Op>) -> Bool
    var merge: (inout State, State) -> Void
    var join: (inout State, State) -> Void
    var seen: (State) -> Seen
    /// What a reader ought to see after a set of ops, in no order.
    var fold: ([Stamped<Op>]) -> Seen
    var collectChains: (State, inout [AuthorID]) -> Void
    var encode: (State, inout CBORWriter, OrderedSet<AuthorID>) -> Void
    var decode: (inout CBORReader, [AuthorID]) throws(WireError) -> State

    func state(_ ops: [Stamped<Op>]) -> State {
        var state = empty
        for op in ops { _ = apply(&state, op) }
        return state
    }

    func bytes(_ state: State, chains: OrderedSet<AuthorID>) -> [UInt8] {
        var writer = CBORWriter()
        encode(state, &writer, chains)
        return writer.bytes
    }
}

/// What a few replicas wrote and told each other, in the order in which it happened.
struct CausalHistory<Op> {
    private(set) var ops: [Stamped<Op>] = []
    /// The ops that the author of each op had seen.
    private var pasts: [[Bool]] = []

    /// Plays 2 to 5 replicas. Clocks are arbitrary, ties among them; an author that is `careless`
    /// sometimes names ops that it has not seen, or that nobody ever wrote.
    init<State, Seen>(
        seed: Int, _ model: KindModel<Op, State, Seen>, careless: Bool, seqStep: Int = 1,
        seqStart: Int = 1
    ) {
        var seeded = Seeded(seed)
        let replicas = 2 + seeded.below(4)
        var states = [State](repeating: model.empty, count: replicas)
        var seen = [[Bool]](repeating: [], count: replicas)
        var places = [(seq: Int, index: Int)](repeating: (seqStart, 0), count: replicas)
        for _ in 0..<(8 + seeded.below(32)) {
            let replica = seeded.below(replicas)
            if seeded.below(3) == 0 {
                let other = seeded.below(replicas)
                let known = ops.indices.filter { seen[other].at($0) && !seen[replica].at($0) }
                for index in known.prefix(seeded.below(known.count + 1)) {
                    _ = model.apply(&states[replica], ops[index])
                    seen[replica].mark(index)
                }
                continue
            }
            let strangers =
                careless && seeded.below(4) == 0
                ? [CausalHistory.anyPosition(&seeded), CausalHistory.anyPosition(&seeded)] : []
            let place = places[replica]
            let op = Stamped(
                op: model.write(states[replica], strangers, &seeded),
                stamp: Timestamp(rawValue: Int64(seeded.below(6))) ?? .zero,
                position: CausalHistory.position(replica, place.seq, place.index))
            places[replica] =
                seeded.below(3) == 0
                ? (place.seq, place.index + 1) : (place.seq + seqStep, 0)
            pasts.append(seen[replica])
            seen[replica].mark(ops.count)
            ops.append(op)
            _ = model.apply(&states[replica], op)
        }
    }

    static func position(_ replica: Int, _ seq: Int, _ index: Int) -> Position {
        Position(
            chain: Bytes16(repeating: UInt8(replica + 1)), seq: UInt64(seq),
            index: UInt32(index))
    }

    static func anyPosition(_ seeded: inout Seeded) -> Position {
        position(seeded.below(5), 1 + seeded.below(8), seeded.below(3))
    }

    /// Ops together with all that they depend on: causally, or within their chains alone.
    func part(_ seeded: inout Seeded, causal: Bool) -> [Int] {
        var chosen: [Bool] = []
        for _ in 0..<seeded.below(4) {
            let index = seeded.below(ops.count)
            for other in ops.indices.prefix(index + 1) where depends(index, on: other, causal) {
                chosen.mark(other)
            }
        }
        return ops.indices.filter { chosen.at($0) }
    }

    /// The ops in any order that puts none before one that it depends on.
    func order(of indices: [Int], _ seeded: inout Seeded, causal: Bool) -> [Stamped<Op>] {
        var (waiting, ordered) = (indices, [Stamped<Op>]())
        while !waiting.isEmpty {
            let free = waiting.filter { index in
                waiting.allSatisfy { $0 >= index || !depends(index, on: $0, causal) }
            }
            let next = free[seeded.below(free.count)]
            ordered.append(ops[next])
            waiting.removeAll { $0 == next }
        }
        return ordered
    }

    private func depends(_ index: Int, on other: Int, _ causal: Bool) -> Bool {
        if index == other { return true }
        if causal { return pasts[index].at(other) }
        return other < index && ops[index].position.chain == ops[other].position.chain
    }
}

extension [Bool] {
    fileprivate func at(_ index: Int) -> Bool {
        index < count && self[index]
    }

    fileprivate mutating func mark(_ index: Int) {
        while count <= index { append(false) }
        self[index] = true
    }
}
