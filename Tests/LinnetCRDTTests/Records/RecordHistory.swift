import LinnetCRDT
import LinnetWire
import Testing

/// What every history of a record keeps to.
enum RecordLaw: CaseIterable {
    /// Every causal order ends in one state.
    case order
    /// Ops that were applied before change nothing and say so.
    case again
    /// The state is what the set of ops says.
    case fold
    /// Equal states have equal bytes, which read back.
    case codec
    /// Single values that are merged apart and joined later change what they would have changed.
    case apart
}

/// The merge, or a broken one.
struct RecordMachine: Sendable {
    typealias Apply =
        @Sendable (inout RecordState, AuthoredOp, DeletePolicy) -> ApplyOutcome

    var apply: Apply = { state, op, policy in
        state.apply(op.operation, stamp: op.stamp, at: op.position, policy: policy)
    }
    var encode: @Sendable (RecordState) -> [UInt8] = { $0.encoded }
    var join: @Sendable (inout RecordState, RecordState) -> Void = { $0.merge(unread: $1) }
}

/// The ops of a record, in the order of their making.
struct RecordHistory {
    let collection: LinnetCRDT.Collection
    var ops: [AuthoredOp]
    /// Whether only the order of each chain is kept, not what authors had received.
    var isCareless = false
    var machine = RecordMachine()

    func fold(_ ops: [AuthoredOp]) throws -> RecordState {
        var state = RecordState(
            collection: collection.id, record: try #require(RecordID("r")))
        for op in ops { _ = machine.apply(&state, op, collection.deletePolicy) }
        return state
    }

    func brokenLaws(seed: Int) throws -> [RecordLaw] {
        var seeded = Seeded(seed)
        var broken: [RecordLaw] = []
        let state = try fold(order(&seeded))
        let ordered = order(&seeded)
        var other = try fold(ordered)
        if other != state { broken.append(.order) }
        let before = other
        let again = ordered.prefix(seeded.below(ordered.count + 1))
        let changes = again.map { machine.apply(&other, $0, collection.deletePolicy) }
        if other != before || changes.contains(.won) { broken.append(.again) }
        let reference = RecordReference(ops, policy: collection.deletePolicy)
        if RecordSight(state) != reference.sight { broken.append(.fold) }
        let bytes = machine.encode(state)
        let decoded = try? RecordState.decode(
            bytes, collection: collection.id, record: state.record)
        if decoded != state || machine.encode(other) != bytes { broken.append(.codec) }
        if try foldApart(order(&seeded), &seeded) != state { broken.append(.apart) }
        return broken
    }

    /// Single values are merged into a state of their own as long as nothing else comes.
    private func foldApart(_ ops: [AuthoredOp], _ seeded: inout Seeded) throws -> RecordState {
        let record = try #require(RecordID("r"))
        let empty = RecordState(collection: collection.id, record: record)
        var (state, apart) = (empty, empty)
        for op in ops {
            let kind = OperationKind(rawValue: op.operation.kind)
            let isSingle = kind == .lwwSet || kind == .orderMove || kind == .groupSet
            if isSingle, collection.deletePolicy != .updateWins, seeded.below(8) > 0 {
                _ = machine.apply(&apart, op, collection.deletePolicy)
            } else {
                machine.join(&state, apart)
                apart = empty
                _ = machine.apply(&state, op, collection.deletePolicy)
            }
        }
        machine.join(&state, apart)
        return state
    }

    /// The ops in an order in which every replica may receive them.
    func order(_ seeded: inout Seeded) -> [AuthoredOp] {
        var waiting = Array(ops.indices)
        var arrived: Set<Int> = []
        var ordered: [AuthoredOp] = []
        while !waiting.isEmpty {
            let ready = waiting.indices.filter { place in
                let op = ops[waiting[place]]
                if !isCareless { return op.past.isSubset(of: arrived) }
                return !waiting[..<place].contains { ops[$0].position.chain == op.position.chain }
            }
            let op = waiting.remove(at: ready[seeded.below(ready.count)])
            arrived.insert(op)
            ordered.append(ops[op])
        }
        return ordered
    }
}

extension RecordHistory {
    /// Changes of all kinds by three devices that meet now and then.
    static func random(seed: Int, policy: DeletePolicy, steps: Int) throws -> RecordHistory {
        var seeded = Seeded(seed)
        var desk = try RecordDesk(RecordDesk.records(policy))
        for _ in 0..<steps {
            let device = seeded.below(3)
            switch seeded.below(8) {
            case 0: desk.send(device, to: seeded.below(3))
            case 1: desk.meet()
            default:
                let change = seeded.change(for: desk.states[device], policy: policy)
                try desk.write(device, change, clock: Int64(900 + seeded.below(200)))
            }
        }
        return RecordHistory(collection: desk.collection, ops: desk.ops)
    }

