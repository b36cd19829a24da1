/// Why an op is set aside: stored, forwarded and never merged.
package enum QuarantineReason: UInt32, Equatable, Sendable {
    /// A generation of 0, an even one for a write, or an odd one for a delete.
    case badGeneration = 1
    /// A record operation that names a field, or a field operation that names none.
    case badField = 2
    /// An operation of another kind than the field or the collection.
    case wrongKind = 3
    /// A payload that is malformed, or of other types than the field.
    case badPayload = 4
    /// A batch in another scope than the record's.
    case wrongScope = 5
    /// A delete or a change of a record whose collection allows none.
    case immutable = 6
}

/// What this version of the schema makes of an op.
package enum Admission: Equatable, Sendable {
    /// It may be merged.
    case admitted
    /// Its collection, field or kind is not known yet: kept and tried again after an upgrade.
    case unknown
    /// It contradicts the schema, which never changes in this respect.
    case quarantined(QuarantineReason)
}

extension Schema {
    /// Judges an op by its numbers, its kind and the types of its payload.
    package func admission(of operation: Operation) -> Admission {
        collection(id: operation.collection)?.admission(of: operation) ?? .unknown
    }
}

extension Collection {
    /// Judges an op on a record of this collection.
    package func admission(of operation: Operation) -> Admission {
        guard let kind = OperationKind(rawValue: operation.kind) else { return .unknown }
        if let reason = operation.malformation { return .quarantined(reason) }
        guard allows(kind), allows(generation: operation.generation) else {
            return .quarantined(.immutable)
        }
        switch kind {
        case .textMark:
            return .unknown
        case .recordDelete, .recordRestore:
            return operation.hasGoodPayload ? .admitted : .quarantined(.badPayload)
        case .logInsert:
            return admits(log: operation.payload)
                ? .admitted : .quarantined(.badPayload)
        default:
            break
        }
        guard let field = field(id: operation.field) else { return .unknown }
        guard field.kind.takes(kind) else { return .quarantined(.wrongKind) }
        return field.admits(operation.payload, as: kind) ? .admitted : .quarantined(.badPayload)
    }
}

extension Collection {
    /// The payloads with which an operation of this shape is admitted as soon as they are seen to
    /// be one of these; nil where every operation has to be judged by itself.
    package func plainPayloads(for shape: Operations.Shape) -> PlainPayloads? {
        guard shape.collection == id, !shape.generation.isMultiple(of: 2),
            let kind = OperationKind(rawValue: shape.kind), kind == .lwwSet || kind == .orderMove,
            allows(kind), allows(generation: shape.generation),
            let field = field(id: shape.field), field.kind.takes(kind), field.members.count == 1
        else { return nil }
        return PlainPayloads(of: field.type)
    }
}

extension Collection {
    /// Whether records of the collection take operations of this kind.
    func allows(_ kind: OperationKind) -> Bool {
        switch kind {
        case .logInsert: self.kind == .log
        case .recordDelete, .recordRestore: deletePolicy != .neverDelete
        default: self.kind == .records
        }
    }

    /// Whether records of the collection may come to this generation: what is never deleted is
    /// never created anew.
    func allows(generation: UInt32) -> Bool {
        deletePolicy != .neverDelete || generation <= 1
    }

    /// Whether a received record of a log has the types of the fields; later fields may hold all.
    fileprivate func admits(log payload: [UInt8]) -> Bool {
        guard let cells = try? LogCell.decode(payload) else { return false }
        return cells.allSatisfy { cell in
            field(id: cell.field)?.admits(cell.payload) ?? true
        }
    }
}

extension FieldKind {
    /// Whether a field of this kind takes operations of that kind.
    func takes(_ kind: OperationKind) -> Bool {
        switch (self, kind) {
        case (.lww, .lwwSet), (.group, .groupSet), (.mv, .mvSet), (.tally, .tallyEntry),
            (.tally, .tallyBase), (.set, .setAdd), (.set, .setRemove), (.text, .textInsert),
            (.text, .textDelete), (.text, .textCopy), (.order, .orderMove):
            true
        default:
            false
        }
    }
}

extension Field {
    /// Whether a received payload has the form of its operation and the types of this field.
    fileprivate func admits(_ payload: [UInt8], as kind: OperationKind) -> Bool {
        switch kind {
        case .lwwSet, .groupSet, .orderMove: return admits(payload)
        case .mvSet, .setAdd, .setRemove:
            guard let observed = try? ObservedValue(decoding: payload) else { return false }
            return admits(observed.value)
        case .tallyEntry:
            guard let entry = try? TallyEntryPayload(decoding: payload) else { return false }
            return type == .decimal || entry.amount.whole != nil
        case .tallyBase:
            guard let base = try? TallyBasePayload(decoding: payload) else { return false }
            return type == .decimal || base.amount.whole != nil
        case .textInsert: return (try? TextInsertion.decode(payload)) != nil
        case .textCopy: return (try? TextCopy.decode(payload)) != nil
        case .textDelete: return (try? TextDeletion.decode(payload)) != nil
        default: return false
        }
    }
}
