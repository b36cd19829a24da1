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

    struct FieldValue: Equatable {
        var generation: UInt32
        var stamp: Int64
        var chain: [UInt8]
        var seq: UInt64
        var index: UInt32
        var payload: [UInt8]

        /// A later life of the record, else a later stamp, else a larger position wins.
        func beats(_ other: FieldValue) -> Bool {
            if generation != other.generation { return generation > other.generation }
            if stamp != other.stamp { return stamp > other.stamp }
            if chain != other.chain { return other.chain.lexicographicallyPrecedes(chain) }
            if seq != other.seq { return seq > other.seq }
            return index > other.index
        }
    }

    /// The life and the fields of a record; nil when no applied batch mentions it.
    func record(_ key: RecordKey) -> (generation: UInt32, fields: [UInt32: FieldValue])? {
        var generation: UInt32 = 0
        var fields: [UInt32: FieldValue] = [:]
        var isKnown = false
        for entry in catalogue.operations[key] ?? [] where applied.contains(entry.fact) {
            isKnown = true
            let operation = entry.operation
            generation = max(generation, operation.generation)
            guard operation.field > 0 else { continue }
            let fact = catalogue.facts[entry.fact]
            let value = FieldValue(
                generation: operation.generation, stamp: entry.stamp.rawValue,
                chain: chain(of: entry.fact).array, seq: fact.seq, index: entry.index,
                payload: operation.payload)
            guard let current = fields[operation.field] else {
                fields[operation.field] = value
                continue
            }
            if value.beats(current) { fields[operation.field] = value }
        }
        return isKnown ? (generation, fields) : nil
    }

    /// The author's name, or after a fork the name of the branch that the batch is on.
    func chain(of number: Int) -> AuthorID {
        let root = catalogue.facts[number].root
        guard catalogue.forkedRoots.contains(root) else { return root.chain }
        var current: Int? = number
        while let here = current {
            let fact = catalogue.facts[here]
            let siblings = catalogue.facts(at: root, fact.seq).filter {
                $0 != here && held.contains($0) && catalogue.facts[$0].prev == fact.prev
            }
            if !siblings.isEmpty {
                return ChainNames.branch(of: root, seq: fact.seq, first: fact.id)
            }
            current = catalogue.number(fact.prev)
        }
        return root.chain
    }

    /// How a stored record differs from what it must be; nil when it does not.
    func difference(_ key: RecordKey, _ state: RecordState?) -> String? {
        let expected = record(key)
        guard let expected else {
            return state == nil ? nil : "it shows although nothing that was applied mentions it"
        }
        guard let state else { return "it is missing" }
        if state.generation != expected.generation {
            return "it is in life \(state.generation) and should be in \(expected.generation)"
        }
        for (field, value) in state.fields {
            let actual = FieldValue(
                generation: value.generation, stamp: value.stamp.rawValue,
                chain: value.position.chain.array, seq: value.position.seq,
                index: value.position.index, payload: value.payload)
            guard let wanted = expected.fields[field] else {
                return "field \(field) shows although nothing wrote it"
            }
            if wanted != actual {
                return "field \(field) is \(actual) and should be \(wanted)"
            }
        }
        guard state.fields.count == expected.fields.count else { return "fields are missing" }
        return nil
    }
}
