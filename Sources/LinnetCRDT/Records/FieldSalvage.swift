package import LinnetWire

/// Batches of one scope whose content is lost.
package struct LostBatches: Sendable {
    private var places: OrderedTable<AuthorID, OrderedSet<UInt64>> = OrderedTable()
    private let authors: OrderedSet<AuthorID>

    /// Names no batch yet.
    ///
    /// - Parameter authors: the names of all chains of the scope. Under any other name there are
    ///   only copies of texts.
    package init(among authors: [AuthorID]) {
        self.authors = OrderedSet(authors)
    }

    /// Adds a batch by its chain and number.
    package mutating func insert(_ seq: UInt64, of chain: AuthorID) {
        places[chain, default: OrderedSet()].insert(seq)
    }

    /// Returns true when the op at a position was in one of them.
    func contain(_ position: Position) -> Bool {
        places[position.chain]?.contains(position.seq) ?? false
    }

    /// Returns true when the insertion at a position is a copy of a text, whoever made it.
    func isCopy(_ position: Position) -> Bool {
        position.seq == 1 && position.index == 0 && !authors.contains(position.chain)
    }
}

/// An op that lost batches must have held, since a record shows its effect and nothing else
/// explains it.
package struct SalvagedOperation: Equatable, Sendable {
    /// The op; its stamp delta is 0.
    package let operation: Operation
    /// The place at which it stood; nil where only the effect is known.
    package let position: Position?
    /// The time at which it was made; nil where that is not known.
    package let stamp: Timestamp?
}

/// The ops on one field that lost batches must have held.
struct FieldSalvage {
    let record: RecordState
    let lost: LostBatches
    let slot: FieldSlot
    /// The field; nil when only another version of the schema knows it.
    let field: Field?
    private(set) var found: [SalvagedOperation] = []

    init(_ record: RecordState, _ lost: LostBatches, _ slot: FieldSlot, _ field: Field?) {
        self.record = record
        self.lost = lost
        self.slot = slot
        self.field = field
    }

    mutating func add(
        _ kind: OperationKind, _ payload: [UInt8], at position: Position? = nil,
        stamp: Timestamp? = nil, generation: UInt32? = nil
    ) {
        let operation = Operation(
            collection: record.collection, record: record.record,
            generation: generation ?? slot.beginning, field: slot.field, kind: kind.rawValue,
            stampDelta: 0, payload: payload)
        found.append(SalvagedOperation(operation: operation, position: position, stamp: stamp))
    }

    /// Adds an op that makes the record and nothing in it: elements of a set that were added and
    /// taken out again leave none, and the record shows still.
    mutating func addTrace() {
        var null = CBORWriter()
        null.null()
        add(.setRemove, ObservedValue(value: null.bytes, observed: []).payload)
    }
}

extension RecordState {
    /// Returns the ops that lost batches must have held, in order of their positions where these
    /// are known, so that the record shows what it does.
    ///
    /// - Parameter known: the record as all other batches make it.
    /// - Throws: `CRDTError.valueTooLarge` for an op of a text that has no encoding.
    package func salvage(
        _ lost: LostBatches, beyond known: RecordState, in collection: Collection
    ) throws(CRDTError) -> [SalvagedOperation] {
        var found: [SalvagedOperation] = []
        for (slot, content) in contents {
            var field = FieldSalvage(self, lost, slot, collection.field(id: slot.field))
            try content.salvage(beyond: known.contents[slot], into: &field)
            // The delete of a record had seen all, and would not have seen what has no place.
            found += isLive ? field.found : field.found.filter { $0.position != nil }
        }
        var whole = FieldSalvage(self, lost, FieldSlot(field: 0, beginning: generation), nil)
        for restore in restored where !known.restored.contains(restore) {
            whole.add(.recordRestore, Operation.emptyContext, generation: restore)
        }
        deletion?.salvage(beyond: known.deletion, into: &whole)
        if found.isEmpty, whole.found.isEmpty, isLive, !known.isLive, let slot = contents.lastSet {
            var field = FieldSalvage(self, lost, slot, nil)
            field.addTrace()
            found = field.found
        }
        return found + whole.found
    }
}

extension Deletion {
    /// Adds the delete that lost batches must have held; `known` is what all others come to.
    fileprivate func salvage(beyond known: Deletion?, into record: inout FieldSalvage) {
        let isLost = record.lost.contain(position)
        // Of an earlier one no more is known than what it had seen.
        guard isLost || known?.context.covers(context) == false else { return }
        var writer = CBORWriter()
        context.write(to: &writer)
        record.add(
            .recordDelete, writer.bytes, at: isLost ? position : nil,
            stamp: isLost ? stamp : nil)
    }
}

extension FieldContents {
    /// The slot of the newest set; nil when there is none.
    fileprivate var lastSet: FieldSlot? {
        var sets: [FieldSlot] = []
        for case (let slot, .elements) in self { sets.append(slot) }
        return sets.max { $0.beginning < $1.beginning }
    }
}

extension FieldContent {
    /// Adds the ops that lost batches must have held; `known` is what all others come to.
    fileprivate func salvage(
        beyond known: FieldContent?, into field: inout FieldSalvage
    ) throws(CRDTError) {
        switch self {
        case .register(let state): state.salvage(into: &field)
        case .values(let state):
            state.salvage(beyond: known.flatMap(MultiValue.init) ?? MultiValue(), into: &field)
        case .tally(let state):
            state.salvage(beyond: known.flatMap(Tally.init) ?? Tally(), into: &field)
        case .elements(let state):
            state.salvage(beyond: known.flatMap(ElementSet.init) ?? ElementSet(), into: &field)
        case .text(let state):
            try state.salvage(
                beyond: known.flatMap(TextDocument.init) ?? TextDocument(), into: &field)
        case .extreme(let state): state.salvage(into: &field)
        case .log(let state): state.salvage(into: &field)
        // It follows from the ops themselves.
        case .writes: break
        }
    }
}
