import LinnetCrypto
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command's end of the connection to the node that has its home open. Its calls block.
package final class ControlClient {
    private let descriptor: Int32
    private let home: Home
    private var frames = ControlFrames()
    /// The reason why the connection is no longer used: a later response may belong to an earlier
    /// request.
    private var end: ControlFailure?

    /// Connects; throws when no node listens.
    package init(_ home: Home) throws(HomeError) {
        descriptor = try ControlSocket.connect(to: home)
        self.home = home
    }

    /// Connects to the node that has the home at a path open; returns nil when there is no home, or
    /// no node listens there.
    package static func ifListening(at path: String) throws(HomeError) -> ControlClient? {
        do throws(HomeError) {
            return try ControlClient(try Home.open(at: path))
        } catch {
            switch error {
            case .missing, .system("connect", _, ENOENT), .system("connect", _, ECONNREFUSED):
                return nil
            default: throw error
            }
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request.
    package func send(_ request: ControlRequest) throws(ControlFailure) {
        if let end { throw end }
        var message = request.encoded
        defer { wipe(&message) }
        guard message.count <= ControlFrames.messageLimitBytes else {
            throw ControlFailure(.failed, "this is too much for one command: split the file")
        }
        var bytes = ControlFrames.frame(message)
        defer { wipe(&bytes) }
        var sent = 0
        while sent < bytes.count {
            switch Socket.send(descriptor, bytes, from: sent) {
            case .count(let count): sent += count
            case .wouldBlock: continue
            case .failed: throw lost()
            }
        }
    }

    /// Waits for the next response; without a time it waits for ever.
    package func receive(
        timeoutMilliseconds: Int32? = nil
    ) throws(ControlFailure) -> ControlResponse {
        while true {
            if let response = try bufferedResponse() { return response }
            try wait(timeoutMilliseconds ?? -1)
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            switch Socket.receive(descriptor, into: &buffer) {
            case .count(0), .failed: throw lost()
            case .count(let count): frames.append(Array(buffer.prefix(count)))
            case .wouldBlock: continue
            }
        }
    }

    /// Returns the next response, or nil when none comes within the time.
    package func next(
        within milliseconds: Int32
    ) throws(ControlFailure) -> ControlResponse? {
        if let response = try bufferedResponse() { return response }
        return try isReadable(within: milliseconds) ? try receive() : nil
    }

    private func bufferedResponse() throws(ControlFailure) -> ControlResponse? {
        guard let message = try nextMessage() else { return nil }
        guard let response = try? ControlResponse(decoding: message) else {
            throw ended(
                ControlFailure(
                    .failed, "the running node is another version of linnet; restart it"))
        }
        return response
    }

    private func nextMessage() throws(ControlFailure) -> [UInt8]? {
        do throws(WireError) {
            return try frames.next()
        } catch {
            throw ended(ControlFailure(.failed, "the running node answers with too much"))
        }
    }

    private func wait(_ milliseconds: Int32) throws(ControlFailure) {
        if let end { throw end }
        guard try isReadable(within: milliseconds) else {
            throw ended(
                ControlFailure(
                    .unreachable,
                    "the process that has \(home.path) open does not answer;"
                        + " whether it carries the command out is not known"))
        }
    }

    private func isReadable(within milliseconds: Int32) throws(ControlFailure) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = unsafe poll(&entry, 1, milliseconds)
            if ready >= 0 { return ready > 0 }
            if errno != EINTR { throw lost() }
        }
    }

    /// Ends the connection, and with it what the node does for this command alone.
    func abandon(_ reason: ControlFailure) { _ = ended(reason) }

    private func lost() -> ControlFailure {
        ended(
            ControlFailure(
                .unreachable,
                "the process that had \(home.path) open went away;"
                    + " whether it carried the command out is not known"))
    }

    private func ended(_ reason: ControlFailure) -> ControlFailure {
        if end == nil {
            end = reason
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        return reason
    }
}
