public import LinnetCRDT

extension Schema {
    /// The devices and the day of someone who takes medicines, version 4: the first one ended with
    /// `medication.isActive`, the second with `medication.minimumStock`, the third with
    /// `doseEvent.quantity` and had no totals.
    public static let demonstration = Schema(
        version: 4,
        checked: [
            devices, medication, stock, schedule, doseEvent, timeZoneEvent, scheduleAdjustment,
            doseTotal,
        ])
}
