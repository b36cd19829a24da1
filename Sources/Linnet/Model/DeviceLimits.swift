/// The amounts that a kind of device holds and may use; they are the defaults of a node of that
/// kind.
public struct DeviceLimits: Equatable, Sendable {
    /// True when it holds only the current and the previous period of collections that are divided
    /// by time.
    public let holdsRecentOnly: Bool
    /// True when it opens sockets even with a companion link.
    public let usesNetworkBesideLink: Bool
    /// The memory that its node stays below, in bytes; nil where nobody counts.
    public let residentBytes: Int?
    /// The bytes on its disk that its home stays below with a year of history elsewhere; nil where
    /// nobody counts.
    public let diskBytes: Int?

    /// Returns the limits of a kind of device.
    public static func of(_ kind: DeviceKind) -> DeviceLimits {
        switch kind {
        case .watch:
            DeviceLimits(
                holdsRecentOnly: true, usesNetworkBesideLink: false, residentBytes: 24 << 20,
                diskBytes: 8 << 20)
        case .phone, .laptop, .hub, .other:
            DeviceLimits(
                holdsRecentOnly: false, usesNetworkBesideLink: true, residentBytes: nil,
                diskBytes: nil)
        }
    }
}
