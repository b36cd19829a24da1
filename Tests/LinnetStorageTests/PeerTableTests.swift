import LinnetStorage
import LinnetWire
import Testing

struct PeerTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func peer(_ device: UInt8, _ incarnation: UInt8) -> PeerRow {
        PeerRow(
            device: DeviceID(repeating: device), incarnation: Incarnation(repeating: incarnation),
            acknowledged: [1, 2, 3], lastHeardWallMilliseconds: -5,
            addresses: ["192.0.2.7:4242", "[2001:db8::1]:4242"])
    }

    @Test func `peers are remembered by device and incarnation, and replaced`() throws {
        var newer = peer(1, 1)
        newer.acknowledged = Array(repeating: 7, count: 100_000)
        newer.lastHeardWallMilliseconds = .max
        newer.addresses = []
        var store = try home.open()
        try store.begin()
        for row in [peer(2, 1), peer(1, 2), peer(1, 1), newer] { try store.putPeer(row) }
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.peers() == [newer, peer(1, 2), peer(2, 1)])
        try store.close()
    }

    @Test func `a peer in another one's place is passed over, and the others stay`() throws {
        var store = try home.open()
        try store.begin()
        try store.putPeer(peer(1, 1))
        try store.putPeer(peer(2, 1))
        try store.commit()
        try store.close()
        try home.tamper(
            "UPDATE peers SET sealed = (SELECT sealed FROM peers ORDER BY device DESC LIMIT 1)")
        store = try home.open()
        #expect(try store.peers() == [peer(2, 1)])
        // What is heard of it again takes the place.
        try store.begin()
        try store.putPeer(peer(1, 1))
        try store.commit()
        #expect(try store.peers() == [peer(1, 1), peer(2, 1)])
        try store.close()
    }
}
