import LinnetCrypto
package import LinnetSystem
package import LinnetWire

/// One command that is connected to the node. Everything runs on the loop's thread.
package final class ControlConnection: @unchecked Sendable {
    /// The most bytes that wait for a command that does not read: two of the longest messages.
    private static let queueLimitBytes = 2 * ControlFrames.messageLimitBytes
    private static let readByteCount = 64 << 10

    /// Takes a message by its number, and throws when it means nothing.
    package typealias Taking =
        @Sendable (UInt64, inout CBORReader) throws(WireError) -> Void

    /// Runs for every message.
    package var onMessage: Taking?
    /// Runs once when the command goes away.
    package var onClose: (@Sendable () -> Void)?

    private let descriptor: Int32
    /// The loop on whose thread it lives.
    package let loop: EventLoop
    private let closed: @Sendable (ControlConnection) -> Void
    // The state below belongs to the loop's thread; `watch` traps on any other.
    private var frames = ControlFrames()
    private var queue: [UInt8] = []
    private var written = 0
    private var isOpen = true
    /// The calls that run once the command has taken everything.
    private var waiting: [@Sendable () -> Void] = []

    init(
        adopting descriptor: Int32, loop: EventLoop,
        closed: @escaping @Sendable (ControlConnection) -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.closed = closed
        loop.watch(descriptor, for: .read) { [self] in ready($0) }
    }

    /// Sends a response; does nothing when the command has gone away.
    package func send<Answer>(_ response: ControlResponse<Answer>) {
        loop.checkIsolated()
        guard isOpen else { return }
        var bytes = response.encoded
        if bytes.count > ControlFrames.messageLimitBytes {
            bytes = Self.failure("the answer is larger than 256 MiB; ask for less at a time")
        }
        send(encoded: bytes)
    }

    private static func failure(_ reason: String) -> [UInt8] {
        ControlResponse<NoAnswer>.failed(ControlFailure(.failed, reason)).encoded
    }

    private func send(encoded bytes: [UInt8]) {
        guard queue.count - written + bytes.count <= Self.queueLimitBytes else { return close() }
        queue += ControlFrames.frame(bytes)
        flush()
    }

    /// Runs `body` once the command has taken everything that was sent, or has gone away.
    package func whenTaken(_ body: @escaping @Sendable () -> Void) {
        loop.checkIsolated()
        if isOpen, !queue.isEmpty { waiting.append(body) } else { body() }
    }

    private func tellTaken() {
        let told = waiting
        waiting = []
        told.forEach { $0() }
    }

    /// Ends the connection; what was not read yet is lost.
    package func close() {
        loop.checkIsolated()
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(descriptor)
        SystemCall.close(descriptor)
        queue = []
        tellTaken()
        closed(self)
        let action = onClose
        onClose = nil
        onMessage = nil
        action?()
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.write) { flush() }
        if isOpen && !readiness.isDisjoint(with: [.read, .broken]) { read() }
    }

    private func flush() {
        while written < queue.count {
            switch Socket.send(descriptor, queue, from: written) {
            case .count(let count): written += count
            case .wouldBlock: return loop.setInterest([.read, .write], of: descriptor)
            case .failed: return close()
            }
        }
        queue = []
        written = 0
        loop.setInterest(.read, of: descriptor)
        tellTaken()
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.readByteCount)
        defer { wipe(&buffer) }
        switch Socket.receive(descriptor, into: &buffer) {
        case .wouldBlock: break
        case .failed, .count(0): close()
        case .count(let count):
            var bytes = Array(buffer.prefix(count))
            frames.append(bytes)
            wipe(&bytes)
            takeMessages()
        }
    }

    private func takeMessages() {
        while isOpen {
            do {
                guard var message = try frames.next() else { return }
                defer { wipe(&message) }
                try ControlCoding.decode(message) {
                    (number, reader) throws(WireError) -> Void in
                    try onMessage?(number, &reader)
                }
            } catch {
                send(
                    encoded: Self.failure(
                        "the running node does not understand this command; restart it"))
                return close()
            }
        }
    }
}
