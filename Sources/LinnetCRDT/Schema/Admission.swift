/// The reason why an op is set aside, which means that it is stored and forwarded and never merged.
package enum QuarantineReason: UInt32, Equatable, Sendable {
    /// The generation is 0, even for a write or odd for a delete.
    case badGeneration = 1
    /// A record operation names a field, or a field operation names none.
    case badField = 2
    /// The operation is of another kind than the field or the collection.
    case wrongKind = 3
    /// The payload is malformed, or has other types than the field.
    case badPayload = 4
    /// The batch is in another scope than the record.
    case wrongScope = 5
    /// The collection does not allow this delete or change of its records.
    case immutable = 6
    /// The record is larger than this device can be asked to hold, and was set aside.
    case tooLarge = 7
}

/// The judgement of an op by this version of the schema.
package enum Admission: Equatable, Sendable {
    /// It may be merged.
    case admitted
    /// Its collection, field or kind is not known yet, and it is kept and tried again after an
    /// upgrade.
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
    /// Returns the plain payloads with which an operation of this shape is admitted without a
    /// closer look; nil where every operation has to be judged by itself.
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
    /// Returns true when records of the collection take operations of this kind.
    func allows(_ kind: OperationKind) -> Bool {
        if kind == .logInsert { return self.kind == .log }
        return kind.isOnRecord ? deletePolicy != .neverDelete : self.kind == .records
    }

    /// Returns true when records of the collection may come to this generation: a record that is
    /// never deleted is never created anew.
    func allows(generation: UInt32) -> Bool {
        deletePolicy != .neverDelete || generation <= 1
    }

    /// Returns true when a received record of a log has the types of the fields; fields that only a
    /// later schema knows may hold anything.
    fileprivate func admits(log payload: [UInt8]) -> Bool {
        guard let cells = try? LogCell.decode(payload) else { return false }
        return cells.allSatisfy { cell in
            field(id: cell.field)?.admits(cell.payload) ?? true
        }
    }
}
