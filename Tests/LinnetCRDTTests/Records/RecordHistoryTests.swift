import LinnetCRDT
import LinnetWire
import Testing

@Suite struct RecordHistoryTests {
    @Test(arguments: 0..<150)
    func `all kinds end alike in every causal order, as the set of ops says`(seed: Int) throws {
        let policies: [DeletePolicy] = [.deleteWins, .updateWins, .deleteWins, .neverDelete]
        let history = try RecordHistory.random(
            seed: seed, policy: policies[seed % 4], steps: 10 + seed % 50)
        for order in 0..<4 {
            let broken = try history.brokenLaws(seed: seed * 10 + order)
            #expect(broken == [])
        }
    }

    @Test(arguments: 0..<150)
    func `authors that name what they cannot have seen tell no replicas apart`(seed: Int) throws {
        let history = try RecordHistory.careless(seed: seed, steps: 10 + seed % 50)
        for order in 0..<6 {
            let broken = try history.brokenLaws(seed: seed * 10 + order)
            #expect(broken == [])
        }
    }

    @Test func `random histories come to every state of a record`() throws {
        var ends: Set<String> = []
        for seed in 0..<60 {
            let policy: DeletePolicy = seed % 2 == 0 ? .updateWins : .deleteWins
            let history = try RecordHistory.random(seed: seed, policy: policy, steps: 60)
            var state = try history.fold([])
            for op in history.ops {
                _ = history.machine.apply(&state, op, policy)
                ends.formUnion(state.traits)
            }
        }
        #expect(ends == ["outlived", "deleted", "restored", "anew", "conflict"])
    }

    @Test(arguments: RecordMachine.broken.map(\.0))
    func `a broken merge rings an alarm`(name: String) throws {
        let (_, law, machine) = try #require(RecordMachine.broken.first { $0.0 == name })
        var rung: Set<RecordLaw> = []
        for seed in 0..<40 {
            let policy: DeletePolicy = seed % 2 == 0 ? .updateWins : .deleteWins
            var history = try RecordHistory.random(seed: seed, policy: policy, steps: 50)
            history.machine = machine
            rung.formUnion(try history.brokenLaws(seed: seed))
        }
        #expect(rung.contains(law))
    }
}

extension RecordState {
    fileprivate var traits: [String] {
        var traits: [String] = []
        if generation.isMultiple(of: 2) { traits.append(isLive ? "outlived" : "deleted") }
        if !restored.isEmpty { traits.append("restored") }
        if contents.keys.contains(where: { $0.beginning > 2 }) { traits.append("anew") }
        if contents.map(\.value).contains(where: \.isConflicting) { traits.append("conflict") }
        return traits
    }
}

extension RecordMachine {
    private static func changed(
        _ change: @escaping @Sendable (RecordState, inout AuthoredOp) -> Bool
    ) -> RecordMachine {
        RecordMachine(apply: { state, op, policy in
            var op = op
            guard change(state, &op) else { return .lost }
            return state.apply(op.operation, stamp: op.stamp, at: op.position, policy: policy)
        })
    }

    /// Bugs of a merge, each with a law that it breaks.
    static let broken: [(String, RecordLaw, RecordMachine)] = [
        (
            "names are forgotten", .fold,
            changed { _, op in
                op.operation.name([]); return true
            }
        ),
        (
            "late edits of a deleted record are dropped", .order,
            changed { state, op in op.operation.generation >= state.generation }
        ),
        (
            "a restore of a live record is dropped", .order,
            changed { state, op in op.operation.kind != 14 || !state.isLive }
        ),
        (
            "a delete forgets what it had seen", .fold,
            changed { _, op in
                if op.operation.kind == 13 { op.operation.payload = [0x80] }
                return true
            }
        ),
        (
            "the last to arrive wins", .order,
            changed { state, op in
                let count = state.contents.count + Int(state.generation)
                op.stamp = Timestamp(wallMilliseconds: Int64(5_000 + count))
                return true
            }
        ),
        (
            "an op counts whenever it comes", .again,
            RecordMachine(apply: { state, op, policy in
                let outcome = state.apply(
                    op.operation, stamp: op.stamp, at: op.position, policy: policy)
                return outcome == .lost ? .won : outcome
            })
        ),
        (
            "deletes have no policy", .fold,
            RecordMachine(apply: { state, op, _ in
                state.apply(op.operation, stamp: op.stamp, at: op.position)
            })
        ),
        (
            "bytes without a restore", .codec,
            RecordMachine(encode: { state in
                state.restored.isEmpty ? state.encoded : state.encoded + [0]
            })
        ),
        (
            "what was merged apart takes the place of the record", .apart,
            RecordMachine(join: { state, apart in
                if apart.generation > 0 { state = apart }
            })
        ),
    ]
}
