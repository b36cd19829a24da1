import LinnetCrypto
import LinnetWire

/// The links that nobody used yet; each opens the dashboard once.
struct OpenLinks {
    private struct Link {
        let number: UInt64
        let mark: [UInt8]
        let deadline: Int64
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    /// The time for which a link can be used, in milliseconds.
    static let lifetimeMilliseconds: Int64 = 60_000
    /// The most links that wait; a further one ends the oldest.
    static let limit = 16
    private static let secretBytes = 32

    private var links: [Link] = []
    /// The numbers of the links that were used last.
    private var used: [UInt64] = []
    private var last: UInt64 = 0

    /// Makes a link; `now` is the uptime.
    mutating func add(
        at now: Int64, _ entropy: inout Entropy
    ) -> (number: UInt64, secret: String) {
        expire(at: now)
        if links.count >= Self.limit { finish(links.removeFirst(), isUsed: false) }
        let secret = Hex.encode(entropy.bytes(Self.secretBytes))
        last += 1
        links.append(
            Link(
                number: last, mark: Hash.blake2b(.check, Array(secret.utf8)),
                deadline: now + Self.lifetimeMilliseconds))
        return (last, secret)
    }

    /// Uses a link; returns false when its secret is wrong, was used, or is too old.
    mutating func use(_ secret: String, at now: Int64) -> Bool {
        expire(at: now)
        let mark = Hash.blake2b(.check, Array(secret.utf8))
        guard let index = links.firstIndex(where: { $0.mark == mark }) else { return false }
        let link = links.remove(at: index)
        used = used.suffix(Self.limit - 1) + [link.number]
        finish(link, isUsed: true)
        return true
    }

    /// Tells `continuation` whether the link was used, once that is known.
    mutating func wait(for number: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        guard let index = links.firstIndex(where: { $0.number == number }) else {
            return continuation.resume(returning: used.contains(number))
        }
        links[index].waiting.append(continuation)
    }

    /// Ends the links whose time is over; returns when to look again, nil when there are none.
    @discardableResult
    mutating func expire(at now: Int64) -> Int64? {
        for link in links where link.deadline <= now { finish(link, isUsed: false) }
        links.removeAll { $0.deadline <= now }
        return links.map(\.deadline).min()
    }

    /// Ends all links.
    mutating func close() {
        for link in links { finish(link, isUsed: false) }
        links = []
    }

    private func finish(_ link: Link, isUsed: Bool) {
        for waiter in link.waiting { waiter.resume(returning: isUsed) }
    }
}
