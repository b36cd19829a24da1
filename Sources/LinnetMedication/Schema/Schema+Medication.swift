public import LinnetCRDT

extension Schema {
    /// What someone takes.
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
            Field(id: 10, name: "tags", kind: .set, type: .text),
            Field(id: 11, name: "frequency", type: .text),
            Field(id: 12, name: "requiresPrescription", type: .bool),
            Field(id: 13, name: "packageSize", type: .int),
            Field(id: 14, name: "expirationDate", type: .date),
            Field(id: 15, name: "minimumStock", type: .decimal),
            Field(id: 16, name: "maximumPerDay", type: .int),
        ]
    ).reserved

    /// How much of a medication is there, under the medication's identifier; in a scope of its own,
    /// since every dose writes to it and no one edits it.
    public static let stock = Collection(
        id: 1_001, name: "stock", scope: "inventory", deletePolicy: .neverDelete,
        fields: [Field(id: 1, name: "stock", kind: .tally, type: .decimal)]
    ).reserved

    /// When a medication is taken. What decides the instants is one group, so that two devices that
    /// change it apart never leave the times of one with the time zone of the other.
    public static let schedule = Collection(
        id: 1_002, name: "schedule", scope: "meds",
        fields: [
            Field(id: 1, name: "medication", type: .reference(medication.id)),
            Field(
                id: 2, name: "timing",
                group: [
                    Field.Member("times", .text), Field.Member("daysOfWeek", .int),
                    Field.Member("referenceTimeZone", .text), Field.Member("shift", .text),
                    Field.Member("since", .instant), Field.Member("adjustment", .text),
                ]),
            Field(id: 3, name: "isActive", type: .bool),
            Field(id: 4, name: "startDate", type: .date),
            Field(id: 5, name: "endDate", type: .date),
        ]
    ).reserved

    /// What became of a dose. It names medication and schedule as texts, not as references: history
    /// stays in sight when these are deleted. Name, amount, unit and form are those of the moment,
    /// in plain words: what the medication's record says later changes nothing that was.
    public static let doseEvent = Collection.log(
        id: 1_003, name: "doseEvent", scope: log,
        fields: [
            Field(id: 1, name: "medication", type: .text),
            Field(id: 2, name: "schedule", type: .text),
            Field(id: 3, name: "scheduled", type: .instant),
            Field(id: 4, name: "event", type: .choice(["taken", "skipped", "snoozed", "undone"])),
            Field(id: 5, name: "at", type: .instant),
            Field(id: 6, name: "timeZone", type: .text),
            Field(id: 7, name: "reason", type: .choice(skipReasons)),
            Field(id: 8, name: "note", type: .text),
            Field(id: 9, name: "device", type: .text),
            Field(id: 10, name: "additional", type: .bool),
            Field(id: 11, name: "undoes", type: .text),
            Field(id: 12, name: "quantity", type: .decimal),
            Field(id: 13, name: "name", type: .text),
            Field(id: 14, name: "amount", type: .decimal),
            Field(id: 15, name: "unit", type: .text),
            Field(id: 16, name: "form", type: .text),
            Field(id: 17, name: "witness", type: .text),
        ]
    ).reserved

    /// A device's change of time zone.
    public static let timeZoneEvent = Collection.log(
        id: 1_004, name: "timeZoneEvent", scope: log,
        fields: [
            Field(id: 1, name: "from", type: .text),
            Field(id: 2, name: "to", type: .text),
            Field(id: 3, name: "detection", type: .choice(["system", "firstStart", "person"])),
            Field(id: 4, name: "at", type: .instant),
            Field(id: 5, name: "device", type: .text),
        ]
    ).reserved

    /// A change of a schedule's timing, so that what was due before it stays what it was.
    public static let scheduleAdjustment = Collection.log(
        id: 1_005, name: "scheduleAdjustment", scope: log,
        fields: [
            Field(id: 1, name: "schedule", type: .text),
            Field(id: 2, name: "timeZoneEvent", type: .text),
            Field(id: 3, name: "strategy", type: .choice(strategies)),
            Field(id: 4, name: "before", type: .text),
            Field(id: 5, name: "after", type: .text),
            Field(id: 6, name: "at", type: .instant),
            Field(id: 7, name: "device", type: .text),
        ]
    ).reserved

    /// The counts of the doses of a month, under its name, such as 2026-05: for devices that do
    /// not hold the month. Whoever writes it writes all of it.
    public static let doseTotal = Collection(
        id: 1_006, name: "doseTotal", scope: "totals", deletePolicy: .neverDelete,
        fields: [
            Field(
                id: 1, name: "total",
                group: [
                    Field.Member("counts", .text), Field.Member("events", .int),
                    Field.Member("beginning", .date), Field.Member("days", .int),
                ])
        ]
    ).reserved

    /// The three logs share their scopes: who holds a month holds all that happened in it.
    private static let log = ScopeRule.divided("log", by: .month)

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
    private static let skipReasons = [
        "sideEffects", "forgot", "outOfMedication", "doctorAdvised", "feltBetter", "other",
    ]
    private static let strategies = [
        "keepLocalTime", "keepHomeTime", "gradualShift", "custom", "edited",
    ]
}
