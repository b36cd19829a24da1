import LinnetCrypto
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The Unix socket through which commands reach the node that has their home open.
enum ControlSocket {
    /// Makes the socket, for this user alone, and listens; the caller holds the home's lock.
    static func listen(in home: Home) throws(HomeError) -> Int32 {
        let path = home.path(of: .control)
        let address = address(of: home)
        let descriptor = try make(path)
        var failure: (String, Int32)?
        unsafe unlink(address)
        if bind(descriptor, to: address) != 0 {
            failure = ("bind", errno)
        } else if unsafe chmod(address, 0o600) != 0 {
            failure = ("chmod", errno)
        } else if startListening(descriptor) != 0 {
            failure = ("listen", errno)
        }
        if let (call, code) = failure {
            SystemCall.close(descriptor)
            throw .system(call: call, path: path, code: code)
        }
        return descriptor
    }

    /// Removes the socket's name.
    static func remove(from home: Home) {
        unsafe _ = unlink(address(of: home))
    }

    /// Connects to the socket; the descriptor blocks.
    static func connect(to home: Home) throws(HomeError) -> Int32 {
        let path = home.path(of: .control)
        let descriptor = try make(path)
        let result = unsafe withAddress(address(of: home)) { pointer, length in
            #if canImport(Darwin)
                unsafe Darwin.connect(descriptor, pointer, length)
            #else
                unsafe Glibc.connect(descriptor, pointer, length)
            #endif
        }
        if result != 0 {
            let code = errno
            SystemCall.close(descriptor)
            throw .system(call: "connect", path: path, code: code)
        }
        return descriptor
    }

    /// Returns the user at the other end of a connection; nil when the system does not tell.
    static func peerUserID(_ descriptor: Int32) -> UInt32? {
        #if canImport(Darwin)
            var user: uid_t = 0
            var group: gid_t = 0
            return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #else
            // This is struct ucred: process, user and group, each of 32 bits.
            var credentials: [UInt32] = [0, 0, 0]
            var length = socklen_t(credentials.count * 4)
            let result = unsafe getsockopt(
                descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
            return result == 0 && length == 12 ? credentials[1] : nil
        #endif
    }

    /// Returns a path to the socket that fits into a socket address, however long the home's path
    /// is.
    static func address(of home: Home) -> String {
        let path = home.path(of: .control)
        if path.utf8.count < pathCapacity { return path }
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = unsafe confstr(_CS_DARWIN_USER_TEMP_DIR, &buffer, buffer.count)
            let bytes = buffer.prefix(max(0, length - 1)).map { UInt8(bitPattern: $0) }
            let name = Hash.blake2b(.check, Array(path.utf8), count: 16)
            return String(decoding: bytes, as: UTF8.self) + "linnet-" + Hex.encode(name)
        #else
            return "/proc/self/fd/\(home.directory.descriptor)/\(Home.File.control.rawValue)"
        #endif
    }

    private static let pathCapacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private static func make(_ path: String) throws(HomeError) -> Int32 {
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw .system(call: "socket", path: path, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            Socket.setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return descriptor
    }

    private static func bind(_ descriptor: Int32, to path: String) -> Int32 {
        unsafe withAddress(path) { pointer, length in
            #if canImport(Darwin)
                unsafe Darwin.bind(descriptor, pointer, length)
            #else
                unsafe Glibc.bind(descriptor, pointer, length)
            #endif
        }
    }

    private static func startListening(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.listen(descriptor, 64)
        #else
            Glibc.listen(descriptor, 64)
        #endif
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8.prefix(pathCapacity - 1))
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
