import LinnetCRDT
import LinnetWire

/// Says of the ops on one record, the latest first, what became of them.
struct OpFates {
    private let state: RecordState?
    /// Which op took the place of another, as far as the ops that were read say so.
    private var replaced: OrderedTable<Position, Position> = OrderedTable()

    init(_ state: RecordState?) {
        self.state = state
    }

    /// What became of an op that is visible and not quarantined.
    mutating func fate(
        of operation: Operation, at position: Position, names: BranchNames
    ) -> LoggedOp.Fate {
        for observed in operation.observed.map({ names.resolve($0) })
        where replaced[observed] == nil {
            replaced[observed] = position
        }
        guard let state, let kind = OperationKind(rawValue: operation.kind) else {
            return .unknown
        }
        switch kind {
        case .recordDelete:
            return state.generation == operation.generation && !state.isLive
                ? .shows : .lost(to: nil)
        case .recordRestore:
            return state.isLive && state.generation == operation.generation
                ? .shows : .lost(to: nil)
        default: break
        }
        guard let visible = state.visibleGeneration,
            state.beginning(of: operation.generation) == state.beginning(of: visible)
        else { return .deleted }
        guard let content = state.content(of: operation.field) else { return .lost(to: nil) }
        return fate(of: operation, at: position, in: content)
    }

    private func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> LoggedOp.Fate {
        switch content {
        case .register(let state):
            return state.position == position ? .shows : .lost(to: state.position)
        case .values(let values):
            return values.positions.contains(position) ? .shows : .lost(to: replaced[position])
        case .tally(let tally):
            return fate(of: operation, at: position, in: tally)
        case .elements(let elements):
            guard let observed = try? ObservedValue(decoding: operation.payload) else {
                return .unknown
            }
            let standing = elements.positions(of: observed.value)
            if operation.kind == OperationKind.setRemove.rawValue {
                return standing.last.map { .lost(to: $0) } ?? .shows
            }
            return standing.contains(position) ? .shows : .lost(to: replaced[position])
        case .text:
            return .shows
        case .log(let log):
            guard let first = log.first else { return .unknown }
            let isShown = first.position == position || first.payload == operation.payload
            return isShown ? .shows : .lost(to: first.position)
        case .writes:
            return .unknown
        }
    }

    private func fate(
        of operation: Operation, at position: Position, in tally: Tally
    ) -> LoggedOp.Fate {
        if operation.kind == OperationKind.tallyBase.rawValue {
            guard let base = tally.base else { return .unknown }
            return base.position == position ? .shows : .lost(to: base.position)
        }
        guard let entry = try? TallyEntryPayload(decoding: operation.payload) else {
            return .unknown
        }
        let key = Array(entry.key.utf8)
        if tally.isCovered(key) { return .lost(to: tally.base?.position) }
        let standing = tally.positions(of: key)
        guard standing.contains(position) else { return .lost(to: replaced[position]) }
        guard standing.count > 1,
            let line = tally.keys.first(where: { $0.key == key }),
            let chosen = line.entries.filter({ $0.amount.mantissa != 0 }).max(by: {
                ($0.stamp, $0.position) < ($1.stamp, $1.position)
            }), chosen.position != position
        else { return .shows }
        return .lost(to: chosen.position)
    }
}

extension Operation {
    /// The ops that this one takes the place of, as its payload says.
    fileprivate var observed: [Position] {
        switch OperationKind(rawValue: kind) {
        case .mvSet, .setAdd, .setRemove:
            (try? ObservedValue(decoding: payload))?.observed ?? []
        case .tallyEntry:
            (try? TallyEntryPayload(decoding: payload))?.observed ?? []
        default: []
        }
    }
}
