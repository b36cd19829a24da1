/// The announcements and searches that the owner wants, and the operations that carry them out.
final class Directory {
    /// The purpose of an operation.
    enum Role: Equatable {
        case browser(ServiceType)
        case announcement(ServiceType)
    }

    /// Names of our own that are remembered, since the daemon still reports a withdrawn one.
    private static let ownNames = 8
    /// The time for which the daemon must serve us before its next failure counts as the first.
    private static let healthyMilliseconds: Int64 = 10_000

    private var browsed: [ServiceType] = []
    private var announced: [ServiceType: Announcement] = [:]
    private var browsers: [ServiceType: ServiceHandle] = [:]
    private var announcers: [ServiceType: ServiceHandle] = [:]
    private var recentNames: [InstanceName] = []
    private var backoff = Backoff(firstMilliseconds: 500, ceilingMilliseconds: 15_000)
    private var openedMilliseconds: Int64?

    /// The time of the next attempt to reach the daemon; nil while it serves us.
    private(set) var retryMilliseconds: Int64?

    /// True when anything is asked for.
    var isWanted: Bool { !browsed.isEmpty || !announced.isEmpty }

    /// Operations to poll.
    var handles: [ServiceHandle] { Array(browsers.values) + Array(announcers.values) }

    func browse(_ type: ServiceType) {
        if !browsed.contains(type) { browsed.append(type) }
    }

    func stopBrowsing(_ type: ServiceType) {
        browsed.removeAll { $0 == type }
        browsers.removeValue(forKey: type)?.close()
    }

    func announce(_ type: ServiceType, _ announcement: Announcement) {
        guard announced[type] != announcement else { return }
        withdraw(type)
        announced[type] = announcement
        recentNames = Array((recentNames + [announcement.name]).suffix(Self.ownNames))
    }

    func withdraw(_ type: ServiceType) {
        announced[type] = nil
        announcers.removeValue(forKey: type)?.close()
    }

    func announcement(_ type: ServiceType) -> Announcement? { announced[type] }

    /// Returns true when a name is, or lately was, our own.
    func isOwn(_ name: InstanceName) -> Bool { recentNames.contains(name) }

    /// Returns the purpose of an operation; nil when it is not one of these.
    func role(of handle: ServiceHandle) -> Role? {
        if let type = browsers.first(where: { $0.value === handle })?.key {
            return .browser(type)
        }
        return announcers.first { $0.value === handle }.map { .announcement($0.key) }
    }

    /// Starts what is wanted and does not run; nil while a pause after a failure lasts, else the
    /// announcements that were dropped because their name is taken.
    func open(
        atMilliseconds now: Int64
    ) throws(DaemonFailure) -> [(type: ServiceType, name: InstanceName)]? {
        if let retryMilliseconds, now < retryMilliseconds { return nil }
        var taken: [(type: ServiceType, name: InstanceName)] = []
        for type in browsed where browsers[type] == nil {
            browsers[type] = try ServiceHandle.browsing(type)
        }
        for (type, announcement) in announced where announcers[type] == nil {
            do {
                announcers[type] = try ServiceHandle.registering(type, announcement)
            } catch {
                guard error.isNameConflict else { throw error }
                withdraw(type)
                taken.append((type, announcement.name))
            }
        }
        if retryMilliseconds != nil || openedMilliseconds == nil { openedMilliseconds = now }
        retryMilliseconds = nil
        return taken
    }

    /// Ends all operations and pauses; longer when the daemon had not served us for a while.
    func fail(atMilliseconds now: Int64) {
        closeAll()
        if let openedMilliseconds, now - openedMilliseconds >= Self.healthyMilliseconds {
            backoff.reset()
        }
        openedMilliseconds = nil
        retryMilliseconds = now + backoff.pauseMilliseconds()
    }

    /// Ends all operations; what is wanted stays wanted.
    func closeAll() {
        for handle in browsers.values { handle.close() }
        for handle in announcers.values { handle.close() }
        browsers = [:]
        announcers = [:]
    }
}
