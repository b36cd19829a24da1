/// Something that another device did to the group, of which this device's person is asked *was that
/// you?*
public struct DeviceQuestion: Equatable, Sendable {
    /// The thing that was done.
    public enum Matter: Equatable, Sendable {
        /// A device was let in, which this device does not accept yet: its votes about this device
        /// do not count.
        case admission
        /// A device was taken out, for a reason; nil for one of a later version.
        case removal(RemovalReason?)
        /// A device was given another role than admin.
        case role(DeviceRole)
    }

    /// The membership record that did it, as 64 hexadecimal digits.
    public let record: String
    /// The thing that was done.
    public let matter: Matter
    /// The device that it was done to.
    public let device: Device
    /// The device that did it.
    public let by: Device
    /// True when it was done with the recovery words, which no vote undoes.
    public let isByRecovery: Bool
    /// True when this device is the one that it was done to.
    public let isSelf: Bool
    /// The time at which this device heard of it, in Unix milliseconds; nil where it is not
    /// known.
    public let heardMilliseconds: Int64?
    /// The person's answer: true for *yes*, false for *no*; nil while there is none.
    public let answer: Bool?
    /// The time at which this device accepts an admission by itself, in Unix milliseconds; nil when
    /// it does not.
    public let acceptanceMilliseconds: Int64?

    /// True when the person has not answered, or knows nothing of a device that belongs to the
    /// group.
    public var isOpen: Bool { answer == nil || matter == .admission && answer == false }
}
