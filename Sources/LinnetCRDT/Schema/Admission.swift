/// Why an op is set aside: stored, forwarded and never merged.
package enum QuarantineReason: Equatable, Sendable {
    /// A generation of 0, an even one for a write, or an odd one for a delete.
    case badGeneration
    /// A record operation that names a field, or a field operation that names none.
    case badField
    /// An operation of another kind than the field.
    case wrongKind
    /// A payload that is malformed, or of other types than the field.
    case badPayload
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
        guard let collection = collection(id: operation.collection) else { return .unknown }
        guard let kind = OperationKind(rawValue: operation.kind) else { return .unknown }
        if let reason = operation.malformation { return .quarantined(reason) }
        if kind == .recordDelete || kind == .recordRestore {
            return operation.hasGoodPayload ? .admitted : .quarantined(.badPayload)
        }
        guard let field = collection.field(id: operation.field) else { return .unknown }
        switch (kind, field.kind) {
        case (.lwwSet, .lww), (.groupSet, .group):
            return field.admits(operation.payload) ? .admitted : .quarantined(.badPayload)
        default:
            return .quarantined(.wrongKind)
        }
    }
}
