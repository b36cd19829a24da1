/// The state of the desktop, as far as it is seen without showing anything.
package enum DesktopServer: Equatable, Sendable {
    /// A server shows notices; the flag says whether it claims to show actions.
    case answers(name: String, hasActions: Bool)
    /// The bus starts a server when it is needed.
    case startable
    /// There is a bus, and nobody who shows notices.
    case missing
    /// There is no session bus; the number is that of the system's error, 0 where the system has
    /// none at all.
    case noBus(Int32)
}
