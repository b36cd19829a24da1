/// The effects that another role of a device will have.
public struct DeviceRolePlan: Equatable, Sendable {
    /// The device.
    public let device: Device
    /// Its role now.
    public let before: DeviceRole
    /// The role that it would have.
    public let after: DeviceRole
    /// The scopes to which it is bound now; nil for one that is bound to none.
    public let scopesBefore: [String]?
    /// The scopes to which it would be bound.
    public let scopesAfter: [String]?
    /// The number of batches by it that are here and go on to count.
    public let batchesKept: Int
    /// The members that will not hear of it at once, since they are not connected.
    public let unheard: [Device]
}
