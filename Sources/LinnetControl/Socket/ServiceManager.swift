import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The service manager that started this process and wants to hear from it, by the protocol of
/// systemd's `sd_notify(3)`: datagrams to the socket that `NOTIFY_SOCKET` names.
package struct ServiceManager: Sendable {
    /// The time within which it wants to hear that the process lives, in milliseconds; nil where it
    /// does not watch.
    package let watchdogMilliseconds: Int64?
    private let path: [UInt8]

    /// Reads the variables; nil where nobody wants to hear.
    package init?(environment: (String) -> String?, process: Int32) {
        guard let socket = environment("NOTIFY_SOCKET"), let first = socket.utf8.first,
            first == 0x2f || first == 0x40
        else { return nil }
        var path = Array(socket.utf8)
        // An address that begins with @ has no file.
        if first == 0x40 { path[0] = 0 }
        self.path = path
        let isMeant = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
        let interval = environment("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        watchdogMilliseconds = isMeant && interval >= 2_000 ? interval / 1_000 : nil
    }

    /// Tells it a state, as `READY=1`; false when it cannot be told.
    @discardableResult
    package func tell(_ state: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in path.enumerated() { unsafe place[index] = byte }
        }
        let descriptor = Self.open()
        guard descriptor >= 0 else { return false }
        defer { SystemCall.close(descriptor) }
        let bytes = Array(state.utf8)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe sendto(descriptor, bytes, bytes.count, 0, place, length) == bytes.count
            }
        }
    }

    private static func open() -> Int32 {
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }
}
