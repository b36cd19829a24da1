import LinnetCRDT

extension Schema {
    /// One collection of an application, for tests.
    static func sample() throws -> Schema { try Schema(version: 1, collections: [.sample]) }
}

extension LinnetCRDT.Collection {
    /// A thing that someone takes: a value, a group and a choice.
    static let sample = Collection(
        id: 2_000, name: "medicine", scope: "medicines",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(
                id: 3, name: "dosage",
                group: [
                    Field.Member("amount", .decimal),
                    Field.Member(
                        "unit",
                        .choice([
                            "mg", "g", "ml", "units", "drops", "puffs", "tablets", "capsules",
                        ])),
                ]),
            Field(
                id: 4, name: "form",
                type: .choice([
                    "tablet", "capsule", "liquid", "injection", "cream", "patch", "inhaler",
                    "drops", "other",
                ])),
        ])
}
