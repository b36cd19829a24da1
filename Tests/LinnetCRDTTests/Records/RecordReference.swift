import LinnetCRDT
import LinnetWire

/// A record as far as anybody can tell two of them apart.
struct RecordSight: Equatable {
    enum Content: Equatable {
        case register(FieldState)
        case values([Position])
        case tally(Decimal64, [[UInt8]: [Position]], covered: Set<[UInt8]>)
        case elements([[UInt8]: [Position]])
        case text(String)
        case extreme(Extreme)
        case log([LogEntries.Entry])
        case writes([Position])
    }

    var generation: UInt32
    var restored: [UInt32]
    var isLive: Bool
    var deletion: Deletion?
    var contents: [FieldSlot: Content] = [:]
}

extension RecordSight {
    init(_ state: RecordState) {
        generation = state.generation
        restored = state.restored
        isLive = state.isLive
        deletion = state.deletion
        for (slot, content) in state.contents { contents[slot] = Content(content) }
    }
}

extension RecordSight.Content {
    init(_ content: FieldContent) {
        switch content {
        case .register(let state): self = .register(state)
        case .values(let values): self = .values(values.positions)
        case .tally(let tally):
            let lines = tally.keys
            self = .tally(
                tally.total,
                Dictionary(
                    uniqueKeysWithValues: lines.map { ($0.key, $0.entries.map(\.position)) }),
                covered: Set(lines.filter(\.isCovered).map(\.key)))
        case .elements(let elements):
            self = .elements(
                Dictionary(
                    uniqueKeysWithValues: elements.elements.map {
                        ($0, elements.positions(of: $0))
                    }))
        case .text(let text): self = .text(text.string)
        case .extreme(let extreme): self = .extreme(extreme)
        case .log(let log): self = .log(log.entries)
        case .writes(let writes): self = .writes(writes.lasts)
        }
    }
}

/// The merge as the handbook says it, from the set of all ops at once.
struct RecordReference {
    private let ops: [AuthoredOp]
    private let policy: DeletePolicy

    init(_ ops: [AuthoredOp], policy: DeletePolicy) {
        // By position: nothing may hang on the order of making.
        self.ops = ops.sorted { $0.position < $1.position }
        self.policy = policy
    }

    var sight: RecordSight {
        let generation = ops.map(\.operation.generation).max() ?? 0
        let restored = Set(ops.filter { $0.operation.kind == 14 }.map(\.operation.generation))
        var sight = RecordSight(
            generation: generation, restored: restored.sorted(), isLive: false)
        func beginning(_ generation: UInt32) -> UInt32 {
            restored.contains(generation) ? beginning(generation - 2) : generation
        }
        let onFields = ops.filter { ![13, 14].contains($0.operation.kind) }
        let slots = Dictionary(grouping: onFields) { op in
            FieldSlot(
                field: op.operation.field, beginning: beginning(op.operation.generation))
        }
        for (slot, content) in slots {
            sight.contents[slot] = self.content(
                content, named: onFields.filter { $0.operation.field == slot.field })
        }
        if policy == .updateWins {
            for (start, writes) in Dictionary(
                grouping: onFields, by: { beginning($0.operation.generation) })
            {
                sight.contents[FieldSlot(field: 0, beginning: start)] = .writes(
                    lasts(writes.map(\.position)))
            }
        }
        sight.deletion = deletion(of: generation)
        sight.isLive = !generation.isMultiple(of: 2)
        if let deletion = sight.deletion, policy == .updateWins {
            let start = beginning(generation - 1)
            sight.isLive = onFields.contains { op in
                beginning(op.operation.generation) == start
                    && !deletion.context.covers(op.position)
            }
        }
        return sight
    }

    private func lasts(_ positions: [Position]) -> [Position] {
        Dictionary(grouping: positions, by: \.chain).values.compactMap { $0.max() }.sorted()
    }

    private func deletion(of generation: UInt32) -> Deletion? {
        let deletes = ops.filter {
            $0.operation.kind == 13 && $0.operation.generation == generation
        }
        guard
            let last = deletes.max(by: { ($0.stamp, $0.position) < ($1.stamp, $1.position) })
        else { return nil }
        var context = CausalContext()
        for delete in deletes {
            let seen = try? CausalContext(decoding: delete.operation.payload)
            seen?.lasts.forEach { context.insert($0) }
        }
        return Deletion(stamp: last.stamp, position: last.position, context: context)
    }

