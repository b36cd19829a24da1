import LinnetCRDT
import LinnetMedication

/// What a home is opened with.
enum SchemaChoice: Sendable {
    /// What it keeps, joined with what the group has published.
    case kept
    /// These collections, which it keeps from now on and publishes.
    case given(SchemaFile)
    /// Nothing yet: the group's are learned. For new homes alone.
    case learned
}

/// The collections of a home: those in use, and whose they are.
struct HomeSchema: Sendable {
    /// What is in use.
    var file: SchemaFile
    /// What a person or an application declared here; nil where the group's alone is followed.
    var declared: SchemaFile?
    /// Whether what was declared is used as it is: by whoever opened the home with it.
    var isFixed: Bool
    /// Whether what is declared is only what homes had before groups carried their schema.
    var isAssumed: Bool

    /// Whether the group's schema is still to be learned.
    var isAwaited: Bool { declared == nil && file.schema.isUnknown }

    /// What the schemas of the group and of this home come to for this home; nil where that is what
    /// is in use.
    func next(with published: [SchemaFile]) -> SchemaFile? {
        if isFixed { return nil }
        guard let merged = merged(with: published) else { return nil }
        let current = merged.isDemonstration ? SchemaFile(.demonstration) : merged
        let mine = declared.map { current.indexed(as: $0) } ?? current
        return mine.text == file.text ? nil : mine
    }

    /// What is to be published, so that the group knows what is declared here; nil for nothing.
    func unpublished(among published: [SchemaFile]) -> SchemaFile? {
        guard contradictions(with: published).isEmpty, let own = own(beside: published),
            SchemaMerge(published + [own]).file != SchemaMerge(published).file
        else { return nil }
        return own
    }

    /// What the group has published, and what is declared here beside it; that has no say in what a
    /// number means where it contradicts the group, which does not know of it.
    private func merged(with published: [SchemaFile]) -> SchemaFile? {
        let own = own(beside: published)
        if let own, !published.contains(own), !contradictions(with: published).isEmpty {
            return SchemaMerge(published, last: own).file
        }
        return SchemaMerge(published + (own.map { [$0] } ?? [])).file
    }

    /// What counts of this home: what is only assumed gives way to a group of another application.
    private func own(beside published: [SchemaFile]) -> SchemaFile? {
        let isOutvoted = !published.isEmpty && !published.contains(where: \.isMedication)
        if isAssumed && isOutvoted { return nil }
        return declared.map { SchemaFile($0.schema.unindexed, copies: $0.copies) }
    }

    /// Where what is declared here says something else than the group.
    func contradictions(with published: [SchemaFile]) -> [String] {
        guard let own = own(beside: published), let merged = SchemaMerge(published).file
        else { return [] }
        return SchemaContradiction.sentences(of: own.schema, against: merged.schema)
    }
}

extension SchemaFile {
    /// Whether the demonstration's collections are in it.
    fileprivate var isMedication: Bool { schema.collection(id: Schema.medication.id) != nil }

    /// Whether it is the demonstration alone, whose collections are as this version has them.
    fileprivate var isDemonstration: Bool {
        isMedication && schema.version <= Schema.demonstration.version
            && schema.collections.allSatisfy { $0.id < Schema.firstApplicationCollection }
    }

    fileprivate func indexed(as other: SchemaFile) -> SchemaFile {
        SchemaFile(schema.indexed(as: other.schema), copies: copies)
    }
}
