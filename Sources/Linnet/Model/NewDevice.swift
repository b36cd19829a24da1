public import LinnetCRDT

/// The device that ``Node/open(at:orCreating:passphrase:)`` makes where there is none.
public struct NewDevice: Sendable {
    /// The name that its person gives it.
    public let name: String
    /// The kind of the device.
    public let kind: DeviceKind
    /// The application's collections; nil where the group's are learned.
    public let schema: Schema?
    /// True when it founds a group; otherwise it belongs to none until it joins one.
    let founds: Bool

    /// Describes a device that founds a group with these collections.
    public static func founding(name: String, kind: DeviceKind, schema: Schema) -> NewDevice {
        NewDevice(name: name, kind: kind, schema: schema, founds: true)
    }

    /// Describes a device that is to join a group; without a schema it learns the group's.
    public static func joining(
        name: String, kind: DeviceKind, schema: Schema? = nil
    ) -> NewDevice {
        NewDevice(name: name, kind: kind, schema: schema, founds: false)
    }
}
