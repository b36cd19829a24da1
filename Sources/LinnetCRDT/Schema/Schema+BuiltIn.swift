extension Schema {
    /// The devices of the group, as their people call them: in every schema.
    public static let devices = Collection(
        id: 1, name: "devices", scope: "devices",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(id: 2, name: "kind", type: .choice(["phone", "watch", "laptop", "other"])),
        ])

    /// Medications: the demonstration.
    public static let medication = Collection(
        id: 1_000, name: "medication", scope: "meds",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(id: 2, name: "genericName", type: .text),
            Field(
                id: 3, name: "dosage",
                group: [
                    Field.Member("amount", .decimal),
                    Field.Member("unit", .choice(units)),
                ]),
            Field(id: 4, name: "form", type: .choice(forms)),
            Field(id: 5, name: "route", type: .choice(routes)),
            Field(id: 6, name: "startDate", type: .date),
            Field(id: 7, name: "endDate", type: .date),
            Field(id: 8, name: "isActive", type: .bool),
            Field(id: 9, name: "instructions", kind: .text),
            Field(id: 10, name: "tags", kind: .set),
            Field(id: 11, name: "frequency", type: .text),
            Field(id: 12, name: "requiresPrescription", type: .bool),
            Field(id: 13, name: "packageSize", type: .int),
            Field(id: 14, name: "expirationDate", type: .date),
            Field(id: 15, name: "minimumStock", type: .decimal),
        ])

    /// Devices and medications, version 2: the first one ended with `isActive`.
    public static let demonstration = Schema(version: 2, checked: [devices, medication])

    static let builtIn = [devices, medication]

    private static let units = [
        "mg", "g", "ml", "units", "drops", "puffs", "tablets", "capsules",
    ]
    private static let forms = [
        "tablet", "capsule", "liquid", "injection", "cream", "patch", "inhaler", "drops", "other",
    ]
    private static let routes = [
        "oral", "sublingual", "topical", "intravenous", "intramuscular", "subcutaneous", "inhaled",
        "rectal", "ophthalmic", "otic", "nasal",
    ]
}
