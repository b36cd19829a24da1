extension Schema {
    /// Whether two schemas say the same of all that devices exchange.
    package func differsOnlyInIndexes(from other: Schema) -> Bool {
        collections.map(\.unindexed) == other.collections.map(\.unindexed)
    }
}

extension Collection {
    /// The collection without its indexes.
    fileprivate var unindexed: Collection {
        let plain = fields.map(\.unindexed)
        if kind == .log { return .log(id: id, name: name, scope: scope, fields: plain) }
        return Collection(
            id: id, name: name, scope: scope, deletePolicy: deletePolicy, fields: plain)
    }
}

extension Field {
    /// The field without its index.
    fileprivate var unindexed: Field {
        kind == .group
            ? self : Field(id: id, name: name, kind: kind, type: members.first?.type ?? .text)
    }
}
