import Linnet

extension Schema {
    /// A collection with a field of every kind, what belongs to it, and a log.
    static func everyKind() throws -> Schema {
        try Schema(version: 1, collections: [items, notes, events])
    }

    static let items = Collection(
        id: 2_000, name: "item", scope: "items",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(
                id: 2, name: "dosage", group: [.init("amount", .decimal), .init("unit", .text)]),
            Field(id: 3, name: "mood", kind: .mv, type: .text),
            Field(id: 4, name: "stock", kind: .tally, type: .int),
            Field(id: 5, name: "tags", kind: .set, type: .text),
            Field(id: 6, name: "story", kind: .text),
            Field(id: 7, name: "place", kind: .order),
            Field(id: 8, name: "size", type: .int),
        ])

    static let notes = Collection(
        id: 2_001, name: "note", scope: "items",
        fields: [
            Field(id: 1, name: "item", type: .reference(2_000)),
            Field(id: 2, name: "text", type: .text),
        ])

    static let events = Collection.log(
        id: 2_002, name: "event", scope: .always("events"),
        fields: [Field(id: 1, name: "what", type: .text), Field(id: 2, name: "size", type: .int)])
}
