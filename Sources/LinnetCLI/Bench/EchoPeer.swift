import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A bare TCP connection over loopback, whose other end sends back what it gets, on its own thread.
struct EchoPeer {
    private let near: Int32
    private static let bytes = 512
    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// Connects the two ends.
    init() throws(ControlFailure) {
        let listener = socket(AF_INET, Self.stream, 0)
        near = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let near = near
        let connected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
                    && connect(near, generic, length) == 0
            }
        }
        guard connected else { throw .failed("no connection over the loopback interface") }
        let far = accept(listener, nil, nil)
        close(listener)
        Self.sendAtOnce(near)
        Self.sendAtOnce(far)
        try Self.echo(far)
    }

    /// Measures `count` round trips, in microseconds, and closes the connection.
    func roundTrips(_ count: Int) throws(ControlFailure) -> [Double] {
        defer { close(near) }
        var buffer = [UInt8](repeating: 7, count: Self.bytes)
        var samples: [Double] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            guard unsafe write(near, buffer, Self.bytes) == Self.bytes, Self.fill(&buffer, near)
            else { throw .failed("the connection over the loopback interface ended") }
            samples.append((ContinuousClock.now - start).microseconds)
        }
        return samples
    }

    private static func fill(_ buffer: inout [UInt8], _ descriptor: Int32) -> Bool {
        var got = 0
        while got < bytes {
            let count = unsafe buffer.withUnsafeMutableBytes { space in
                unsafe read(descriptor, space.baseAddress?.advanced(by: got), bytes - got)
            }
            guard count > 0 else { return false }
            got += count
        }
        return true
    }

    private static func sendAtOnce(_ descriptor: Int32) {
        var on: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends back what comes, on a thread of its own, until the other end closes.
    private static func echo(_ descriptor: Int32) throws(ControlFailure) {
        var thread = pthread_t()
        let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor))
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                let descriptor = Int32(Int(bitPattern: argument))
                var buffer = [UInt8](repeating: 0, count: EchoPeer.bytes)
                while EchoPeer.fill(&buffer, descriptor) {
                    guard unsafe write(descriptor, buffer, EchoPeer.bytes) == EchoPeer.bytes else {
                        break
                    }
                }
                close(descriptor)
                return nil
            }, argument)
        guard status == 0 else { throw .failed("no thread for the echo") }
        pthread_detach(thread)
    }
}
