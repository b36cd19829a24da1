#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The few socket calls of the module, each non-blocking, with `errno` as the error.
package enum Socket {
    /// The result of one read or write.
    package enum Transfer: Equatable {
        case count(Int)
        case wouldBlock
        case failed(Int32)
    }

    /// The result of accept(2).
    enum Acceptance {
        case connection(Int32, SocketAddress)
        case none
        case exhausted(Int32)
    }

    /// Makes a descriptor non-blocking and closed on exec; returns false when that is refused.
    package static func makeNonBlocking(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    /// Makes a non-blocking TCP socket of a family; nil, with `errno` set, when it is refused.
    static func stream(family: Int32) -> Int32? {
        #if canImport(Darwin)
            let descriptor = socket(family, SOCK_STREAM, 0)
        #else
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        guard makeNonBlocking(descriptor) else {
            SystemCall.close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Makes a socket send small messages at once and never raise SIGPIPE.
    static func tune(_ descriptor: Int32) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        #if canImport(Darwin)
            setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    /// Sets an integer option; a refused one is left as it was.
    package static func setOption(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
    ) {
        var value = value
        _ = unsafe setsockopt(
            descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Starts connecting; after 0 or EINPROGRESS the outcome comes with writability.
    static func connect(_ descriptor: Int32, to address: SocketAddress) -> Int32 {
        unsafe address.withSocketAddress { pointer, length in
            #if canImport(Darwin)
                unsafe Darwin.connect(descriptor, pointer, length) == 0 ? 0 : errno
            #else
                unsafe Glibc.connect(descriptor, pointer, length) == 0 ? 0 : errno
            #endif
        }
    }

    /// Binds and listens; returns 0 or `errno`.
    static func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32) -> Int32 {
        let bound = unsafe address.withSocketAddress { pointer, length in
            unsafe bind(descriptor, pointer, length)
        }
        guard bound == 0 else { return errno }
        #if canImport(Darwin)
            return Darwin.listen(descriptor, backlog) == 0 ? 0 : errno
        #else
            return Glibc.listen(descriptor, backlog) == 0 ? 0 : errno
        #endif
    }

    /// Takes one waiting connection, non-blocking and tuned.
    static func acceptNext(_ listener: Int32) -> Acceptance {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe accept(listener, $0, &length)
            }
        }
        guard descriptor >= 0 else {
            let exhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
            return exhausted.contains(errno) ? .exhausted(errno) : .none
        }
        guard makeNonBlocking(descriptor), let address = SocketAddress(storage) else {
            SystemCall.close(descriptor)
            return .none
        }
        tune(descriptor)
        return .connection(descriptor, address)
    }

    /// Returns the error that ended a connection attempt; 0 for none.
    static func pendingError(_ descriptor: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return result == 0 ? error : errno
    }

    /// Returns the address that a socket is bound to.
    static func localAddress(_ descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return result == 0 ? SocketAddress(storage) : nil
    }

    /// Reads into `buffer`; a count of 0 is the end of the stream.
    package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Transfer {
        transfer(unsafe recv(descriptor, &buffer, buffer.count, 0))
    }

    /// Writes as much of `bytes[start...]` as the kernel takes.
    package static func send(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Transfer {
        let sent = unsafe bytes.withUnsafeBytes { raw in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[start...])
            #if canImport(Darwin)
                return unsafe Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
            #else
                return unsafe Glibc.send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            #endif
        }
        return transfer(sent)
    }

    private static func transfer(_ result: Int) -> Transfer {
        if result >= 0 { return .count(result) }
        let blocked = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR
        return blocked ? .wouldBlock : .failed(errno)
    }
}
