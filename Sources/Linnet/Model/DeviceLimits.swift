/// What a kind of device holds and may use; the defaults of a node of that kind.
public struct DeviceLimits: Equatable, Sendable {
    /// Whether it holds, of collections divided by time, only this period and the one before.
    public let holdsRecentOnly: Bool
    /// Whether it opens sockets when it has a companion link.
    public let usesNetworkBesideLink: Bool
    /// Memory that its node stays below, in bytes; nil where nobody counts.
    public let residentBytes: Int?
    /// Bytes on its disk that its home stays below with a year of history elsewhere.
    public let diskBytes: Int?

    /// The limits of a kind of device.
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
