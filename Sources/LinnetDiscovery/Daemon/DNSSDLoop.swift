internal import LinnetWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The work of the DNS-SD thread: commands, the daemon's answers and the passing of time.
///
/// Nothing here is shared; the inbox is the only way in and the closure the only way out.
final class DNSSDLoop {
    private let inbox: DaemonInbox
    private let emit: @Sendable (DiscoveryEvent) -> Void
    private let started = ContinuousClock.now
    private var directory = Directory()
    private var table = InstanceTable(
        capacity: Limits.discoveryInstances, perMinute: Limits.discoveryInstancesPerMinute)
    private let resolutions: ResolutionQueue
    private var interfaces: [NetworkInterface] = []
    private var nextInterfaceCheckMilliseconds: Int64 = 0
    private var failure: DiscoveryState?
    private var toldState: DiscoveryState?
    private var isStopping = false

    private static let interfaceCheckMilliseconds: Int64 = 5_000

    init(
        inbox: DaemonInbox, policy: DialPolicy, emit: @escaping @Sendable (DiscoveryEvent) -> Void
    ) {
        self.inbox = inbox
        self.emit = emit
        resolutions = ResolutionQueue(policy: policy) { change in inbox.count(change) }
    }

    /// Runs until a stop command.
    func run() {
        interfaces = NetworkInterface.current()
        while !isStopping {
            for command in inbox.takeCommands() { apply(command) }
            guard !isStopping else { break }
            advance()
            for handle in waitForReadable() { receive(handle) }
        }
        // Questions before browsers, browsers before announcements.
        resolutions.cancel { _, _ in true }
        directory.closeAll()
        emit(.stopped)
    }

    private var now: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - started).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    private func apply(_ command: DaemonCommand) {
        switch command {
        case .browse(let type):
            directory.browse(type)
        case .stopBrowsing(let type):
            resolutions.cancel { key, _ in key.type == type }
            directory.stopBrowsing(type)
            _ = table.forget(type)
        case .announce(let type, let announcement):
            directory.announce(type, announcement)
        case .withdraw(let type):
            directory.withdraw(type)
        case .stop:
            isStopping = true
        }
    }

    // MARK: - Time

    private func advance() {
        checkInterfaces()
        do {
            if let taken = try directory.open(atMilliseconds: now) {
                failure = nil
                for (type, name) in taken { emit(.nameTaken(name, type)) }
            }
        } catch {
            fail(error.code)
        }
        admit()
        for finding in resolutions.advance(interfaces: interfaces, atMilliseconds: now) {
            tell(finding)
        }
        tellState()
    }

    private func checkInterfaces() {
        guard now >= nextInterfaceCheckMilliseconds else { return }
        nextInterfaceCheckMilliseconds = now + Self.interfaceCheckMilliseconds
        let current = NetworkInterface.current()
        guard current != interfaces else { return }
        interfaces = current
        emit(.networkChanged)
        for report in table.reports {
            resolutions.add(
                report.key, interfaceIndex: report.interfaceIndex, atMilliseconds: now)
        }
    }

    private func admit() {
        let (admitted, evicted) = table.admit(atMilliseconds: now)
        for key in admitted {
            for interfaceIndex in table.interfaces(of: key) {
                resolutions.add(key, interfaceIndex: interfaceIndex, atMilliseconds: now)
            }
        }
        for key in evicted {
            resolutions.cancel { cancelled, _ in cancelled == key }
            emit(.lost(key.name, key.type))
        }
    }

    private func tellState() {
        guard directory.isWanted else { return }
        let state =
            failure
            ?? DiscoveryState(
                resolvedInstances: table.resolvedCount(on: interfaces),
                multicastInterfaces: interfaces.count { $0.carriesMulticast })
        guard state != toldState else { return }
        toldState = state
        emit(.state(state))
    }

    private func waitForReadable() -> [ServiceHandle] {
        let handles = resolutions.handles + directory.handles
        var polled = [pollfd(fd: inbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
        polled += handles.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let deadline = [
            nextInterfaceCheckMilliseconds, directory.retryMilliseconds,
            table.nextAdmissionMilliseconds, resolutions.nextDeadlineMilliseconds,
        ].compactMap(\.self).min()
        let pause = max(0, min((deadline ?? .max) - now, Self.interfaceCheckMilliseconds))
        guard unsafe poll(&polled, nfds_t(polled.count), Int32(pause)) > 0 else { return [] }
        return zip(handles, polled.dropFirst()).filter { $1.revents != 0 }.map(\.0)
    }

    // MARK: - Answers

    private func receive(_ handle: ServiceHandle) {
        let replies = handle.process()
        guard let role = directory.role(of: handle) else {
            let finding = resolutions.handle(
                replies, from: handle, interfaces: interfaces, atMilliseconds: now)
            if let finding { tell(finding) }
            return
        }
        for reply in replies {
            switch (role, reply) {
            case (.announcement(let type), .failed(let code))
            where DaemonFailure(code: code).isNameConflict:
                refuseName(type)
            case (_, .failed(let code)):
                fail(code)
                return
            case (.browser(let type), .browsed(let isAdd, let interfaceIndex, let name)):
                browsed(type, isAdd: isAdd, interfaceIndex: interfaceIndex, name: name)
            case (.announcement(let type), .registered(let name)):
                registered(type, name: name)
            default:
                continue
            }
        }
    }

    private func browsed(_ type: ServiceType, isAdd: Bool, interfaceIndex: UInt32, name: [UInt8]) {
        guard let name = InstanceName(heard: name) else {
            inbox.count { $0.badNames += 1 }
            return
        }
        guard !directory.isOwn(name) else { return }
        let key = InstanceKey(type: type, name: name)
        if isAdd {
            let isReported = table.isReported(key, interfaceIndex: interfaceIndex)
            guard table.appeared(key, interfaceIndex: interfaceIndex) else {
                inbox.count { $0.refusedInstances += 1 }
                return
            }
            if !isReported, table.isReported(key, interfaceIndex: interfaceIndex) {
                resolutions.add(key, interfaceIndex: interfaceIndex, atMilliseconds: now)
            }
        } else {
            let (isGone, wasResolved) = table.disappeared(key, interfaceIndex: interfaceIndex)
            let table = table
            resolutions.cancel { cancelled, index in
                cancelled == key && !table.isReported(key, interfaceIndex: index)
            }
            if isGone, wasResolved { emit(.lost(name, type)) }
        }
    }

    private func registered(_ type: ServiceType, name: [UInt8]) {
        guard let announcement = directory.announcement(type) else { return }
        if name == Array(announcement.name.text.utf8) {
            emit(.announced(announcement.name, type))
        } else {
            // The daemon chose another name, which our tags do not vouch for.
            refuseName(type)
        }
    }

    private func refuseName(_ type: ServiceType) {
        guard let announcement = directory.announcement(type) else { return }
        directory.withdraw(type)
        emit(.nameTaken(announcement.name, type))
    }

    private func tell(_ finding: Finding) {
        if let instance = table.resolved(finding) { emit(.found(instance)) }
    }

    private func fail(_ code: Int32) {
        failure = DiscoveryState(error: code)
        resolutions.cancel { _, _ in true }
        directory.fail(atMilliseconds: now)
        for key in table.forget() { emit(.lost(key.name, key.type)) }
    }
}
