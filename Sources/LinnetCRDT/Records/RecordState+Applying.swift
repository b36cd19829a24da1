import LinnetWire

extension RecordState {
    /// Merges an op that stands at `position` and was made at `stamp`.
    ///
    /// The caller has checked the op against the schema, and that it names this record.
    ///
    /// - Parameters:
    ///   - policy: what a delete means in the record's collection.
    ///   - names: what became of the authors that the payload refers to.
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
        switch kind {
        case .textMark:
            return .unknownKind
        case .recordDelete:
            guard let context = try? CausalContext(decoding: operation.payload) else {
                return .quarantined(.badPayload)
            }
            let before = (generation, deletion)
            raise(to: operation.generation)
            note(
                Deletion(stamp: stamp, position: position, context: names.resolve(context)),
                of: operation.generation)
            return before == (generation, deletion) ? .lost : .won
        case .recordRestore:
            guard operation.payload == Operation.emptyContext else {
                return .quarantined(.badPayload)
            }
            return restore(operation.generation) ? .won : .lost
        case .lwwSet, .groupSet, .orderMove:
            guard operation.hasGoodPayload else { return .quarantined(.badPayload) }
            let precedence = Precedence(
                generation: operation.generation, stamp: stamp, position: position)
            return set(
                operation.field, precedence, payload: operation.payload.indices,
                of: operation.payload, policy: policy)
        default:
            let write = PlacedWrite(
                kind: kind, payload: operation.payload, stamp: stamp, position: position,
                names: names)
            return apply(write, of: operation, policy: policy)
        }
    }

    /// Merges a change of a single value, a group or a place, which is the most frequent op.
    ///
    /// The payload is a part of `source`; the caller has checked it, and that the op is well formed
    /// but for what a delete policy forbids.
    package mutating func set(
        _ field: UInt32, _ precedence: Precedence, payload: Range<Int>, of source: [UInt8],
        policy: DeletePolicy
    ) -> ApplyOutcome {
        let slot = FieldSlot(field: field, beginning: beginning(of: precedence.generation))
        if contents.holdsOther(slot) { return .quarantined(.wrongKind) }
        let wins = contents.merge(precedence, of: slot, payload: payload, of: source)
        let isNews = begin(precedence.generation, with: precedence.position, policy: policy)
        return wins || isNews ? .won : .lost
    }

    /// Merges changes of single values, groups and places that were merged apart from it, into a
    /// record of which nothing else was known; where updates win over deletes this is not enough.
    package mutating func merge(unread changes: RecordState) {
        let registers = changes.contents.registers
        for entry in registers.entries {
            _ = set(
                entry.slot.field, entry.precedence, payload: entry.payload, of: registers.bytes,
                policy: .deleteWins)
        }
    }

    private mutating func apply(
        _ write: PlacedWrite, of operation: Operation, policy: DeletePolicy
    ) -> ApplyOutcome {
        let slot = FieldSlot(
            field: operation.field, beginning: beginning(of: operation.generation))
        // Taken out of the table, so that what is large is changed in place.
        var content = contents.removeValue(forKey: slot)
        let outcome = write.apply(to: &content)
        if let content { contents[slot] = content }
        if case .quarantined = outcome { return outcome }
        if max(generation, operation.generation) > 2 { settle(write, at: slot) }
        let isNews = begin(operation.generation, with: write.position, policy: policy)
        return isNews ? .won : outcome
    }

    /// What an op names falls in every generation of the field: else, were an author to name what
    /// it cannot have seen, a restore would say who wins by when it comes.
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

    /// Notes a write of a generation; true when that alone is news.
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

/// An op on one field, with everything its kind needs to merge it.
private struct PlacedWrite {
    let kind: OperationKind
    let payload: [UInt8]
    let stamp: Timestamp
    let position: Position
    let names: BranchNames

