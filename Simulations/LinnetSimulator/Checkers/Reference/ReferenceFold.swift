import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The record that must be there, given the batches a replica applied: a plain reading of the
/// rules, which shares no code with the merge of the product.
final class ReferenceFold {
    let catalogue: Catalogue
    let schema: Schema
    let held: FactSet
    let applied: FactSet
    /// The chains that the replica keeps: it may know of a fork from its proof alone.
    let chains: Set<ChainKey>
    private let memory: FoldMemory

    init(
        catalogue: Catalogue, schema: LinnetCRDT.Schema, held: FactSet, applied: FactSet,
        chains: Set<ChainKey>, memory: FoldMemory
    ) {
        self.catalogue = catalogue
        self.schema = schema
        self.held = held
        self.applied = applied
        self.chains = chains
        self.memory = memory
    }

    struct FieldValue: Equatable {
        var generation: UInt32
        var stamp: Timestamp
        var place: Position
        var payload: [UInt8]

        /// A later life of the record, else a later stamp, else a larger position wins.
        func beats(_ other: FieldValue) -> Bool {
            if generation != other.generation { return generation > other.generation }
            if stamp != other.stamp { return stamp > other.stamp }
            if place.chain != other.place.chain {
                return other.place.chain.array.lexicographicallyPrecedes(place.chain.array)
            }
            if place.seq != other.place.seq { return place.seq > other.place.seq }
            return place.index > other.place.index
        }
    }

    /// The life of a record and what each of its fields is.
    struct Folded {
        var generation: UInt32 = 0
        /// The generations that restores brought about, ascending.
        var restored: [UInt32] = []
        /// The latest delete of the generation; it is not compared when nobody looked for it.
        var deletion: (stamp: Timestamp, place: Position)?
        var knowsDeletion = false
        var isLive = false
        var contents: [FieldSlot: ReferenceContent] = [:]

        /// The generation in which the record began that is in this one: restores continue.
        func beginning(of generation: UInt32) -> UInt32 {
            var beginning = generation
            while beginning > 2, restored.contains(beginning) { beginning -= 2 }
            return beginning
        }
    }

    /// All that applied batches say of a record; nil when none mentions it.
    func record(_ key: RecordKey) -> Folded? {
        guard let collection = schema.collection(id: key.collection) else { return nil }
        let shown = shown(of: key, collection)
        guard !shown.isEmpty else { return nil }
        // After a fork it depends on what a replica holds, which branch a name means, and where
        // batches are said again, which of them counts.
        guard catalogue.forkedRoots.isEmpty, !catalogue.hasRestatements else {
            return folded(shown, collection)
        }
        return memory.fold(of: key, shown, version: schema.version) {
            folded(shown, collection)
        }
    }

    private func shown(of key: RecordKey, _ collection: Collection) -> [FactOperation] {
        (catalogue.operations[key] ?? []).filter {
            applied.contains($0.fact) && Self.admits($0.operation, collection)
                && hasEffect($0.fact)
        }
    }

    /// The scalars of a text in their order, the deleted ones too; none where the record is not
    /// live.
    func text(at place: TextPlace) -> [ReferenceText.Letter] {
        guard let collection = schema.collection(id: place.record.collection),
            let folded = record(place.record), folded.isLive
        else { return [] }
        // An update that outlives a delete shows the life before it.
        let life = folded.generation % 2 == 1 ? folded.generation : folded.generation - 1
        let beginning = folded.beginning(of: life)
        let operations = shown(of: place.record, collection).filter { entry in
            entry.operation.field == place.field && entry.statement.isWrite
                && folded.beginning(of: entry.operation.generation) == beginning
        }
        return ReferenceText(operations.map(placed)).letters()
    }

    private func folded(_ shown: [FactOperation], _ collection: Collection) -> Folded {
        let operations = shown.map(placed)
        var folded = Folded()
        folded.generation = operations.map(\.entry.operation.generation).max() ?? 0
        for operation in operations {
            let generation = operation.entry.operation.generation
            guard case .restore = operation.entry.statement else { continue }
            if !folded.restored.contains(generation) { folded.restored.append(generation) }
        }
        folded.restored.sort()
        var slots: [FieldSlot: [ReferenceOperation]] = [:]
        var fields: [UInt32: [ReferenceOperation]] = [:]
        var order: [FieldSlot] = []
        for operation in operations where operation.entry.statement.isWrite {
            let slot = FieldSlot(
                field: operation.entry.operation.field,
                beginning: folded.beginning(of: operation.entry.operation.generation))
            if slots[slot] == nil { order.append(slot) }
            slots[slot, default: []].append(operation)
            fields[slot.field, default: []].append(operation)
        }
        for slot in order {
            folded.contents[slot] = ReferenceContent(
                slots[slot] ?? [], among: fields[slot.field] ?? [])
        }
        end(&folded, operations, collection)
        return folded
    }

