import CBench
import LinnetReplication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One home's end of a connection to another process.
final class SocketLink {
    let home: BenchHome
    let socket: Int32
    let id: LinkID
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(_ home: BenchHome, _ socket: Int32) {
        self.home = home
        self.socket = socket
        id = LinkID(rawValue: UInt64(BenchClock.seconds * 1e6))
    }

    /// Starts the helper in one of its roles, with a home at a path, and takes the connection that
    /// it dials for a home of this process.
    static func accepting(
        _ home: BenchHome, from helper: String, as role: String, at path: String
    ) throws -> (child: BenchProcess, link: SocketLink) {
        var port: Int32 = 0
        let listener = unsafe bench_tcp_listen(&port)
        try require(listener >= 0, "cannot listen")
        defer { close(listener) }
        let child = try BenchProcess(helper, [role, path, "\(port)"])
        let socket = bench_tcp_accept(listener)
        try require(socket >= 0, "the other process did not come")
        let link = SocketLink(home, socket)
        home.handle(.linkOpened(link.id, .accepted))
        return (child, link)
    }

    func end() { close(socket) }

    /// Writes what the replica has to say.
    func send() throws {
        for (_, bytes) in home.outgoing {
            var done = 0
            while done < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { all in
                    unsafe write(
                        socket, all.baseAddress?.advanced(by: done), all.count - done)
                }
                try require(count > 0, "the connection broke")
                done += count
            }
        }
        home.outgoing.removeAll(keepingCapacity: true)
    }

    /// Waits for bytes and hands them to the replica.
    func receive() throws {
        let got = unsafe read(socket, &buffer, buffer.count)
        try require(got > 0, "the connection ended")
        home.handle(.received(id, Array(buffer[..<got])))
    }

    func turn() throws {
        try send()
        try receive()
        try send()
    }
}
