import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The sum of all operations on one field of one life of a record, kind by kind, as the rules are
/// written: from the set of operations, whatever their order.
enum ReferenceContent: Equatable {
    case register(ReferenceFold.FieldValue)
    /// Every value that stands, the latest first.
    case values([Standing])
    case tally(ReferenceTally)
    /// The elements in the order of their bytes.
    case elements([[UInt8]])
    case text(String)
    case extreme(ReferenceExtreme)
    /// The different contents of a record of a log, the first written first.
    case log([Standing])
    /// The last write of each chain, ascending.
    case writes([Position])

    /// A payload with the operation that wrote it.
    struct Standing: Equatable {
        var stamp: Timestamp
        var place: Position
        var payload: [UInt8]

        func precedes(_ other: Standing) -> Bool {
            stamp != other.stamp ? stamp < other.stamp : place < other.place
        }
    }
}

/// An operation where a replica has it.
struct ReferenceOperation {
    let entry: FactOperation
    let place: Position
    let scope: ScopeID
    let fold: ReferenceFold

    var stamp: Timestamp { entry.stamp }

    func meaning(of named: Position) -> Position {
        fold.meaning(of: named, in: scope, to: entry.fact)
    }

    func meaning(of named: [Position]) -> [Position] { named.map { meaning(of: $0) } }

    func hasSeen(_ other: ReferenceOperation, by context: CausalContext) -> Bool {
        fold.has(entry.fact, seen: other, by: context)
    }
}

extension ReferenceContent {
    /// The content of a field, nil for operations of which none says anything.
    ///
    /// - Parameter all: those on the field in every life: what they name falls in each of them.
    init?(_ operations: [ReferenceOperation], among all: [ReferenceOperation]) {
        switch operations.first?.entry.statement {
        case .register?: self = .register(Self.register(operations))
        case .value?: self = .values(Self.values(operations, among: all))
        case .entry?, .base?: self = .tally(ReferenceTally(operations, among: all))
        case .addition?, .removal?: self = .elements(Self.elements(operations, among: all))
        case .insertion?, .copy?, .deletion?: self = .text(ReferenceText(operations).string())
        case .extreme(let isSmallest)?:
            self = .extreme(ReferenceExtreme(operations, isSmallest: isSmallest))
        case .log?: self = .log(Self.log(operations))
        default: return nil
        }
    }

    private static func register(_ operations: [ReferenceOperation]) -> ReferenceFold.FieldValue {
        let all = operations.map(ReferenceFold.FieldValue.init)
        return all.dropFirst().reduce(all[0]) { $1.beats($0) ? $1 : $0 }
    }

    /// A write replaces the values that it lists; the others stand side by side.
    private static func values(
        _ operations: [ReferenceOperation], among all: [ReferenceOperation]
    ) -> [Standing] {
        var replaced: Set<Position> = []
        for operation in all {
            guard case .value(let written) = operation.entry.statement else { continue }
            replaced.formUnion(operation.meaning(of: written.observed))
        }
        var standing: [Standing] = []
        for operation in operations where !replaced.contains(operation.place) {
            guard case .value(let written) = operation.entry.statement else { continue }
            standing.append(
                Standing(stamp: operation.stamp, place: operation.place, payload: written.value))
        }
        return standing.sorted { $1.precedes($0) }
    }

    /// An addition stands until somebody who had seen it takes it back or adds the same again.
    private static func elements(
        _ operations: [ReferenceOperation], among all: [ReferenceOperation]
    ) -> [[UInt8]] {
        struct Taken: Hashable {
            var element: [UInt8]
            var place: Position
        }
        var taken: Set<Taken> = []
        for operation in all {
            switch operation.entry.statement {
            case .addition(let written), .removal(let written):
                for place in operation.meaning(of: written.observed) {
                    taken.insert(Taken(element: written.value, place: place))
                }
            default: continue
            }
        }
        var added: [Taken] = []
        for operation in operations {
            guard case .addition(let written) = operation.entry.statement else { continue }
            added.append(Taken(element: written.value, place: operation.place))
        }
        var elements: [[UInt8]] = []
        for addition in added where !taken.contains(addition) {
            if !elements.contains(addition.element) { elements.append(addition.element) }
        }
        return elements.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Every content once, from whoever wrote it first.
    private static func log(_ operations: [ReferenceOperation]) -> [Standing] {
        let all = operations.map {
            Standing(stamp: $0.stamp, place: $0.place, payload: $0.entry.operation.payload)
        }
        var different: [Standing] = []
        for entry in all.sorted(by: { $0.precedes($1) })
        where !different.contains(where: { $0.payload == entry.payload }) {
            different.append(entry)
        }
        return different
    }
}
