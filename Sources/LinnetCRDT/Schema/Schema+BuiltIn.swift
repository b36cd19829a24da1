extension Schema {
    /// The fields of a device's row, by number.
    package enum DeviceFields {
        /// The name that its people gave it.
        package static let name: UInt32 = 1
        /// The word for the kind of device.
        package static let kind: UInt32 = 2
        /// The policy for what is found about programs; in the row of the group alone.
        package static let integrity: UInt32 = 3
    }

    /// The devices of the group, as their people call them; every schema has this collection.
    public static let devices = Collection(
        id: 1, name: "devices", scope: "devices",
        fields: [
            Field(id: DeviceFields.name, name: "name", type: .text),
            Field(
                id: DeviceFields.kind, name: "kind",
                type: .choice(["phone", "watch", "laptop", "hub", "other"])),
            Field(
                id: DeviceFields.integrity, name: "integrity",
                type: .choice(["block", "warn", "log", "none"])),
        ]
    ).reserved
}
