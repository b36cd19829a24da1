import Linnet

extension Schema {
    /// One collection with a field of every kind that two devices may change apart.
    static func merging() throws(SchemaError) -> Schema {
        try Schema(version: 1, collections: [medicine])
    }

    private static let medicine = Collection(
        id: 2_000, name: "medicine", scope: "cabinet",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(
                id: 2, name: "dosage",
                group: [.init("amount", .int), .init("unit", .choice(["mg", "g", "ml"]))]),
            Field(id: 3, name: "stock", kind: .tally, type: .int),
            Field(id: 4, name: "tags", kind: .set, type: .text),
            Field(id: 5, name: "instructions", kind: .text),
            Field(id: 6, name: "prescriber", kind: .mv, type: .text),
            Field(id: 7, name: "strongest", kind: .max, type: .int),
        ])
}
