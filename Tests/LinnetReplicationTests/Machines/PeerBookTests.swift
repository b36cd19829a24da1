import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct PeerBookTests {
    private let peer = DeviceID(repeating: 3)

    @Test func `what is kept of a peer is written, and read from memory from then on`() throws {
        let bench = try Workbench()
        let store = bench.turn.store
        var book = PeerBook()
        var row = try book.row(of: peer, in: store)
        #expect(row.lastHeardWallMilliseconds == 0 && row.acknowledged.isEmpty)
        try bench.turn.writing()
        row.lastHeardWallMilliseconds = 7
        book.note(row)
        #expect(book.isChanged && book.lastHeard(peer) == 7)
        #expect(try store.peers().isEmpty)
        var known = PeerKnowledge()
        known.listing.append(
            ListedHead(chain: Bytes16(repeating: 1), seq: 4, prefix: Bytes8(repeating: 2)),
            of: try bench.scope())
        try book.note(known, of: peer, in: store)
        try book.save(in: store)
        #expect(!book.isChanged)
        try store.commit()
        let kept = try #require(try store.peers().first)
        #expect(kept == (try book.row(of: peer, in: store)))
        #expect(kept.lastHeardWallMilliseconds == 7)
        #expect(PeerKnowledge(decoding: kept.acknowledged) == known)
        var fresh = PeerBook()
        #expect(try fresh.knowledge(of: peer, in: store) == known)
    }

    @Test func `after a transaction that was taken back the store is asked again`() throws {
        let bench = try Workbench()
        let store = bench.turn.store
        var book = PeerBook()
        var row = try book.row(of: peer, in: store)
        try bench.turn.writing()
        row.lastHeardWallMilliseconds = 7
        book.note(row)
        try book.save(in: store)
        store.rollback()
        book.reload()
        #expect(try book.row(of: peer, in: store).lastHeardWallMilliseconds == 0)
    }
}
