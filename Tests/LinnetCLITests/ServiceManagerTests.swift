import Glibc
import Linnet
import LinnetCLI
import LinnetControl
import Testing

/// The service manager's socket, as systemd has it.
private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(in directory: String) throws {
        path = "\(directory)/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: Array(path.utf8))
        }
        let bound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(descriptor >= 0 && bound == 0)
        // A test that waits in vain fails.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func next() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        try #require(count > 0)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ServiceManagerTests {
    @Test func `a node tells the service manager that it is ready, lives and stops`() throws {
        let device = try TestDevice.founder()
        let socket = try NotifySocket(in: device.directory)
        let (process, output) = try device.start(
            ["run", "--listen", "127.0.0.1:0", "--no-discovery", "--home", device.home],
            environment: [("NOTIFY_SOCKET", socket.path), ("WATCHDOG_USEC", "20000")])
        #expect(try socket.next() == "READY=1")
        #expect(try socket.next() == "WATCHDOG=1")
        #expect(try socket.next() == "WATCHDOG=1")
        kill(process.id, SIGTERM)
        var told = try socket.next()
        while told == "WATCHDOG=1" { told = try socket.next() }
        #expect(told == "STOPPING=1")
        #expect(device.finish(process, output).code == 0)
    }

    @Test func `only a manager that wants to hear is told, within the time that it gives`() {
        func manager(_ variables: [String: String]) -> ServiceManager? {
            ServiceManager(environment: { variables[$0] }, process: 7)
        }
        #expect(manager([:]) == nil)
        #expect(manager(["NOTIFY_SOCKET": "relative"]) == nil)
        let usual = ["NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "60000000"]
        #expect(manager(usual)?.watchdogMilliseconds == 60_000)
        #expect(manager(usual)?.tell("READY=1") == false)
        let other = usual.merging(["WATCHDOG_PID": "8"]) { $1 }
        #expect(manager(other)?.watchdogMilliseconds == nil)
        let own = usual.merging(["WATCHDOG_PID": "7"]) { $1 }
        #expect(manager(own)?.watchdogMilliseconds == 60_000)
        let long = ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)]
        #expect(manager(long)?.tell("READY=1") == false)
    }
}
