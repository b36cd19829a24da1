/// The desk of the schema: what is used here, and what a pairing or a first exchange still settles.
struct SchemaDesk {
    /// The collections that are used here, and whose they are.
    var home: HomeSchema
    /// The group's schema as a member showed it, until this device belongs to the group.
    private var shown: SchemaFile?
    /// Whether what is declared here is published after the first exchange.
    private var isPublishingDue = false

    init(_ home: HomeSchema) { self.home = home }

    /// The schema with which this home is opened again.
    var choice: SchemaChoice { home.isFixed ? .given(home.file) : .kept }

    /// A member shows its group's schema before it admits this device; returns where that
    /// contradicts what is declared here, and keeps it otherwise.
    mutating func judge(_ files: [SchemaFile]) -> [String] {
        let found = home.contradictions(with: files)
        if found.isEmpty { shown = files.first }
        return found
    }

    /// This device belongs to a group now; returns its schema when a member showed it. Otherwise
    /// what is declared here waits for the first exchange.
    mutating func joined() -> SchemaFile? {
        guard let schema = shown.take() else {
            isPublishingDue = true
            return nil
        }
        return schema
    }

    /// Whether what is declared here is to be published now; once.
    mutating func takePublishing() -> Bool {
        defer { isPublishingDue = false }
        return isPublishingDue
    }
}
