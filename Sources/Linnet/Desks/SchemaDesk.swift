/// The desk of the schema: the one in use, and what a pairing or a first exchange still settles.
struct SchemaDesk {
    /// The collections in use, and their source.
    var home: HomeSchema
    /// The group's schema as a member showed it, until this device belongs to the group.
    private var shown: SchemaFile?
    /// True when the schema declared here is published after the first exchange.
    private var isPublishingDue = false

    init(_ home: HomeSchema) { self.home = home }

    /// The schema with which this home is opened again.
    var choice: SchemaChoice { home.isFixed ? .given(home.file) : .kept }

    /// Takes in the schema that a member shows of its group before it admits this device. Returns
    /// where that contradicts the one declared here; without a contradiction, keeps it.
    mutating func judge(_ files: [SchemaFile]) -> [String] {
        let found = home.contradictions(with: files)
        if found.isEmpty { shown = files.first }
        return found
    }

    /// Notes that this device belongs to a group now. Returns the group's schema when a member
    /// showed it; otherwise the schema declared here waits for the first exchange.
    mutating func joined() -> SchemaFile? {
        guard let schema = shown.take() else {
            isPublishingDue = true
            return nil
        }
        return schema
    }

    /// Returns true, only once, when the schema declared here is to be published now.
    mutating func takePublishing() -> Bool {
        defer { isPublishingDue = false }
        return isPublishingDue
    }
}
