extension Schema {
    /// Returns true when two schemas say the same of all that devices exchange.
    package func differsOnlyInIndexes(from other: Schema) -> Bool {
        retired == other.retired && unindexed.collections == other.unindexed.collections
    }

    /// The schema without its indexes, which are each device's own.
    package var unindexed: Schema {
        Schema(
            version: version, checked: collections.map { $0.indexed { _ in nil } }, retired: retired
        )
    }

    /// Returns the schema with the indexes of another one, as far as its fields may have them.
    package func indexed(as other: Schema) -> Schema {
        let indexed = collections.map { collection in
            let declared = other.collection(id: collection.id)
            return collection.indexed { field in
                let index = declared?.field(id: field.id)?.index
                return index.flatMap { field.kind.allows($0) ? $0 : nil }
            }
        }
        return Schema(version: version, checked: indexed, retired: retired)
    }
}

extension Collection {
    /// Returns the collection with these indexes.
    fileprivate func indexed(_ index: (Field) -> FieldIndex?) -> Collection {
        let fields = fields.map { $0.indexed(by: index($0)) }
        let indexed: Collection =
            kind == .log
            ? .log(id: id, name: name, scope: scope, fields: fields, retired: retired)
            : Collection(
                id: id, name: name, scope: scope, deletePolicy: deletePolicy, fields: fields,
                retired: retired)
        return isReserved ? indexed.reserved : indexed
    }
}

extension Field {
    /// Returns the field with an index or without one.
    fileprivate func indexed(by index: FieldIndex?) -> Field {
        kind == .group
            ? self : Field(id: id, name: name, kind: kind, type: members.first?.type, index: index)
    }
}
