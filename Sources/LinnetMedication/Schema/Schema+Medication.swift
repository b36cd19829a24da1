public import LinnetCRDT

extension Schema {
    /// A medication: something that someone takes.
    public static let medication = Collection(
        id: 1_000, name: "medication", scope: "meds",
        fields: [
            Field(id: MedicationFields.name, name: "name", type: .text),
            Field(id: MedicationFields.genericName, name: "genericName", type: .text),
            Field(
                id: MedicationFields.dosage, name: "dosage",
                group: [
                    Field.Member("amount", .decimal),
                    Field.Member("unit", .choice(units)),
                ]),
            Field(id: MedicationFields.form, name: "form", type: .choice(forms)),
            Field(id: MedicationFields.route, name: "route", type: .choice(routes)),
            Field(id: MedicationFields.startDate, name: "startDate", type: .date),
            Field(id: MedicationFields.endDate, name: "endDate", type: .date),
            Field(id: MedicationFields.isActive, name: "isActive", type: .bool),
            Field(id: MedicationFields.instructions, name: "instructions", kind: .text),
            Field(id: MedicationFields.tags, name: "tags", kind: .set, type: .text),
            Field(id: MedicationFields.frequency, name: "frequency", type: .text),
            Field(
                id: MedicationFields.requiresPrescription, name: "requiresPrescription", type: .bool
            ),
            Field(id: MedicationFields.packageSize, name: "packageSize", type: .int),
            Field(id: MedicationFields.expirationDate, name: "expirationDate", type: .date),
            Field(id: MedicationFields.minimumStock, name: "minimumStock", type: .decimal),
            Field(id: MedicationFields.maximumPerDay, name: "maximumPerDay", type: .int),
        ]
    ).reserved

    /// The stock of a medication, under the medication's identifier; in a scope of its own,
    /// since every dose writes to it and no one edits it.
    public static let stock = Collection(
        id: 1_001, name: "stock", scope: "inventory", deletePolicy: .neverDelete,
        fields: [Field(id: StockFields.stock, name: "stock", kind: .tally, type: .decimal)]
    ).reserved

    /// The times of a medication. All that decides them is one group, so that two devices that
    /// change it apart never leave the times of one with the time zone of the other.
    public static let schedule = Collection(
        id: 1_002, name: "schedule", scope: "meds",
        fields: [
            Field(
                id: ScheduleFields.medication, name: "medication", type: .reference(medication.id)),
            Field(
                id: ScheduleFields.timing, name: "timing",
                group: [
                    Field.Member("times", .text), Field.Member("daysOfWeek", .int),
                    Field.Member("referenceTimeZone", .text), Field.Member("shift", .text),
                    Field.Member("since", .instant), Field.Member("adjustment", .text),
                ]),
            Field(id: ScheduleFields.isActive, name: "isActive", type: .bool),
            Field(id: ScheduleFields.startDate, name: "startDate", type: .date),
            Field(id: ScheduleFields.endDate, name: "endDate", type: .date),
        ]
    ).reserved

    /// An event about a dose. It names medication and schedule as texts, not as references: history
    /// stays in sight when these are deleted. Name, amount, unit and form are those of the moment,
    /// in plain words: what the medication's record says later changes nothing that was.
    public static let doseEvent = Collection.log(
        id: 1_003, name: "doseEvent", scope: log,
        fields: [
            Field(id: DoseEventFields.medication, name: "medication", type: .text),
            Field(id: DoseEventFields.schedule, name: "schedule", type: .text),
            Field(id: DoseEventFields.scheduled, name: "scheduled", type: .instant),
            Field(
                id: DoseEventFields.event, name: "event",
                type: .choice(["taken", "skipped", "snoozed", "undone"])),
            Field(id: DoseEventFields.at, name: "at", type: .instant),
            Field(id: DoseEventFields.timeZone, name: "timeZone", type: .text),
            Field(id: DoseEventFields.reason, name: "reason", type: .choice(skipReasons)),
            Field(id: DoseEventFields.note, name: "note", type: .text),
            Field(id: DoseEventFields.device, name: "device", type: .text),
            Field(id: DoseEventFields.additional, name: "additional", type: .bool),
            Field(id: DoseEventFields.undoes, name: "undoes", type: .text),
            Field(id: DoseEventFields.quantity, name: "quantity", type: .decimal),
            Field(id: DoseEventFields.name, name: "name", type: .text),
            Field(id: DoseEventFields.amount, name: "amount", type: .decimal),
            Field(id: DoseEventFields.unit, name: "unit", type: .text),
            Field(id: DoseEventFields.form, name: "form", type: .text),
            Field(id: DoseEventFields.witness, name: "witness", type: .text),
        ]
    ).reserved

    /// A device's change of time zone.
    public static let timeZoneEvent = Collection.log(
        id: 1_004, name: "timeZoneEvent", scope: log,
        fields: [
            Field(id: TimeZoneEventFields.from, name: "from", type: .text),
            Field(id: TimeZoneEventFields.to, name: "to", type: .text),
            Field(
                id: TimeZoneEventFields.detection, name: "detection",
                type: .choice(["system", "firstStart", "person"])),
            Field(id: TimeZoneEventFields.at, name: "at", type: .instant),
            Field(id: TimeZoneEventFields.device, name: "device", type: .text),
        ]
    ).reserved

    /// A change of a schedule's timing, so that what was due before it stays what it was.
    public static let scheduleAdjustment = Collection.log(
        id: 1_005, name: "scheduleAdjustment", scope: log,
        fields: [
            Field(id: AdjustmentFields.schedule, name: "schedule", type: .text),
            Field(id: AdjustmentFields.timeZoneEvent, name: "timeZoneEvent", type: .text),
            Field(id: AdjustmentFields.strategy, name: "strategy", type: .choice(strategies)),
            Field(id: AdjustmentFields.before, name: "before", type: .text),
            Field(id: AdjustmentFields.after, name: "after", type: .text),
            Field(id: AdjustmentFields.at, name: "at", type: .instant),
            Field(id: AdjustmentFields.device, name: "device", type: .text),
        ]
    ).reserved

    /// The counts of the doses of a month, under its name, such as 2026-05: for devices that do
    /// not hold the month. Whoever writes it writes all of it.
    public static let doseTotal = Collection(
        id: 1_006, name: "doseTotal", scope: "totals", deletePolicy: .neverDelete,
        fields: [
            Field(
                id: TotalFields.total, name: "total",
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
