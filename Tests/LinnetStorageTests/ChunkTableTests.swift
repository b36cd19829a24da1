import LinnetWire
import Testing

@testable import LinnetStorage

struct ChunkTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func name(_ number: UInt8) -> Bytes32 { Bytes32(repeating: number) }

    @Test func `a chunk is kept once, and stays across openings`() throws {
        var store = try home.open()
        try store.begin()
        #expect(try store.putChunk(name(1), [1, 2, 3]))
        #expect(try !store.putChunk(name(1), [9]))
        #expect(try store.putChunk(name(2), [UInt8](repeating: 4, count: 900_000)))
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.chunk(name(1)) == [1, 2, 3] && store.hasChunk(name(1)))
        #expect(try store.chunk(name(2))?.count == 900_000)
        #expect(try store.chunk(name(3)) == nil && !store.hasChunk(name(3)))
        #expect(try store.chunkTotals() == Totals(count: 2, bytes: 900_003))
        try store.begin()
        try store.removeChunk(name(2))
        try store.commit()
        #expect(try store.chunkTotals() == Totals(count: 1, bytes: 3))
        try store.close()
    }

    @Test func `loose chunks have owners until a record names them`() throws {
        let store = try home.open()
        #expect(try store.lastLooseOwner() == 0)
        try store.begin()
        for number in UInt8(1)...4 {
            _ = try store.putChunk(name(number), [number])
            try store.loosen(name(number), owner: Int64(number + 1) / 2)
        }
        try store.loosen(name(1), owner: 2)
        try store.loosen(name(1), owner: 2)
        try store.commit()
        #expect(try store.lastLooseOwner() == 2)
        #expect(try Set(store.looseChunks(of: 0...1, limit: 10)) == [name(1), name(2)])
        #expect(try store.looseChunks(of: 0...2, limit: 2).count == 2)
        try store.begin()
        try store.release(name(1), owners: 2...2)
        #expect(try store.isLoose(name(1)))
        try store.loosen(name(1), owner: 2)
        try store.fasten(owner: 2)
        // The record of one owner names it, whatever becomes of the other.
        #expect(try !store.isLoose(name(1)) && store.looseChunks(of: 1...1, limit: 9) == [name(2)])
        try store.fasten(name(2))
        try store.commit()
        #expect(try store.looseChunks(of: 0...9, limit: 10).isEmpty)
        #expect(try store.chunkTotals().count == 4)
        try store.close()
    }

    @Test func `what a transaction kept is gone when it is rolled back`() throws {
        let store = try home.open()
        try store.begin()
        _ = try store.putChunk(name(1), [1])
        try store.loosen(name(1), owner: 5)
        store.rollback()
        #expect(try !store.hasChunk(name(1)) && !store.isLoose(name(1)))
        try store.close()
    }
}
