import LinnetCrypto
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

@Suite(.serialized)
struct DiskImageTests {
    @Test func `an image puts a disk back where it was, and makes a clone of it`() throws {
        let home = DiskHome("image", seed: 1)
        var store = try home.open()
        for _ in 0..<4 { try home.transact(store, .relaxed) }
        let image = home.disk.image()
        #expect(image.files.map(\.name) == ["store", "store-wal"])
        #expect(image.bytes(of: "store")?.isEmpty == false)
        #expect(image.bytes(of: "nothing") == nil)
        for _ in 0..<4 { try home.transact(store) }
        #expect(home.disk.image() != image)
        home.disk.killProcess()
        home.disk.restore(image)
        home.disk.powerOn()
        #expect(home.disk.image() == image)
        home.disk.powerOff()
        home.disk.powerOn()
        store = try home.open()
        #expect(try home.lastIntact(store) == 4)

        let clone = DiskHome("clone", seed: 2)
        clone.disk.restore(image)
        #expect(try clone.lastIntact(clone.open()) == 4)
    }

    @Test func `a database is put back without the other files`() throws {
        let home = DiskHome("only", seed: 1)
        let other = try home.open(path: home.disk.path("other"))
        try home.transact(home.open())
        let image = home.disk.image()
        try home.close(other)
        home.disk.killProcess()
        let before = home.disk.image()
        home.disk.restore(image, only: "store")
        home.disk.powerOn()
        let after = home.disk.image()
        for name in ["other", "other-wal"] {
            #expect(after.bytes(of: name) == before.bytes(of: name))
        }
        for name in ["store", "store-wal"] {
            #expect(after.bytes(of: name) == image.bytes(of: name))
        }
    }

    @Test func `a bit that rots in a batch is seen by who reads it`() throws {
        let home = DiskHome("rot", seed: 1)
        var store = try home.open()
        var random = SeededRandom(seed: 4)
        let ciphertext = random.bytes(600)
        try store.begin()
        let chain = try store.insertChain(
            NewChain(
                scope: ScopeID(repeating: 1), chain: AuthorID(repeating: 2),
                device: DeviceID(repeating: 3), incarnation: Incarnation(repeating: 4)))
        try store.append(
            BatchRow(
                chain: chain.index, seq: 1, id: BatchID(repeating: 5),
                prev: BatchID(repeating: 0), epoch: EpochID(repeating: 9),
                nonce: [UInt8](repeating: 6, count: 24), ciphertext: ciphertext,
                signature: [UInt8](repeating: 7, count: 64)))
        try store.commit()
        #expect(!home.disk.rot(ciphertext), "the log has it still")
        try home.close(store)
        store = try home.open()
        for _ in 0..<3 { try home.transact(store) }
        #expect(!home.disk.rot(random.bytes(600)))
        #expect(!home.disk.rot([]))
        #expect(home.disk.rot(ciphertext))
        #expect(home.disk.counters.rottenBits == 1)
        home.disk.killProcess()
        home.disk.powerOn()
        store = try home.open()
        let row = try #require(try store.batch(chain: chain.index, seq: 1))
        #expect(row.ciphertext.count == 600)
        #expect(zip(row.ciphertext, ciphertext).count { $0 != $1 } == 1)
    }
}
