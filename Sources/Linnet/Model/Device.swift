/// A device of the group, as this device knows it.
public struct Device: Hashable, Sendable {
    /// 64 hexadecimal digits: the device's public signing key.
    public let id: String
    /// The name that its person gave it; empty until its own record has arrived.
    public let name: String

    /// Joins the facts.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
