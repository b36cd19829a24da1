import LinnetCrypto
import LinnetSystem
import LinnetWire

/// The sessions of browsers; they live in memory alone.
struct SessionList {
    /// One browser that came by a link.
    struct Session: Sendable {
        let number: UInt64
        let openedMilliseconds: Int64
        fileprivate(set) var usedMilliseconds: Int64
        fileprivate(set) var usedUptime: Int64
        /// The name that the browser gives itself.
        let agent: String
        /// The number that a page sends along with what it asks.
        let token: String
        fileprivate let mark: [UInt8]
    }

    /// The time without use after which a session ends, in milliseconds.
    static let restMilliseconds: Int64 = 12 * 3_600_000
    /// The most sessions; a further one ends the one that was used least recently.
    static let limit = 64
    private static let secretBytes = 32

    private(set) var all: [Session] = []
    private var last: UInt64 = 0

    /// Opens a session and returns the cookie's secret.
    mutating func open(
        agent: String, at now: Moment, _ entropy: inout Entropy
    ) -> (session: Session, secret: String) {
        drop(at: now)
        if all.count >= Self.limit,
            let oldest = all.indices.min(by: { all[$0].usedUptime < all[$1].usedUptime })
        {
            all.remove(at: oldest)
        }
        last += 1
        let secret = Hex.encode(entropy.bytes(Self.secretBytes))
        let session = Session(
            number: last, openedMilliseconds: now.wallMilliseconds,
            usedMilliseconds: now.wallMilliseconds, usedUptime: now.uptimeMilliseconds,
            agent: String(agent.prefix(200)), token: Hex.encode(entropy.bytes(Self.secretBytes)),
            mark: Self.mark(of: secret))
        all.append(session)
        return (session, secret)
    }

    /// Returns the session of a cookie and notes its use; nil when there is none.
    mutating func use(_ secret: String, at now: Moment) -> Session? {
        drop(at: now)
        let mark = Self.mark(of: secret)
        guard let index = all.firstIndex(where: { $0.mark == mark }) else { return nil }
        all[index].usedMilliseconds = now.wallMilliseconds
        all[index].usedUptime = now.uptimeMilliseconds
        return all[index]
    }

    /// Ends a session; returns false when there is none of that number.
    mutating func end(_ number: UInt64) -> Bool {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return false }
        all.remove(at: index)
        return true
    }

    private mutating func drop(at now: Moment) {
        all.removeAll { now.uptimeMilliseconds - $0.usedUptime > Self.restMilliseconds }
    }

    /// The hash that is kept and compared: the time that a comparison takes tells nothing of use.
    private static func mark(of secret: String) -> [UInt8] {
        Hash.blake2b(.check, Array(secret.utf8))
    }
}
