import LinnetDiscovery
import LinnetSystem

/// One round over a target's addresses, in the manner of RFC 8305 (Happy Eyeballs): the next
/// address is tried while the one before is still silent, and the first that answers goes on alone.
struct DialRace: Equatable {
    /// The head start of an address before the next one (RFC 8305, section 8: 250 ms).
    static let staggerMilliseconds: Int64 = 250

    private(set) var connecting: [AttemptID: SocketAddress] = [:]
    private(set) var handshaking: (attempt: AttemptID, address: SocketAddress)?
    private var remaining: [SocketAddress]
    private var nextStart: Int64

    init(_ addresses: [SocketAddress], at now: Int64) {
        remaining = addresses
        nextStart = now
    }

    static func == (left: DialRace, right: DialRace) -> Bool {
        left.connecting == right.connecting && left.remaining == right.remaining
            && left.nextStart == right.nextStart
            && left.handshaking?.attempt == right.handshaking?.attempt
    }

    /// True when no address is left and none is being tried.
    var isLost: Bool { remaining.isEmpty && connecting.isEmpty && handshaking == nil }

    /// The addresses that are being tried.
    var dialled: [SocketAddress] {
        Array(connecting.values) + (handshaking.map { [$0.address] } ?? [])
    }

    var attempts: [AttemptID] {
        connecting.keys.sorted() + (handshaking.map { [$0.attempt] } ?? [])
    }

    /// The time at which the next address is to be tried; nil while an answer decides.
    var nextDeadline: Int64? {
        remaining.isEmpty || handshaking != nil ? nil : nextStart
    }

    /// Returns the next address to try, when its time has come.
    mutating func takeStart(at now: Int64) -> SocketAddress? {
        guard let due = nextDeadline, due <= now else { return nil }
        nextStart = now + Self.staggerMilliseconds
        return remaining.removeFirst()
    }

    mutating func started(_ attempt: AttemptID, _ address: SocketAddress) {
        connecting[attempt] = address
    }

    /// Takes in the first connection, which goes on alone. Returns the attempts to give up; their
    /// addresses are tried again should this one fail. Returns nil when another one was first and
    /// this one is to be closed.
    mutating func connected(_ attempt: AttemptID) -> [AttemptID]? {
        guard let address = connecting.removeValue(forKey: attempt), handshaking == nil else {
            return nil
        }
        handshaking = (attempt, address)
        let losers = connecting.keys.sorted()
        remaining.insert(contentsOf: losers.compactMap { connecting[$0] }, at: 0)
        connecting = [:]
        return losers
    }

    /// Takes in a failure; the next address may begin at once.
    mutating func failed(_ attempt: AttemptID, at now: Int64) {
        connecting[attempt] = nil
        if handshaking?.attempt == attempt { handshaking = nil }
        nextStart = min(nextStart, now)
    }
}

extension DialRace {
    /// Puts the address that worked last first, and then alternates the families, IPv6 before IPv4
    /// (RFC 8305, section 4).
    static func order(_ addresses: [SocketAddress], preferring last: SocketAddress?)
        -> [SocketAddress]
    {
        var unique: [SocketAddress] = []
        for address in addresses where !unique.contains(address) { unique.append(address) }
        let six = unique.filter(\.ip.isIPv6)
        let four = unique.filter { !$0.ip.isIPv6 }
        var ordered: [SocketAddress] = []
        for index in 0..<max(six.count, four.count) {
            if index < six.count { ordered.append(six[index]) }
            if index < four.count { ordered.append(four[index]) }
        }
        guard let last, let position = ordered.firstIndex(of: last) else { return ordered }
        ordered.insert(ordered.remove(at: position), at: 0)
        return ordered
    }
}
