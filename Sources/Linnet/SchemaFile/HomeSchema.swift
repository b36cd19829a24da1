import LinnetCRDT
import LinnetMedication

/// The schema with which a home is opened.
enum SchemaChoice: Sendable {
    /// The schema that the home keeps, joined with those that the group has published.
    case kept
    /// These collections, which the home keeps from now on and publishes.
    case given(SchemaFile)
    /// No schema yet: the home learns the group's. This is for new homes alone.
    case learned
}

/// The schema of a home: the one in use, and its source.
struct HomeSchema: Sendable {
    /// The schema in use.
    var file: SchemaFile
    /// The schema that a person or an application declared here; nil where only the group's is
    /// followed.
    var declared: SchemaFile?
    /// True when the declared schema is used as it is, because the home was opened with it.
    var isFixed: Bool
    /// True when the declared schema is only the one that homes had before groups carried theirs.
    var isAssumed: Bool

    /// True when the group's schema is still to be learned.
    var isAwaited: Bool { declared == nil && file.schema.isUnknown }

    /// Returns what the schemas of the group and of this home come to for this home; nil when that
    /// is in use already.
    func next(with published: [SchemaFile]) -> SchemaFile? {
        if isFixed { return nil }
        guard let merged = merged(with: published) else { return nil }
        let current = merged.isDemonstration ? SchemaFile(.demonstration) : merged
        let mine = declared.map { current.indexed(as: $0) } ?? current
        return mine.text == file.text ? nil : mine
    }

    /// Returns the schema to publish, so that the group knows what is declared here; nil when there
    /// is nothing to publish.
    func unpublished(among published: [SchemaFile]) -> SchemaFile? {
        guard contradictions(with: published).isEmpty, let own = own(beside: published),
            SchemaMerge(published + [own]).file != SchemaMerge(published).file
        else { return nil }
        return own
    }

    /// Joins the published schemas with the one declared here. One that contradicts the group,
    /// which does not know of it, comes last, and so has no say in what a number means.
    private func merged(with published: [SchemaFile]) -> SchemaFile? {
        let own = own(beside: published)
        if let own, !published.contains(own), !contradictions(with: published).isEmpty {
            return SchemaMerge(published, last: own).file
        }
        return SchemaMerge(published + (own.map { [$0] } ?? [])).file
    }

    /// Returns the declared schema without its indexes. An assumed one gives way to a group of
    /// another application.
    private func own(beside published: [SchemaFile]) -> SchemaFile? {
        let isOutvoted = !published.isEmpty && !published.contains(where: \.isMedication)
        if isAssumed && isOutvoted { return nil }
        return declared.map { SchemaFile($0.schema.unindexed, copies: $0.copies) }
    }

    /// Returns sentences on where the declared schema contradicts the group's.
    func contradictions(with published: [SchemaFile]) -> [String] {
        guard let own = own(beside: published), let merged = SchemaMerge(published).file
        else { return [] }
        return SchemaContradiction.sentences(of: own.schema, against: merged.schema)
    }
}

extension SchemaFile {
    /// True when the demonstration's collections are in it.
    fileprivate var isMedication: Bool { schema.collection(id: Schema.medication.id) != nil }

    /// True when it is the demonstration's schema alone, of no newer version than this program's.
    fileprivate var isDemonstration: Bool {
        isMedication && schema.version <= Schema.demonstration.version
            && schema.collections.allSatisfy { $0.id < Schema.firstApplicationCollection }
    }

    fileprivate func indexed(as other: SchemaFile) -> SchemaFile {
        SchemaFile(schema.indexed(as: other.schema), copies: copies)
    }
}
