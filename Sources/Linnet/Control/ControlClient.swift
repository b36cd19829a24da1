import LinnetCrypto
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command's end of the connection to the node that has its home open. Its calls block.
package struct ControlClient: ~Copyable {
    private let descriptor: Int32
    private let home: Home
    private var frames = ControlFrames()

    /// Connects; throws when no node listens.
    package init(_ home: Home) throws(HomeError) {
        descriptor = try ControlSocket.connect(to: home)
        self.home = home
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request.
    package borrowing func send(_ request: ControlRequest) throws(ControlFailure) {
        var message = request.encoded
        defer { wipe(&message) }
        guard message.count <= ControlFrames.messageLimitBytes else {
            throw ControlFailure(.failed, "too much for one command: split the file")
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
    package mutating func receive(
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
    package mutating func next(
        within milliseconds: Int32
    ) throws(ControlFailure) -> ControlResponse? {
        if let response = try bufferedResponse() { return response }
        return try isReadable(within: milliseconds) ? try receive() : nil
    }

    private mutating func bufferedResponse() throws(ControlFailure) -> ControlResponse? {
        guard let message = try nextMessage() else { return nil }
        guard let response = try? ControlResponse(decoding: message) else {
            throw ControlFailure(
                .failed, "the running node is another version of linnet; restart it")
        }
        return response
    }

    private mutating func nextMessage() throws(ControlFailure) -> [UInt8]? {
        do throws(WireError) {
            return try frames.next()
        } catch {
            throw ControlFailure(.failed, "the running node answers with too much")
        }
    }

    private borrowing func wait(_ milliseconds: Int32) throws(ControlFailure) {
        guard try isReadable(within: milliseconds) else {
            throw ControlFailure(
                .unreachable,
                "the process that has \(home.path) open does not answer;"
                    + " whether it carries the command out is not known")
        }
    }

    private borrowing func isReadable(within milliseconds: Int32) throws(ControlFailure) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = unsafe poll(&entry, 1, milliseconds)
            if ready >= 0 { return ready > 0 }
            if errno != EINTR { throw lost() }
        }
    }

    private borrowing func lost() -> ControlFailure {
        ControlFailure(
            .unreachable,
            "the process that had \(home.path) open went away;"
                + " whether it carried the command out is not known")
    }
}
