import LinnetReplication
import LinnetWire

/// Links on which bytes arrive at once and in order. An end that belongs to nobody is held by hand.
struct CalmLinks {
    /// Bytes or the end of a link on their way to one end of it.
    struct Delivery {
        let end: LinkID
        /// Nil for the end of the link.
        let bytes: [UInt8]?
    }

    /// The messages that are on their way, oldest first.
    var deliveries: [Delivery] = []
    /// The devices that were parted because one said that the other has all that it has, and the
    /// newest records that it had.
    var parted: [(device: Int, peer: Int, heads: [MemberRecordID])] = []
    /// The bytes for ends that belong to nobody.
    private(set) var spoken: [[UInt8]] = []
    /// The devices at both ends of each link.
    private var ends: [LinkID: (device: Int?, peer: LinkID)] = [:]
    /// The ends whose session is open.
    private var open: Set<LinkID> = []
    private var next: UInt64 = 1

    /// Opens a link and returns both ends.
    mutating func open(_ from: Int?, _ to: Int) -> (LinkID, LinkID) {
        let pair = (LinkID(rawValue: next), LinkID(rawValue: next + 1))
        next += 2
        ends[pair.0] = (from, pair.1)
        ends[pair.1] = (to, pair.0)
        return pair
    }

    /// The device at an end.
    func owner(of end: LinkID) -> Int? { ends[end]?.device }

    /// The device at the other end.
    func peer(of end: LinkID) -> Int? { ends[end].flatMap { ends[$0.peer]?.device } }

    mutating func post(_ bytes: [UInt8], from end: LinkID) {
        guard let link = ends[end] else { return }
        if ends[link.peer]?.device == nil {
            spoken.append(bytes)
        } else {
            deliveries.append(Delivery(end: link.peer, bytes: bytes))
        }
    }

    /// Notes that the session at an end opened or ended.
    mutating func note(_ end: LinkID, isOpen: Bool) {
        if isOpen { open.insert(end) } else { open.remove(end) }
    }

    /// The devices between which a session is open at both ends, each pair once.
    var talking: [(Int, Int)] {
        open.sorted().compactMap { end in
            guard let link = ends[end], end < link.peer, open.contains(link.peer),
                let one = link.device, let other = ends[link.peer]?.device
            else { return nil }
            return (one, other)
        }
    }

    /// The end of a device on an open session with another one.
    func end(of device: Int, with peer: Int) -> LinkID? {
        open.sorted().first { owner(of: $0) == device && self.peer(of: $0) == peer }
    }

    /// One end is closed; the other one hears of it behind the last byte.
    mutating func hangUp(_ end: LinkID) {
        open.remove(end)
        guard let link = ends[end] else { return }
        deliveries.append(Delivery(end: link.peer, bytes: nil))
    }

    /// Takes the bytes for ends that belong to nobody.
    mutating func takeSpoken() -> [[UInt8]] {
        defer { spoken = [] }
        return spoken
    }
}
