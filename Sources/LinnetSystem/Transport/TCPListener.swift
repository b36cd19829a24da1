import LinnetDiscovery

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Accepts TCP connections. Everything runs on the loop's thread.
package final class TCPListener: @unchecked Sendable {
    /// The most connections taken in one turn, so that a flood cannot starve the sessions.
    private static let acceptsPerTurn = 16
    /// The pause after the process ran out of descriptors or memory, in milliseconds.
    private static let pauseMilliseconds: Int64 = 500

    /// The bound address, with the port that the system chose when 0 was asked for.
    package let address: SocketAddress
    private let descriptor: Int32
    private let loop: EventLoop
    private let accepted: @Sendable (Int32, SocketAddress) -> Void
    // This belongs to the loop's thread.
    private var isClosed = false

    /// Listens at an address; an unspecified IPv6 address takes IPv4 connections too. `accepted`
    /// owns the descriptor that it is given.
    package init(
        at address: SocketAddress, loop: EventLoop,
        accepted: @escaping @Sendable (Int32, SocketAddress) -> Void
    ) throws(ListenFailure) {
        guard let descriptor = Socket.stream(family: address.family) else {
            throw ListenFailure(code: errno)
        }
        Socket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.ip.isIPv6 {
            Socket.setOption(descriptor, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), 0)
        }
        let failure = Socket.listen(descriptor, at: address, backlog: 128)
        guard failure == 0, let bound = Socket.localAddress(descriptor) else {
            SystemCall.close(descriptor)
            throw ListenFailure(code: failure)
        }
        self.address = bound
        self.descriptor = descriptor
        self.loop = loop
        self.accepted = accepted
        watch()
    }

    // Only a listener whose loop has ended is still open here.
    deinit {
        if !isClosed { SystemCall.close(descriptor) }
    }

    /// Stops listening; accepted connections live on.
    package func close() {
        loop.checkIsolated()
        guard !isClosed else { return }
        isClosed = true
        loop.unwatch(descriptor)
        SystemCall.close(descriptor)
    }

    private func watch() {
        loop.watch(descriptor, for: .read) { [self] _ in acceptWaiting() }
    }

    private func acceptWaiting() {
        for _ in 0..<Self.acceptsPerTurn {
            guard !isClosed else { return }
            switch Socket.acceptNext(descriptor) {
            case .connection(let connection, let remote): accepted(connection, remote)
            case .none: return
            case .exhausted: return pause()
            }
        }
    }

    /// Pauses: the waiting connection keeps the socket readable, and the loop would spin.
    private func pause() {
        loop.unwatch(descriptor)
        let deadline = SystemClock.uptimeMilliseconds() + Self.pauseMilliseconds
        _ = loop.schedule(at: deadline) { [self] in
            if !isClosed { watch() }
        }
    }
}

/// The system's reason for refusing to listen.
package struct ListenFailure: Error, Equatable, Sendable {
    /// The system's error number.
    package let code: Int32

    /// Takes the system's error number.
    package init(code: Int32) { self.code = code }

    /// The system's text about it.
    package var reason: String { SystemError.text(of: code) }
}
