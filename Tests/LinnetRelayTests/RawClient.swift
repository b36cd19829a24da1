import Glibc
import LinnetSystem

/// A client that says any bytes to a relay on loopback, and hears all that is answered.
struct RawClient: ~Copyable {
    private let descriptor: Int32

    init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failure = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(failure == 0, "the relay takes no connection")
    }

    deinit { close(descriptor) }

    func say(_ bytes: [UInt8]) {
        HelperThread.ignoreBrokenPipes()
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func say(_ text: String) { say(Array(text.utf8)) }

    /// Says that nothing more is said.
    func endSaying() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The status of the next answer; nil when the relay hangs up without one.
    func status() -> Int? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains("\r\n") {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return Int(text.split(separator: " ").dropFirst().first ?? "")
    }
}