    /// The same by authors that name ops of any generation, and write in any.
    static func careless(seed: Int, steps: Int) throws -> RecordHistory {
        var history = try random(seed: seed, policy: .deleteWins, steps: steps)
        var seeded = Seeded(seed + 77)
        let places = history.ops.map(\.position)
        for index in history.ops.indices {
            var operation = history.ops[index].operation
            let jump = 2 * UInt32(seeded.below(3))
            let isOdd = !operation.generation.isMultiple(of: 2)
            if seeded.below(2) == 0 { operation.generation = (isOdd ? 1 : 2) + jump }
            if operation.kind == 14, operation.generation < 3 { operation.generation = 3 }
            if seeded.below(2) == 0 {
                let named = OrderedSet((0..<3).map { _ in places[seeded.below(places.count)] })
                operation.name(named.elements)
            }
            history.ops[index].operation = operation
        }
        history.isCareless = true
        return history
    }
}

extension LinnetCRDT.Operation {
    /// Names these ops in place of those that its author had seen.
    mutating func name(_ positions: [Position]) {
        switch OperationKind(rawValue: kind) {
        case .mvSet, .setAdd, .setRemove:
            guard let written = try? ObservedValue(decoding: payload) else { return }
            payload = ObservedValue(value: written.value, observed: positions).payload
        case .tallyEntry:
            guard let entry = try? TallyEntryPayload(decoding: payload) else { return }
            payload =
                TallyEntryPayload(
                    key: entry.key, amount: entry.amount, observed: positions
                ).payload
        default: break
        }
    }
}

extension Seeded {
    mutating func text() -> String { ["a", "b", "c"][below(3)] }

    /// A change that the editor accepts.
    mutating func change(for state: RecordState, policy: DeletePolicy) -> Change {
        let mayDelete = policy != .neverDelete
        if state.restoreGeneration != nil, below(2) == 0 { return .restore }
        switch below(20) {
        case 0 where mayDelete, 1 where mayDelete, 2 where mayDelete: return .delete
        case 3: return .set(FieldWrite(2, members: [(below(2), .null)]))
        case 4, 5, 18: return .set(FieldWrite(3, .text(text())))
        case 6: return .count(field: 4, key: text(), amount: .int(Int64(below(5)) - 2))
        case 7: return .recount(field: 4, .int(Int64(below(40))))
        case 8: return .count(field: 8, key: text(), amount: .int(Int64(below(3))))
        case 9, 10: return .add(field: 5, .text(text()))
        case 11: return .remove(field: 5, .text(text()))
        case 12, 13: return .rewrite(field: 6, text() + text() + text())
        case 14: return .set(FieldWrite(7, .text(text())))
        case 15, 16: return .set(FieldWrite(9, .int(Int64(below(4)))))
        case 17: return .set(FieldWrite(10, below(4) == 0 ? .null : .date(Int64(below(4)))))
        default: return .set(FieldWrite(1, .text(text())))
        }
    }
}
