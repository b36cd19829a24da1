import LinnetCRDT
import LinnetWire

/// The judge of the fates of the ops on one record, which it is given latest first.
struct OpFates {
    private let state: RecordState?
    /// The ops that took the place of others, as far as the ops that were read say so.
    private var replaced: OrderedTable<Position, Position> = OrderedTable()

    init(_ state: RecordState?) {
        self.state = state
    }

    /// Returns the fate of an op that is visible and not quarantined.
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
        return switch kind.rules?.fate(of: operation, at: position, in: content) {
        case .shows?: .shows
        case .lost(let winner)?: .lost(to: winner)
        case .replaced?: .lost(to: replaced[position])
        case .unknown?, nil: .unknown
        }
    }
}

extension Operation {
    /// The ops whose place this one takes, as its payload says.
    fileprivate var observed: [Position] {
        guard let kind = OperationKind(rawValue: kind) else { return [] }
        return kind.rules?.named(in: payload, of: kind)?.positions ?? []
    }
}