    /// What the op takes the place of, and under which key; nil of a kind without names.
    var named: (key: ByteString, positions: [Position])? {
        switch kind {
        case .mvSet, .setAdd, .setRemove:
            guard let written = try? ObservedValue(decoding: payload) else { return nil }
            return (ByteString(written.value), names.resolve(written.observed))
        case .tallyEntry:
            guard let entry = try? TallyEntryPayload(decoding: payload) else { return nil }
            return (ByteString(Array(entry.key.utf8)), names.resolve(entry.observed))
        default: return nil
        }
    }

    func apply(to content: inout FieldContent?) -> ApplyOutcome {
        do throws(CRDTError) {
            switch kind {
            case .mvSet: return try setValue(in: &content)
            case .tallyEntry, .tallyBase: return try count(in: &content)
            case .setAdd, .setRemove: return try change(&content)
            case .textInsert, .textDelete, .textCopy: return try edit(&content)
            case .logInsert: return try append(to: &content)
            default: return .unknownKind
            }
        } catch {
            return .quarantined(.badPayload)
        }
    }

    private func setValue(in content: inout FieldContent?) throws(CRDTError) -> ApplyOutcome {
        let written = try ObservedValue(decoding: payload)
        var values = MultiValue()
        switch content {
        case .values(let known)?: values = known
        case nil: break
        default: return .quarantined(.wrongKind)
        }
        content = nil
        defer { content = .values(values) }
        return values.set(
            written.value, replacing: names.resolve(written.observed), stamp: stamp, at: position)
            ? .won : .lost
    }

    private func count(in content: inout FieldContent?) throws(CRDTError) -> ApplyOutcome {
        var tally = Tally()
        switch content {
        case .tally(let known)?: tally = known
        case nil: break
        default: return .quarantined(.wrongKind)
        }
        if kind == .tallyBase {
            let base = try TallyBasePayload(decoding: payload)
            content = nil
            defer { content = .tally(tally) }
            return tally.setBase(
                base.amount, context: names.resolve(base.context), stamp: stamp, at: position)
                ? .won : .lost
        }
        let entry = try TallyEntryPayload(decoding: payload)
        content = nil
        defer { content = .tally(tally) }
        return tally.setEntry(
            key: Array(entry.key.utf8), amount: entry.amount,
            replacing: names.resolve(entry.observed),
            stamp: stamp, at: position) ? .won : .lost
    }

    private func change(_ content: inout FieldContent?) throws(CRDTError) -> ApplyOutcome {
        let written = try ObservedValue(decoding: payload)
        var elements = ElementSet()
        switch content {
        case .elements(let known)?: elements = known
        case nil: break
        default: return .quarantined(.wrongKind)
        }
        content = nil
        defer { content = .elements(elements) }
        let observed = names.resolve(written.observed)
        let changed =
            kind == .setAdd
            ? elements.add(written.value, replacing: observed, at: position)
            : elements.remove(written.value, observed: observed, at: position)
        return changed ? .won : .lost
    }

    private func edit(_ content: inout FieldContent?) throws(CRDTError) -> ApplyOutcome {
        var text = TextDocument()
        switch content {
        case .text(let known)?: text = known
        case nil: break
        default: return .quarantined(.wrongKind)
        }
        switch kind {
        case .textInsert:
            let insertion = names.resolve(try TextInsertion.decode(payload))
            content = nil
            defer { content = .text(text) }
            return text.insert(insertion, at: position) ? .won : .lost
        case .textCopy:
            let copy = try TextCopy.decode(payload)
            content = nil
            defer { content = .text(text) }
            return text.insert(copy.insertion, at: copy.position) ? .won : .lost
        default:
            let deletion = names.resolve(try TextDeletion.decode(payload))
            content = nil
            defer { content = .text(text) }
            return text.delete(deletion) ? .won : .lost
        }
    }

    private func append(to content: inout FieldContent?) throws(CRDTError) -> ApplyOutcome {
        _ = try LogCell.decode(payload)
        var log = LogEntries()
        switch content {
        case .log(let known)?: log = known
        case nil: break
        default: return .quarantined(.wrongKind)
        }
        content = nil
        defer { content = .log(log) }
        return log.insert(payload, stamp: stamp, at: position) ? .won : .lost
    }
}
