import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// What a record must be, given which batches a replica applied: a plain reading of the rules,
/// which shares no code with the merge of the product.
struct ReferenceFold {
    let catalogue: Catalogue
    let held: FactSet
    let applied: FactSet
    /// The chains that the replica keeps: it may know of a fork from its proof alone.
    let chains: Set<ChainKey>

    struct FieldValue: Equatable {
        var generation: UInt32
        var stamp: Int64
        var chain: AuthorID
        var seq: UInt64
        var index: UInt32
        var payload: [UInt8]

        /// A later life of the record, else a later stamp, else a larger position wins.
        func beats(_ other: FieldValue) -> Bool {
            if generation != other.generation { return generation > other.generation }
            if stamp != other.stamp { return stamp > other.stamp }
            if chain != other.chain {
                return other.chain.array.lexicographicallyPrecedes(chain.array)
            }
            if seq != other.seq { return seq > other.seq }
            return index > other.index
        }
    }

    /// The life of a record and what each of its fields is.
    struct Folded {
        var generation: UInt32 = 0
        var fields: [FieldSlot: FieldValue] = [:]
    }

    /// All that applied batches say of a record; nil when none mentions it.
    func record(_ key: RecordKey) -> Folded? {
        var folded = Folded()
        var isKnown = false
        for entry in catalogue.operations[key] ?? [] where applied.contains(entry.fact) {
            isKnown = true
            add(entry, to: &folded)
        }
        return isKnown ? folded : nil
    }

    /// A record that was as it must be, and what has been applied since.
    func record(_ before: RecordState?, and new: [FactOperation]) -> Folded {
        var folded = Folded()
        if let before {
            folded.generation = before.generation
            for (slot, content) in before.contents {
                if case .register(let value) = content { folded.fields[slot] = FieldValue(value) }
            }
        }
        for entry in new { add(entry, to: &folded) }
        return folded
    }

    private func add(_ entry: FactOperation, to folded: inout Folded) {
        let operation = entry.operation
        folded.generation = max(folded.generation, operation.generation)
        guard operation.field > 0 else { return }
        let value = FieldValue(
            generation: operation.generation, stamp: entry.stamp.rawValue,
            chain: chain(of: entry.fact), seq: catalogue.facts[entry.fact].seq,
            index: entry.index, payload: operation.payload)
        let slot = FieldSlot(field: operation.field, beginning: operation.generation)
        if let current = folded.fields[slot], !value.beats(current) { return }
        folded.fields[slot] = value
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

    /// How a stored record differs from what it must be; nil when it does not.
    func difference(_ expected: Folded?, _ state: RecordState?) -> String? {
        guard let expected else {
            return state == nil ? nil : "it shows although nothing that was applied mentions it"
        }
        guard let state else { return "it is missing" }
        if state.generation != expected.generation {
            return "it is in life \(state.generation) and should be in \(expected.generation)"
        }
        for (slot, content) in state.contents {
            let field = slot.field
            guard case .register(let value) = content else {
                return "field \(field) is no register"
            }
            let actual = FieldValue(value)
            guard let wanted = expected.fields[slot] else {
                return "field \(field) shows although nothing wrote it"
            }
            if wanted != actual {
                return "field \(field) is \(actual) and should be \(wanted)"
            }
        }
        guard state.contents.count == expected.fields.count else { return "fields are missing" }
        return nil
    }
}

extension ReferenceFold.FieldValue {
    /// As the product stores it.
    init(_ state: FieldState) {
        self.init(
            generation: state.generation, stamp: state.stamp.rawValue, chain: state.position.chain,
            seq: state.position.seq, index: state.position.index, payload: state.payload)
    }
}
