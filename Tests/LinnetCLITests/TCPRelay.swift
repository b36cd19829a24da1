import Dispatch
import Linnet
import LinnetDiscovery
import Synchronization
import Testing

/// A port that passes connections on to another one, counts what passes, and holds or cuts it.
final class TCPRelay: @unchecked Sendable {
    /// Which way bytes go: to the port that the relay stands for, or back to who dialled.
    enum Direction: Int {
        case forth, back
    }

    private struct Connection {
        let near: TCPLink
        var far: TCPLink?
        var held: [UInt8] = []

        func send(_ bytes: [UInt8], _ direction: Direction) {
            switch direction {
            case .forth: far?.send(bytes)
            case .back: near.send(bytes)
            }
        }
    }

    private struct State {
        var target: UInt16
        var passed = [0, 0]
        /// The way in which so many bytes may still pass.
        var allowance: (direction: Direction, bytes: Int)?
        var isHeld = false
    }

    private let state: Mutex<State>
    private let held = DispatchSemaphore(value: 0)
    private let loop: EventLoop
    // Belong to the loop's thread.
    private var listener: TCPListener?
    private var connections: [Int: Connection] = [:]
    private var last = 0

    /// Listens on loopback, and passes on to a port there.
    init(to target: UInt16) throws {
        loop = try #require(EventLoop())
        state = Mutex(State(target: target))
        let address = try Self.loopback(0)
        let outcome = onLoop { [self] in
            Result { () throws(ListenFailure) in
                listener = try TCPListener(at: address, loop: loop) { [weak self] socket, remote in
                    self?.accept(socket, remote)
                }
            }
        }
        try outcome.get()
    }

    /// Ends all connections and the relay with them.
    func end() {
        cut()
        onLoop { [self] in
            listener?.close()
            listener = nil
        }
        loop.stop()
    }

    /// Where to dial.
    var peer: String { onLoop { [self] in "127.0.0.1:\(listener?.address.port ?? 0)" } }

    /// Bytes that went on.
    func passed(_ direction: Direction) -> Int { state.withLock { $0.passed[direction.rawValue] } }

    /// New connections go to this port.
    func turn(to target: UInt16) { state.withLock { $0.target = target } }

    /// Lets so many more bytes pass in one direction and keeps what follows.
    func hold(_ direction: Direction, after bytes: Int) {
        state.withLock {
            $0.allowance = (direction, bytes)
            $0.isHeld = false
        }
    }

    /// Waits until something is kept; false when nothing is for long.
    func waitUntilHeld() -> Bool { held.wait(timeout: .now() + 60) == .success }

    /// Passes everything on again, first what was kept.
    func release() { passKept(then: nil) }

    /// Lets so many more bytes pass, first of what was kept, and keeps what follows again.
    func goOn(for bytes: Int) { passKept(then: bytes) }

    private func passKept(then allowed: Int?) {
        onLoop { [self] in
            let direction = state.withLock { state -> Direction? in
                let direction = state.allowance?.direction
                state.allowance = direction.flatMap { way in allowed.map { (way, $0) } }
                state.isHeld = false
                return direction
            }
            guard let direction else { return }
            for (number, connection) in connections {
                connections[number]?.held = []
                pass(connection.held, on: number, direction)
            }
        }
    }

    /// Breaks all connections, with what is kept of them; new ones pass everything.
    func cut() {
        onLoop { [self] in
            state.withLock { $0.allowance = nil }
            let broken = connections.values
            connections = [:]
            for connection in broken {
                connection.near.abort()
                connection.far?.abort()
            }
        }
    }

    private func accept(_ socket: Int32, _ remote: SocketAddress) {
        last += 1
        let number = last
        connections[number] = Connection(
            near: TCPLink(adopting: socket, remote: remote, loop: loop))
        let target = state.withLock { $0.target }
        guard let address = try? Self.loopback(target) else { return close(number) }
        _ = TCPDial(address, loop: loop) { [weak self] socket in
            guard let self, let socket else {
                self?.close(number)
                return
            }
            connect(number, TCPLink(adopting: socket, remote: address, loop: loop))
        }
    }

    private func connect(_ number: Int, _ far: TCPLink) {
        guard let near = connections[number]?.near else { return far.abort() }
        connections[number]?.far = far
        near.start { [weak self] in self?.heard($0, on: number, .forth) }
        far.start { [weak self] in self?.heard($0, on: number, .back) }
    }

    private func heard(_ event: CarrierEvent, on number: Int, _ direction: Direction) {
        switch event {
        case .received(let bytes): pass(bytes, on: number, direction)
        case .ended: close(number)
        }
    }

    private func pass(_ bytes: [UInt8], on number: Int, _ direction: Direction) {
        guard let connection = connections[number], !bytes.isEmpty else { return }
        let (count, isFirst) = state.withLock { state -> (Int, Bool) in
            guard let allowance = state.allowance, allowance.direction == direction else {
                state.passed[direction.rawValue] += bytes.count
                return (bytes.count, false)
            }
            let count = min(bytes.count, allowance.bytes)
            state.allowance = (direction, allowance.bytes - count)
            state.passed[direction.rawValue] += count
            let isFirst = count < bytes.count && !state.isHeld
            if isFirst { state.isHeld = true }
            return (count, isFirst)
        }
        connection.send(Array(bytes.prefix(count)), direction)
        connections[number]?.held += bytes.dropFirst(count)
        if isFirst { held.signal() }
    }

    private func close(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        connection.near.closeAfterFlush()
        connection.far?.closeAfterFlush()
    }

    private func onLoop<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result?>(nil)
        loop.post {
            let value = body()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("no answer") }
        return value
    }

    private static func loopback(_ port: UInt16) throws -> SocketAddress {
        SocketAddress(ip: try #require(IPAddress("127.0.0.1")), port: port)
    }
}
