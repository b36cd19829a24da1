import LinnetCrypto
package import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command's end of the connection to the node that has its home open. Its calls block; after one
/// that found the connection lost, or an answer cut short, every other fails for the same reason.
package final class ControlClient {
    private let descriptor: Int32
    private let home: Home
    private var frames = ControlFrames()
    /// The end of the connection's use: what comes after it may belong to an earlier request.
    private var end: ControlFailure?

    /// Connects; throws when nobody listens.
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
        SystemCall.close(descriptor)
    }

    /// Sends a request.
    package func send(_ request: some ControlRequest) throws(ControlFailure) {
        try send(encoded: request.encoded)
    }

    /// Says what belongs to the request under way.
    package func send(_ reply: ControlReply) throws(ControlFailure) {
        try send(encoded: reply.encoded)
    }

    private func send(encoded: [UInt8]) throws(ControlFailure) {
        if let end { throw end }
        var message = encoded
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
    package func receive<Answer>(
        timeoutMilliseconds: Int32? = nil
    ) throws(ControlFailure) -> ControlResponse<Answer> {
        while true {
            if let response: ControlResponse<Answer> = try bufferedResponse() { return response }
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
    package func next<Answer>(
        within milliseconds: Int32
    ) throws(ControlFailure) -> ControlResponse<Answer>? {
        if let response: ControlResponse<Answer> = try bufferedResponse() { return response }
        return try isReadable(within: milliseconds) ? try receive() : nil
    }

    private func bufferedResponse<Answer>() throws(ControlFailure) -> ControlResponse<Answer>? {
        guard let message = try nextMessage() else { return nil }
        do throws(WireError) {
            return try ControlResponse(decoding: message)
        } catch {
            throw ended(
                ControlFailure(
                    .failed, "the running node is another version of linnet; restart it"))
        }
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

    private func lost() -> ControlFailure {
        ended(
            ControlFailure(
                .unreachable,
                "the process that had \(home.path) open went away;"
                    + " whether it carried the command out is not known"))
    }

    /// Ends the connection, and with it what the node does for this command alone.
    private func ended(_ reason: ControlFailure) -> ControlFailure {
        if end == nil {
            end = reason
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        return reason
    }
}

extension ControlClient {
    /// Carries a request out: hands every answer to `hear`, which may say something to it, and
    /// tells `tell` how far long work is.
    package func converse<Request: ControlRequest>(
        _ request: Request, within milliseconds: Int32?, tell: (ControlProgress) -> Void,
        _ hear: (Request.Answer) throws(ControlFailure) -> ControlReply?
    ) throws(ControlFailure) {
        try send(request)
        while true {
            let response: ControlResponse<Request.Answer> = try receive(
                timeoutMilliseconds: Request.isLong ? nil : milliseconds)
            switch response {
            case .done: return
            case .failed(let failure): throw failure
            case .progress(let progress): tell(progress)
            case .answer(let answer):
                do throws(ControlFailure) {
                    if let reply = try hear(answer) { try send(reply) }
                } catch {
                    // The rest of this answer would be taken for another.
                    throw ended(error)
                }
            }
        }
    }

    /// Asks, and returns the answer.
    package func ask<Request: ControlRequest>(
        _ request: Request, within milliseconds: Int32?
    ) throws(ControlFailure) -> Request.Answer {
        var whole: Request.Answer?
        try converse(request, within: milliseconds, tell: { _ in }) {
            (answer) throws(ControlFailure) in
            whole.append(answer)
            return nil
        }
        return try whole.orSilence()
    }
}

extension Optional where Wrapped: ControlAnswer {
    /// Joins the next part of an answer.
    package mutating func append(_ next: Wrapped) {
        if self == nil { self = next } else { self?.append(next) }
    }

    /// Returns the whole answer; throws when none came and one was due.
    package func orSilence() throws(ControlFailure) -> Wrapped {
        guard let answer = self ?? Wrapped.silence else {
            throw ControlFailure(.failed, "the running node gave no answer; restart it")
        }
        return answer
    }
}