    /// The meaning of deletes: the end of the record, unless an update may outlive them and one
    /// does.
    private func end(
        _ folded: inout Folded, _ operations: [ReferenceOperation], _ collection: Collection
    ) {
        folded.knowsDeletion = true
        folded.isLive = folded.generation % 2 == 1
        var deletes: [(operation: ReferenceOperation, context: CausalContext)] = []
        for operation in operations
        where operation.entry.operation.generation == folded.generation {
            guard case .delete(let context) = operation.entry.statement else { continue }
            deletes.append((operation, context))
            let isLater =
                folded.deletion.map { $0 < (operation.stamp, operation.place) } ?? true
            if isLater { folded.deletion = (operation.stamp, operation.place) }
        }
        guard collection.deletePolicy == .updateWins else { return }
        var lasts: [FieldSlot: [Position]] = [:]
        for write in operations where write.entry.statement.isWrite {
            let generation = write.entry.operation.generation
            let slot = FieldSlot(field: 0, beginning: folded.beginning(of: generation))
            let isUnseen = deletes.allSatisfy { !$0.operation.hasSeen(write, by: $0.context) }
            if !deletes.isEmpty, isUnseen,
                slot.beginning == folded.beginning(of: folded.generation - 1)
            {
                folded.isLive = true
            }
            var known = lasts[slot] ?? []
            known.removeAll { $0.chain == write.place.chain && $0 < write.place }
            if !known.contains(where: { $0.chain == write.place.chain }) {
                known.append(write.place)
            }
            lasts[slot] = known.sorted()
            folded.contents[slot] = .writes(known.sorted())
        }
    }

    /// Tells how a record without restores, of which the latest changes win, differs from its past
    /// and what has been applied since.
    func difference(
        _ state: RecordState?, from before: RecordState?, and new: [FactOperation]
    ) -> String? {
        guard let state else { return "it is missing" }
        var generation = before?.generation ?? 0
        var changed: [(slot: FieldSlot, value: FieldValue)] = []
        for entry in new where hasEffect(entry.fact) {
            let operation = entry.operation
            generation = max(generation, operation.generation)
            guard operation.field > 0 else { continue }
            let value = FieldValue(placed(entry))
            let slot = FieldSlot(field: operation.field, beginning: operation.generation)
            if let place = changed.firstIndex(where: { $0.slot == slot }) {
                if value.beats(changed[place].value) { changed[place].value = value }
                continue
            }
            if case .register(let old)? = before?.contents[slot], !value.beats(FieldValue(old)) {
                continue
            }
            changed.append((slot, value))
        }
        if state.generation != generation {
            return "it is in life \(state.generation) and should be in \(generation)"
        }
        if state.isLive != (generation % 2 == 1) {
            return "it is \(state.isLive ? "" : "not ")live and should\(state.isLive ? " not" : "")"
        }
        return difference(state, from: before, changed)
    }

    private func difference(
        _ state: RecordState, from before: RecordState?,
        _ changed: [(slot: FieldSlot, value: FieldValue)]
    ) -> String? {
        for (slot, _, after) in state.contents.changes(since: before?.contents)
        where !changed.contains(where: { $0.slot == slot }) {
            return after == nil
                ? "field \(slot.field) is missing"
                : "field \(slot.field) changed although nothing wrote it"
        }
        for (slot, value) in changed {
            guard let content = state.contents[slot] else { return "fields are missing" }
            guard case .register(let written) = content else {
                return "field \(slot.field) is of another kind than what was written"
            }
            let actual = FieldValue(written)
            guard actual != value else { continue }
            return "field \(slot.field) is \(actual) and should be \(value)"
        }
        return nil
    }

    /// True when this version of the application gives effect to an operation; of fields that it
    /// does not know it keeps those of which the latest change wins.
    static func admits(_ operation: Operation, _ collection: Collection) -> Bool {
        if operation.field == 0 || collection.field(id: operation.field) != nil { return true }
        let kind = OperationKind(rawValue: operation.kind)
        return kind == .lwwSet || kind == .groupSet
    }

    private func placed(_ entry: FactOperation) -> ReferenceOperation {
        let fact = catalogue.facts[entry.fact]
        var place = Position(chain: chain(of: entry.fact), seq: fact.seq, index: entry.index)
        if let old = fact.restated, let restates = fact.body.restates {
            let named = Position(
                chain: old.root.chain, seq: old.seq,
                index: restates.index(of: Int(entry.index)))
            place = meaning(of: named, in: fact.root.scope, to: entry.fact)
        }
        return ReferenceOperation(
            entry: entry, place: place, scope: fact.root.scope, fold: self)
    }

    /// True when a batch counts: one that says another again does not while that one shows, or
    /// while another that says it again comes first.
    func hasEffect(_ number: Int) -> Bool {
        let fact = catalogue.facts[number]
        guard let old = fact.restated else { return true }
        if catalogue.facts(at: old.root, old.seq).contains(where: applied.contains) { return false }
        return !catalogue.restatements(of: old.root, old.seq).contains { other in
            guard other != number, applied.contains(other) else { return false }
            let rival = catalogue.facts[other]
            return (rival.root, rival.seq) < (fact.root, fact.seq)
        }
    }

    /// The author's name, or after a fork the name of the branch that the batch is on.
    func chain(of number: Int) -> AuthorID {
        let root = catalogue.facts[number].root
        guard catalogue.forkedRoots.contains(root) else { return root.chain }
        var current: Int? = number
        while let here = current {
            let fact = catalogue.facts[here]
            let siblings = catalogue.facts(at: root, fact.seq).filter {
                $0 != here && catalogue.facts[$0].prev == fact.prev
            }
            if !siblings.isEmpty {
                let name = ChainNames.branch(of: root, seq: fact.seq, first: fact.id)
                let branch = ChainKey(scope: root.scope, chain: name)
                if chains.contains(branch) || siblings.contains(where: held.contains) {
                    return name
                }
            }
            current = catalogue.number(fact.prev)
        }
        return root.chain
    }
}

extension ReferenceFold.FieldValue {
    init(_ operation: ReferenceOperation) {
        self.init(
            generation: operation.entry.operation.generation, stamp: operation.stamp,
            place: operation.place, payload: operation.entry.operation.payload)
    }

    /// As the product stores it.
    init(_ state: FieldState) {
        self.init(
            generation: state.generation, stamp: state.stamp, place: state.position,
            payload: state.payload)
    }
}
