import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A disk that loses batches of its own device again, of the life that ended with the first loss
/// and of the one that followed.
@Suite struct SeveralLivesTests {
    private let fleet: Fleet
    private let devices: [Device]
    private var author: Device { devices[0] }

    init() throws {
        fleet = try Fleet.ofThings()
        devices = try fleet.group(["a", "b"])
        try author.change([.add(field: 2, .text("red"))], fleet)
        try fleet.meet(author, devices[1])
        try author.change([.count(field: 1, key: "one", amount: .int(10))], fleet)
        try author.change([.count(field: 1, key: "two", amount: .int(-3))], fleet)
        try author.change([.edit(field: 3, at: 0, deleting: 0, inserting: "hello")], fleet)
        try author.change([.count(field: 1, key: "one", amount: .int(11))], fleet)
    }

    /// The last of the author's chains that have batches in the scope of things, by its life.
    private func chain(_ incarnation: Incarnation?) throws -> ChainRow {
        let rows = author.replica?.log.chainRows() ?? []
        return try #require(
            rows.filter { $0.incarnation == incarnation }.max { $0.stored < $1.stored })
    }

    /// Closes the home, deletes batches and what is known of peers, and has the device notice.
    private func lose(
        _ batches: [(chain: ChainRow, seq: UInt64)],
        changing changed: (chain: ChainRow, seq: UInt64)? = nil, entropySeed: UInt8
    ) throws {
        guard let mark = author.replica?.witnessMark else { throw Device.Closed() }
        try author.close()
        for (chain, seq) in batches {
            let key = chain.index << 40 | Int64(seq)
            try author.run("DELETE FROM batches WHERE key = \(key)")
        }
        if let (chain, seq) = changed {
            let key = chain.index << 40 | Int64(seq)
            try author.run(
                """
                UPDATE batches SET ciphertext = CAST(x'00' || substr(ciphertext, 2) AS BLOB)
                WHERE key = \(key)
                """)
        }
        try author.run("DELETE FROM peers")
        try author.open(
            at: fleet.now, entropySeed: entropySeed, witness: .intact(mark), schema: fleet.schema)
        fleet.advance(Limits.gapSearchMilliseconds)
        fleet.meetDeadlines([author])
    }

    private func expectRowsFollowFromBatches(on device: Device? = nil) throws {
        let device = device ?? author
        var report: DeepCheckReport?
        while report == nil {
            let step = try #require(
                try device.replica?.deepCheck(operations: 1_000, at: fleet.now))
            device.perform(step.effects)
            report = step.progress.report
        }
        #expect(report?.isClean == true)
    }

    private func expectAll(as digest: Bytes32) throws {
        #expect(try author.digest() == digest, "\(story(author))")
        try expectRowsFollowFromBatches()
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        let hidden = devices.map { $0.replica?.batchesHidden }
        #expect(hidden == [0, 0])
        #expect(try author.digest() == digest)
        try expectConverged(devices)
    }

    // The names of the lives decide in which order their chains are met.
    @Test(arguments: UInt8(1)...6)
    func `batches of two lives that are lost together show again everywhere`(
        _ seed: UInt8
    ) throws {
        let first = author.incarnation
        try lose([(try chain(first), try chain(first).stored)], entropySeed: seed)
        let second = author.incarnation
        #expect(second != first)
        try author.change([.count(field: 1, key: "three", amount: .int(5))], fleet)
        try author.change([.edit(field: 3, at: 5, deleting: 0, inserting: " world")], fleet)
        try author.change([.set(FieldWrite(4, .text("third")))], fleet)
        let digest = try author.digest()
        let (older, newer) = (try chain(first), try chain(second))
        try lose([(older, older.stored - 1), (newer, newer.stored - 1)], entropySeed: seed + 100)
        #expect(author.incarnation != second)
        try expectAll(as: digest)
    }

    @Test(arguments: UInt8(1)...6)
    func `what said a batch again stands behind what says an older one again later`(
        _ seed: UInt8
    ) throws {
        let first = author.incarnation
        try lose([(try chain(first), try chain(first).stored)], entropySeed: seed)
        let digest = try author.digest()
        let older = try chain(first)
        try lose([(older, older.stored - 1)], entropySeed: seed + 100)
        try expectAll(as: digest)
    }

    // The names of the lives decide which of two batches that say one again has effect.
    @Test(arguments: UInt8(1)...12)
    func `of two batches that say one again the same has effect, whichever shows first`(
        _ seed: UInt8
    ) throws {
        try author.change([.add(field: 2, .text("blue"))], fleet)
        let first = try chain(author.incarnation)
        try lose([(first, first.stored)], entropySeed: seed)
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        try devices[1].change([.add(field: 2, .text("green"))], fleet)
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        try author.change([.remove(field: 2, .text("blue"))], fleet)
        // What says the lost batch now does not know any more that anything was added.
        let second = try chain(author.incarnation)
        try lose([(second, 1), (second, second.stored)], entropySeed: seed + 100)
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        for device in devices { try expectRowsFollowFromBatches(on: device) }
        try expectConverged(devices)
    }

    @Test func `a record of which everything was taken out again is there still`() throws {
        let id = try #require(RecordID("empty"))
        let key = RecordKey(collection: 2_000, record: id)
        try author.commit([Write(key, [.add(field: 2, .text("blue"))])], at: fleet.now)
        try author.commit([Write(key, [.remove(field: 2, .text("blue"))])], at: fleet.now)
        let chain = try chain(author.incarnation)
        try lose([(chain, chain.stored - 1), (chain, chain.stored)], entropySeed: 9)
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        for device in devices {
            let shown = try device.replica?.reader.record(2_000, id)
            #expect(shown != nil)
        }
        try expectConverged(devices)
    }

    @Test func `a copied text of which something was deleted shows again as it is`() throws {
        let id = try #require(RecordID("copied"))
        let key = RecordKey(collection: 2_000, record: id)
        func text(_ device: Device) throws -> Value? {
            let view = try device.replica?.reader.record(2_000, id)
            return view?.fields.first { $0.field == 3 }?.values.first
        }
        func edit(at offset: Int, _ count: Int, _ text: String) throws {
            try author.commit(
                [Write(key, [.edit(field: 3, at: offset, deleting: count, inserting: text)])],
                at: fleet.now)
        }
        let pieces = TextCopy.pieces(of: "take with water")
        try author.commit([Write(key, [.copy(field: 3, pieces)])], at: fleet.now)
        let chain = try chain(author.incarnation)
        try edit(at: 4, 5, "")
        try edit(at: 4, 0, " much")
        try lose([(chain, chain.stored)], entropySeed: 9)
        #expect(try text(author) == .text("take much water"))
        try expectRowsFollowFromBatches()
        // It is lost once more, with what says what had no place.
        let again = try self.chain(author.incarnation)
        try lose([(again, 1)], entropySeed: 10)
        try author.commit([Write(key, [.set(FieldWrite(4, .text("read")))])], at: fleet.now)
        try edit(at: 0, 4, "drink")
        // Whoever copies the same text brings nothing back.
        try devices[1].commit([Write(key, [.copy(field: 3, pieces)])], at: fleet.now)
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        for device in devices { #expect(try text(device) == .text("drink much water")) }
        try expectConverged(devices)
    }

    // Only the effect of an element's removal is known, and no place of it.
    @Test func `an effect without a place stays when other lost batches come back`() throws {
        for _ in 0..<2 { try fleet.meet(author, devices[1]) }
        let chain = try chain(author.incarnation)
        try author.change([.remove(field: 2, .text("red"))], fleet)
        let digest = try author.digest()
        try lose([(chain, 2), (chain, chain.stored + 1)], entropySeed: 9)
        try expectAll(as: digest)
    }

    @Test func `a batch that changed long before another one was lost is said again`() throws {
        try author.change([.set(FieldWrite(4, .text("third")))], fleet)
        let digest = try author.digest()
        let chain = try chain(author.incarnation)
        try lose(
            [(chain, chain.stored)], changing: (chain, chain.stored - 2), entropySeed: 9)
        try expectAll(as: digest)
    }

    @Test func `what comes first in a life is said first, whichever life holds it`() throws {
        let life = author.incarnation
        let older = try chain(life)
        try lose([(older, older.stored)], entropySeed: 9)
        let newer = try chain(author.incarnation)
        func body(saying seq: UInt64) -> BatchBody {
            BatchBody(
                attributes: BatchAttributes(
                    commit: .zero, schemaVersion: 1, baseStamp: .zero),
                operations: Operations([]),
                restates: Restatement(incarnation: older.incarnation, seq: seq, indices: nil))
        }
        var order = SayingOrder()
        order.add(1, of: newer, body(saying: older.stored), at: .zero)
        order.add(older.stored - 1, of: older, body(saying: older.stored - 1), at: nil)
        let left = order.left
        let said = try #require(author.replica?.log.chains.restatements)
        let first = left.filter { $0.isInPlace(among: left, said) }
        #expect(first.map(\.row.key) == [older.key])
    }
}
