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
        if kind == .textMark { return .unknown }
        if kind.isOnRecord {
            let isGood =
                kind == .logInsert ? admits(log: operation.payload) : operation.hasGoodPayload
            return isGood ? .admitted : .quarantined(.badPayload)
        }
        guard let field = field(id: operation.field) else { return .unknown }
        let rules = field.kind.rules
        guard rules.takes(kind) else { return .quarantined(.wrongKind) }
        return rules.admits(operation.payload, of: kind, in: field)
            ? .admitted : .quarantined(.badPayload)
    }
}

extension Collection {
    /// The payloads with which an operation of this shape is admitted as soon as they are seen to
    /// be one of these; nil where every operation has to be judged by itself.
    package func plainPayloads(for shape: Operations.Shape) -> PlainPayloads? {
        guard shape.collection == id, !shape.generation.isMultiple(of: 2),
            let kind = OperationKind(rawValue: shape.kind), kind.rules?.admitsAtSight == true,
            allows(kind), allows(generation: shape.generation),
            let field = field(id: shape.field), field.kind.rules.takes(kind),
            field.members.count == 1
        else { return nil }
        return PlainPayloads(of: field.type)
    }
}

extension Collection {
    /// Whether records of the collection take operations of this kind.
    func allows(_ kind: OperationKind) -> Bool {
        if kind == .logInsert { return self.kind == .log }
        return kind.isOnRecord ? deletePolicy != .neverDelete : self.kind == .records
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
