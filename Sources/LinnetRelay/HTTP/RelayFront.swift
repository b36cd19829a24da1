import LinnetDiscovery
import LinnetSystem

/// The server that takes new connections, and those before it, which had other certificates and end
/// what they have begun. It belongs to the loop's thread.
final class RelayFront: @unchecked Sendable {
    private let loop: EventLoop
    private let desk: RelayDesk
    /// Hears that nothing more may be written.
    let failed: @Sendable (RelayError) -> Void
    private var current: RelayServer
    private var retiring: [RelayServer] = []

    /// Starts; nil when the system has no descriptor or memory left, or the certificate is none.
    init?(
        loop: EventLoop, desk: RelayDesk, identity: RelayIdentity?,
        failed: @escaping @Sendable (RelayError) -> Void
    ) {
        guard let server = RelayServer(loop: loop, desk: desk, identity: identity) else {
            return nil
        }
        (self.loop, self.desk, self.failed, current) = (loop, desk, failed, server)
        server.front = self
    }

    /// Takes a connection over, and closes it in any case.
    func adopt(_ descriptor: Int32, from remote: SocketAddress) {
        current.adopt(descriptor, from: remote)
    }

    /// Shows new connections another certificate; false where it is none, and the one before stays.
    func renew(_ identity: RelayIdentity) -> Bool {
        loop.checkIsolated()
        guard !current.isClosing,
            let server = RelayServer(loop: loop, desk: desk, identity: identity)
        else { return false }
        server.front = self
        retiring.removeAll(where: \.isClosing)
        retiring.append(current)
        let before = current
        current = server
        before.retire()
        return true
    }

    /// Tells those who wait in a place of what an account put there.
    func tell(of access: RelayAccess) {
        for server in retiring + [current] where !server.isClosing { server.endWaits(for: access) }
    }

    /// Answers what waits, and closes all connections.
    func close() { for server in retiring + [current] { server.close() } }
}
