import LinnetWire

extension RecordState {
    /// Merges an op that stands at `position` and was made at `stamp`.
    ///
    /// The caller has checked the op against the schema, and that it names this record.
    ///
    /// - Parameters:
    ///   - policy: the meaning of a delete in the record's collection.
    ///   - names: the branches of the authors that the payload refers to.
    package mutating func apply(
        _ operation: Operation, stamp: Timestamp, at position: Position,
        policy: DeletePolicy = .deleteWins, names: BranchNames = BranchNames()
    ) -> ApplyOutcome {
        precondition(
            operation.collection == collection && operation.record == record,
            "an op is applied to the record that it names")
        if let reason = operation.malformation { return .quarantined(reason) }
        if policy == .neverDelete, operation.generation > 1 { return .quarantined(.immutable) }
        guard let kind = OperationKind(rawValue: operation.kind) else { return .unknownKind }
        if isSetAside(operation.generation), !kind.isOnLives { return .quarantined(.tooLarge) }
        let write = PlacedWrite(
            operation: operation, kind: kind, stamp: stamp, position: position, names: names)
        switch kind {
        case .recordDelete: return end(write)
        case .recordRestore:
            guard operation.payload == Operation.emptyContext else {
                return .quarantined(.badPayload)
            }
            return restore(operation.generation) ? .won : .lost
        default:
            return kind.rules?.merge(write, into: &self, policy: policy) ?? .unknownKind
        }
    }

    private mutating func end(_ write: PlacedWrite) -> ApplyOutcome {
        guard let context = try? CausalContext(decoding: write.payload) else {
            return .quarantined(.badPayload)
        }
        let before = (generation, deletion)
        raise(to: write.operation.generation)
        note(
            Deletion(
                stamp: write.stamp, position: write.position,
                context: write.names.resolve(context)),
            of: write.operation.generation)
        return before == (generation, deletion) ? .lost : .won
    }

    /// Merges a change of a single value, a group or a place, which is the most frequent op.
    ///
    /// The payload is a part of `source`. The caller has checked it and that the op is well formed,
    /// but not whether the delete policy allows it.
    package mutating func set(
        _ field: UInt32, _ precedence: Precedence, payload: Range<Int>, of source: [UInt8],
        policy: DeletePolicy
    ) -> ApplyOutcome {
        if isSetAside(precedence.generation) { return .quarantined(.tooLarge) }
        let slot = FieldSlot(field: field, beginning: beginning(of: precedence.generation))
        if contents.holdsOther(slot) { return .quarantined(.wrongKind) }
        let wins = contents.merge(precedence, of: slot, payload: payload, of: source)
        let isNews = begin(precedence.generation, with: precedence.position, policy: policy)
        return wins || isNews ? .won : .lost
    }

    /// Merges single values, groups and places that were changed while nothing else of the record
    /// was known. Where updates win over deletes this is not enough.
    package mutating func merge(unread changes: RecordState) {
        let registers = changes.contents.registers
        if changes.setAsideUpTo > setAsideUpTo { setAside(upTo: changes.setAsideUpTo) }
        for entry in registers.entries {
            _ = set(
                entry.slot.field, entry.precedence, payload: entry.payload, of: registers.bytes,
                policy: .deleteWins)
        }
    }

    /// Merges a write into the content of its field, which `body` changes.
    mutating func apply(
        _ write: PlacedWrite, policy: DeletePolicy, _ body: (inout FieldContent?) -> ApplyOutcome
    ) -> ApplyOutcome {
        let other = write.operation.generation
        let slot = FieldSlot(field: write.operation.field, beginning: beginning(of: other))
        // The content is taken out of the table, so that a large one is changed in place.
        var content = contents.removeValue(forKey: slot)
        let outcome = body(&content)
        if let content { contents[slot] = content }
        if case .quarantined = outcome { return outcome }
        if max(generation, other) > 2 { settle(write, at: slot) }
        let isNews = begin(other, with: write.position, policy: policy)
        return isNews ? .won : outcome
    }

    /// Lets the ops that an op names fall in every generation of the field. Otherwise an author
    /// that names ops it cannot have seen would make the outcome depend on when a restore comes.
    private mutating func settle(_ write: PlacedWrite, at slot: FieldSlot) {
        guard let (key, named) = write.named else { return }
        for other in contents.keys where other.field == slot.field && other != slot {
            guard var content = contents[other] else { continue }
            if content.awaits(write.position, of: key) {
                contents[slot]?.drop([write.position], of: key)
            }
            content.drop(named, of: key)
            contents[other] = content
        }
    }

    /// Notes a write of a generation; true when that alone changes the record.
    private mutating func begin(
        _ other: UInt32, with position: Position, policy: DeletePolicy
    ) -> Bool {
        let isNews = raise(to: other)
        guard policy == .updateWins else { return isNews }
        let slot = FieldSlot(field: 0, beginning: beginning(of: other))
        var writes = CausalContext()
        if case .writes(let known)? = contents[slot] { writes = known }
        if writes.covers(position) { return isNews }
        writes.insert(position)
        contents[slot] = .writes(writes)
        return true
    }
}

/// An op on a record, with everything that its kind needs to merge it.
package struct PlacedWrite {
    /// The op.
    let operation: Operation
    /// Its kind.
    let kind: OperationKind
    /// The time at which it was made.
    let stamp: Timestamp
    /// The place at which it stands.
    let position: Position
    /// The branches of the authors that its payload refers to.
    let names: BranchNames

    var payload: [UInt8] { operation.payload }

    /// The ops whose place this one takes, and their key; nil for a kind whose payloads name none.
    var named: (key: ByteString, positions: [Position])? {
        guard let named = kind.rules?.named(in: payload, of: kind) else { return nil }
        return (named.key, names.resolve(named.positions))
    }
}
