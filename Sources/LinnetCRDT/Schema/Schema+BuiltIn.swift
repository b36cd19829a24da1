extension Schema {
    /// The devices of the group, as their people call them: in every schema.
    public static let devices = Collection(
        id: 1, name: "devices", scope: "devices",
        fields: [
            Field(id: 1, name: "name", type: .text),
            Field(
                id: 2, name: "kind", type: .choice(["phone", "watch", "laptop", "hub", "other"])),
        ])

    /// Devices and the day of someone who takes medicines, version 4: the first one ended with
    /// `medication.isActive`, the second with `medication.minimumStock`, the third with
    /// `doseEvent.quantity` and had no totals.
    public static let demonstration = Schema(version: 4, checked: builtIn)

    /// The collections below 2000, in ascending order of their numbers.
    package static let builtIn = [
        devices, medication, stock, schedule, doseEvent, timeZoneEvent, scheduleAdjustment,
        doseTotal,
    ]
}
