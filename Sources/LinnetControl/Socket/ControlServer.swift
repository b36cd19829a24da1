package import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Lets commands of the same user reach a running node. Everything runs on the loop's thread.
package final class ControlServer: @unchecked Sendable {
    private static let connectionLimit = 64
    private static let acceptsPerTurn = 16

    private let home: Home
    private let loop: EventLoop
    private let descriptor: Int32
    private let connected: @Sendable (ControlConnection) -> Void
    // The state below belongs to the loop's thread; `watch` traps on any other.
    private var connections: [ControlConnection] = []
    private var isClosed = false

    /// Listens in the home, whose lock the caller holds. `connected` gets every connection and sets
    /// what that does with requests.
    package init(
        home: Home, loop: EventLoop,
        connected: @escaping @Sendable (ControlConnection) -> Void
    ) throws(HomeError) {
        let descriptor = try ControlSocket.listen(in: home)
        guard Socket.makeNonBlocking(descriptor) else {
            throw .system(call: "fcntl", path: home.path(of: .control), code: errno)
        }
        self.home = home
        self.loop = loop
        self.descriptor = descriptor
        self.connected = connected
        loop.watch(descriptor, for: .read) { [self] _ in acceptWaiting() }
    }

    /// Ends all connections and removes the socket.
    package func close() {
        loop.checkIsolated()
        guard !isClosed else { return }
        isClosed = true
        loop.unwatch(descriptor)
        SystemCall.close(descriptor)
        ControlSocket.remove(from: home)
        for connection in connections { connection.close() }
    }

    private func acceptWaiting() {
        for _ in 0..<Self.acceptsPerTurn {
            let accepted = accept(descriptor, nil, nil)
            guard accepted >= 0 else { return }
            // The socket's directory and mode keep others out; this check holds where they do not.
            guard ControlSocket.peerUserID(accepted) == geteuid(),
                connections.count < Self.connectionLimit, Socket.makeNonBlocking(accepted)
            else {
                SystemCall.close(accepted)
                continue
            }
            add(accepted)
        }
    }

    private func add(_ accepted: Int32) {
        let connection = ControlConnection(adopting: accepted, loop: loop) { [weak self] gone in
            self?.connections.removeAll { $0 === gone }
        }
        connections.append(connection)
        connected(connection)
    }
}