    /// Of the numbers or dates the one at the end, from whoever wrote it first.
    private func extreme(_ ops: [AuthoredOp], _ end: Extreme.End) -> RecordSight.Content? {
        func number(_ op: AuthoredOp) -> Int64? {
            switch try? Value.decode(op.operation.payload) {
            case .int(let number)?, .date(let number)?: number
            default: nil
            }
        }
        let first = ops.min { left, right in
            switch (number(left), number(right)) {
            case (let one?, let other?) where one != other:
                end == .largest ? one > other : one < other
            case (_?, nil): true
            case (nil, _?): false
            default: (left.stamp, left.position) < (right.stamp, right.position)
            }
        }
        return first.flatMap {
            Extreme(
                end, payload: $0.operation.payload, stamp: $0.stamp, position: $0.position)
        }.map { .extreme($0) }
    }

    private func content(_ ops: [AuthoredOp], named: [AuthoredOp]) -> RecordSight.Content? {
        guard let first = ops.first else { return nil }
        switch OperationKind(rawValue: first.operation.kind) {
        case .lwwSet, .groupSet, .orderMove, .fileSet:
            let last = ops.max { left, right in
                (left.operation.generation, left.stamp, left.position)
                    < (right.operation.generation, right.stamp, right.position)
            }
            return last.map {
                .register(
                    FieldState(
                        generation: $0.operation.generation, stamp: $0.stamp,
                        position: $0.position, payload: $0.operation.payload))
            }
        case .mvSet:
            let gone = Set(named.flatMap { $0.observed?.observed ?? [] })
            return .values(ops.map(\.position).filter { !gone.contains($0) })
        case .setAdd, .setRemove: return elements(ops, named: named)
        case .tallyEntry, .tallyBase: return tally(ops, named: named)
        case .textInsert, .textDelete: return text(ops)
        case .maxSet: return extreme(ops, .largest)
        case .minSet: return extreme(ops, .smallest)
        case .logInsert: return log(ops)
        default: return nil
        }
    }

    private func elements(_ ops: [AuthoredOp], named: [AuthoredOp]) -> RecordSight.Content {
        var standing: [[UInt8]: [Position]] = [:]
        for op in ops where op.operation.kind == 6 {
            guard let value = op.observed?.value else { continue }
            let isGone = named.contains {
                $0.observed?.value == value && $0.observed?.observed.contains(op.position) == true
            }
            if !isGone { standing[value, default: []].append(op.position) }
        }
        return .elements(standing)
    }

    private func tally(_ ops: [AuthoredOp], named: [AuthoredOp]) -> RecordSight.Content {
        let last = ops.filter { $0.operation.kind == 5 }
            .max { ($0.stamp, $0.position) < ($1.stamp, $1.position) }
        let base = last.flatMap { try? TallyBasePayload(decoding: $0.operation.payload) }
        let entries = Dictionary(grouping: ops.filter { $0.entry != nil }) { op in
            Array((op.entry?.key ?? "").utf8)
        }
        var standing: [[UInt8]: [Position]] = [:]
        var covered: Set<[UInt8]> = []
        var terms = [base?.amount ?? .zero]
        for (key, entries) in entries {
            let left = entries.filter { op in
                !named.contains {
                    $0.entry.map { Array($0.key.utf8) } == key
                        && $0.entry?.observed.contains(op.position) == true
                }
            }
            standing[key] = left.map(\.position)
            let counted = left.filter { $0.entry?.amount != .zero }
                .max { ($0.stamp, $0.position) < ($1.stamp, $1.position) }
            if let base, entries.contains(where: { base.context.covers($0.position) }) {
                covered.insert(key)
            } else {
                terms.append(counted?.entry?.amount ?? .zero)
            }
        }
        return .tally(Decimal64.sum(terms), standing, covered: covered)
    }

    private func text(_ ops: [AuthoredOp]) -> RecordSight.Content {
        var text = NaiveText()
        for op in ops {
            if let insertion = try? TextInsertion.decode(op.operation.payload) {
                text.apply(.insert(insertion), at: op.position)
            } else if let deletion = try? TextDeletion.decode(op.operation.payload) {
                text.apply(.delete(deletion), at: op.position)
            }
        }
        return .text(text.string)
    }

    private func log(_ ops: [AuthoredOp]) -> RecordSight.Content {
        var log = LogEntries()
        var known: Set<[UInt8]> = []
        let byTime = ops.sorted { ($0.stamp, $0.position) < ($1.stamp, $1.position) }
        for op in byTime where known.insert(op.operation.payload).inserted {
            _ = log.insert(op.operation.payload, stamp: op.stamp, at: op.position)
        }
        return .log(log.entries)
    }
}

extension AuthoredOp {
    fileprivate var observed: ObservedValue? {
        guard [3, 6, 7].contains(operation.kind) else { return nil }
        return try? ObservedValue(decoding: operation.payload)
    }

    fileprivate var entry: TallyEntryPayload? {
        guard operation.kind == 4 else { return nil }
        return try? TallyEntryPayload(decoding: operation.payload)
    }
}
