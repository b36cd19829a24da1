import LinnetReplication
import LinnetWire

/// The links of a node, and the devices at their other ends.
struct LinkTable {
    private var links: [LinkID: Link] = [:]
    /// The members that observers were told to be connected.
    private var present: Set<DeviceID> = []
    private var last: UInt64 = 0

    var isEmpty: Bool { links.isEmpty }
    /// All links, in no order.
    var all: some Sequence<Link> { links.values }
    /// The members with an open session.
    var devices: Set<DeviceID> { Set(links.values.compactMap(\.device)) }

    subscript(link: LinkID) -> Link? { links[link] }

    /// Returns a name that no link has had.
    mutating func nextID() -> LinkID {
        last += 1
        return LinkID(rawValue: last)
    }

    mutating func add(_ link: Link, as id: LinkID) { links[id] = link }

    /// Notes that a member is proven on a link; returns true when it was not there before.
    mutating func proved(_ device: DeviceID, on link: LinkID, at now: Moment) -> Bool {
        links[link]?.device = device
        links[link]?.sinceMilliseconds = now.wallMilliseconds
        return present.insert(device).inserted
    }

    /// Counts bytes that came on a link.
    mutating func count(received count: Int, on link: LinkID) {
        links[link]?.bytes.received += UInt64(count)
    }

    /// Counts bytes that were handed to a link's carrier.
    mutating func count(sent count: Int, on link: LinkID) {
        links[link]?.bytes.sent += UInt64(count)
    }

    mutating func remove(_ link: LinkID) -> Link? { links.removeValue(forKey: link) }

    /// Takes out the members that were there and have no link any more, in order.
    mutating func takeGone() -> [DeviceID] {
        let gone = present.subtracting(devices)
        present.subtract(gone)
        return gone.sorted()
    }

    /// Ends all links once they have carried what was sent, and forgets the members.
    mutating func close() {
        for link in links.values { link.carrier.closeAfterFlush() }
        links = [:]
        present = []
    }
}
