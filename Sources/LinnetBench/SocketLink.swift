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
