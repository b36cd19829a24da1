import Linnet
import LinnetAPI
import LinnetControl
import LinnetDiscovery
import LinnetWire
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The things that the demonstration's devices share: how they find each other, and the time limit.
final class DemoStage {
    /// The way in which the devices find each other.
    enum Finding: String {
        /// The machine's mDNS daemon.
        case runningDaemon = "the running mDNS daemon"
        /// A daemon of the demonstration, confined to a loopback interface.
        case privateDaemon = "a private mDNS daemon, confined to loopback"
        /// Addresses that are handed over, because there is no daemon and none can be started.
        case addresses = "addresses on loopback (no mDNS daemon, and none can be started here)"
    }

    let paths: DemoPaths
    private(set) var finding = Finding.runningDaemon
    private(set) var environment: [(String, String)] = []
    /// Every process that was started and may still run.
    var children: [ChildProcess] = []
    private(set) var daemon: ChildProcess?
    private var ports: [String: String] = [:]
    private let deadline = SystemClock.now().uptimeMilliseconds + DemoStage.limitMilliseconds
    private let isInterrupted = Flag()

    /// The time after which the demonstration fails, in milliseconds.
    private static let limitMilliseconds: Int64 = 120_000

    /// A flag that the signal's thread sets and the demonstration reads.
    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    init(_ paths: DemoPaths) {
        self.paths = paths
        let flag = isInterrupted
        Signals.onTermination { flag.value.withLock { $0 = true } }
    }

    /// Finds an mDNS daemon, or starts one.
    func prepare() async throws(ControlFailure) {
        switch await DaemonProbe.state() {
        case .searching, .found: finding = .runningDaemon
        default: finding = try await startDaemon() ? .privateDaemon : .addresses
        }
    }

    /// The directory that stands in for the system's own link between phone and watch.
    var companionLink: String { "\(paths.directory.path)/companion-link" }

    /// The directory that the phone's app and its widgets share.
    var share: String { "\(paths.directory.path)/widgets" }

    /// The address at which devices listen.
    var listen: String {
        finding == .runningDaemon ? NodeOptions.anyAddress : "127.0.0.1:0"
    }

    /// The options that keep a command from using mDNS where there is none.
    var discoveryOptions: [String] {
        finding == .addresses ? ["--no-discovery"] : []
    }

    /// The options that name the devices started before, where there is no mDNS.
    var peers: [String] {
        guard finding == .addresses else { return [] }
        return ports.values.sorted().flatMap { ["--peer", "127.0.0.1:\($0)"] }
    }

    /// The option that names a device's address, where there is no mDNS.
    func peer(_ place: String) -> [String] {
        guard finding == .addresses, let port = ports[place] else { return [] }
        return ["--peer", "127.0.0.1:\(port)"]
    }

    func add(port: String, of place: String) {
        ports[place] = port
    }

    /// Waits a moment; throws when the demonstration takes too long or was interrupted.
    func pause() async throws(ControlFailure) {
        if isInterrupted.value.withLock({ $0 }) { throw .failed("interrupted") }
        if SystemClock.now().uptimeMilliseconds > deadline {
            throw .unreachable("the devices did not converge in time")
        }
        try? await Task.sleep(for: .milliseconds(20))
    }

    /// Ends every process that still runs.
    func clear() {
        for child in children where child.result() == nil { child.signal(SIGKILL) }
        // The script ends its daemon when it is asked to.
        if let daemon, daemon.result() == nil { daemon.signal(SIGTERM) }
    }

    /// Starts the private daemon; returns false when that is not possible.
    private func startDaemon() async throws(ControlFailure) -> Bool {
        guard let script = paths.privateDaemon else { return false }
        let pipe = "\(paths.directory.path)/mdns.in"
        let output = "\(paths.directory.path)/mdns.out"
        // The script ends when its standard input does; a pipe that it holds open itself never
        // ends.
        guard unsafe mkfifo(pipe, 0o600) == 0 else { return false }
        let child = try ChildProcess(
            [script], environment: [], input: pipe, output: output, error: "\(output).err")
        daemon = child
        while child.result() == nil {
            let text = String(decoding: (try? FileText.read(output)) ?? [], as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix(Self.busVariable + "=") }
            if let line, text.hasSuffix("\n") {
                environment = [
                    (Self.busVariable, String(line.dropFirst(Self.busVariable.count + 1)))
                ]
                return true
            }
            try await pause()
        }
        return false
    }

    private static let busVariable = "DBUS_SYSTEM_BUS_ADDRESS"
}
