internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A request of the owner to the DNS-SD thread.
enum DaemonCommand: Equatable, Sendable {
    case browse(ServiceType)
    case stopBrowsing(ServiceType)
    case announce(ServiceType, Announcement)
    case withdraw(ServiceType)
    case stop
}

/// One instance we publish.
struct Announcement: Equatable, Sendable {
    let name: InstanceName
    let port: UInt16
    let txt: [UInt8]
}

/// The way into the DNS-SD thread: commands under a lock, and a pipe that ends its poll.
final class DaemonInbox: Sendable {
    private struct Contents {
        var commands: [DaemonCommand] = []
        var counters = DiscoveryCounters()
    }

    /// Readable when commands wait.
    let wakeDescriptor: Int32
    private let signalDescriptor: Int32
    private let contents = Mutex(Contents())

    init() throws(DiscoveryError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .pipeRefused }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeDescriptor = ends[0]
        signalDescriptor = ends[1]
    }

    deinit {
        close(wakeDescriptor)
        close(signalDescriptor)
    }

    var counters: DiscoveryCounters { contents.withLock { $0.counters } }

    func post(_ command: DaemonCommand) {
        contents.withLock { $0.commands.append(command) }
        // A full pipe already wakes the thread, so a refused byte loses nothing.
        _ = unsafe write(signalDescriptor, [1] as [UInt8], 1)
    }

    func takeCommands() -> [DaemonCommand] {
        var drained = [UInt8](repeating: 0, count: 64)
        while unsafe read(wakeDescriptor, &drained, drained.count) > 0 {}
        return contents.withLock {
            let commands = $0.commands
            $0.commands = []
            return commands
        }
    }

    func count(_ change: (inout DiscoveryCounters) -> Void) {
        contents.withLock { change(&$0.counters) }
    }
}
