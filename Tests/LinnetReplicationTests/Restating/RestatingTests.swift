import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A disk that loses batches of its own device before anybody else has them, or after.
@Suite struct RestatingTests {
    /// The ways in which a disk loses a batch.
    enum Loss: CaseIterable {
        case deleted, flipped
    }

    /// The number of changes that `write` makes, each a batch.
    private static let changes = 12

    private func write(_ device: Device, _ fleet: Fleet) throws {
        let entry = { (key: String, amount: Int64) in
            Change.count(field: 1, key: key, amount: .int(amount))
        }
        try device.change([entry("one", 10)], fleet)
        try device.change([.add(field: 2, .text("red")), .add(field: 2, .text("blue"))], fleet)
        try device.change([.edit(field: 3, at: 0, deleting: 0, inserting: "hello")], fleet)
        try device.change([.set(FieldWrite(4, .text("first")))], fleet)
        try device.change([.set(FieldWrite(5, .int(7)))], fleet)
        try device.log("it happened", fleet)
        try device.change([.remove(field: 2, .text("red"))], fleet)
        try device.change([.edit(field: 3, at: 5, deleting: 0, inserting: " world")], fleet)
        try device.change([entry("two", -3)], fleet)
        try device.change([.edit(field: 3, at: 0, deleting: 1, inserting: "J")], fleet)
        try device.change([.set(FieldWrite(4, .text("second")))], fleet)
        try device.change([.add(field: 2, .text("green")), entry("one", 11)], fleet)
    }

    /// Devices that hold what the first one wrote so far.
    private func home(_ names: [String] = ["a", "b"]) throws -> (Fleet, [Device]) {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(names)
        for number in 1...3 {
            try devices[0].change([.set(FieldWrite(5, .int(Int64(number))))], fleet)
        }
        for other in devices.dropFirst() { try fleet.meet(devices[0], other) }
        return (fleet, devices)
    }

    private func things(_ device: Device) throws -> ChainRow {
        let rows = device.replica?.log.chainRows() ?? []
        let name = device.replica?.device
        let own = rows.filter { $0.device == name && $0.stored > 0 }
        return try #require(own.max { $0.stored < $1.stored })
    }

    /// Closes the home, loses batches of its own chain, and opens it again.
    private func lose(
        _ seqs: [UInt64], of device: Device, _ loss: Loss, _ fleet: Fleet,
        forgetPeers: Bool = false, entropySeed: UInt8? = nil
    ) throws {
        let chain = try things(device).index
        guard let mark = device.replica?.witnessMark else { throw Device.Closed() }
        try device.close()
        for seq in seqs {
            let key = chain << 40 | Int64(seq)
            switch loss {
            case .deleted: try device.run("DELETE FROM batches WHERE key = \(key)")
            case .flipped:
                try device.run(
                    """
                    UPDATE batches SET ciphertext = CAST(x'00' || substr(ciphertext, 2) AS BLOB)
                    WHERE key = \(key)
                    """)
            }
        }
        if forgetPeers { try device.run("DELETE FROM peers") }
        try device.open(
            at: fleet.now, entropySeed: entropySeed, witness: .intact(mark), schema: fleet.schema)
        fleet.advance(Limits.gapSearchMilliseconds)
    }

    private func report(_ device: Device) throws -> RestatingReport? {
        for fact in try device.replica?.warningFacts(at: Fleet().now) ?? [] {
            if case .batchesRestated(let report) = fact.warning { return report }
        }
        return nil
    }

    private func expectSame(_ devices: [Device], as digest: Bytes32) throws {
        for device in devices {
            #expect(try device.digest() == digest, "\(story(device))")
            #expect(try device.shown(1) == .int(8))
            #expect(try device.shown(3) == .text("Jello world"))
            #expect(try device.view(2_001)?.isCollision == false)
        }
        try expectConverged(devices)
    }

    @Test(arguments: Loss.allCases, [1, 2, 3, 6, 7, 8, 11, 12])
    func `a batch that nobody else has is said again from the records`(
        _ loss: Loss, _ place: Int
    ) throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        let digest = try devices[0].digest()
        let life = devices[0].incarnation
        try lose([first + UInt64(place)], of: devices[0], loss, fleet)
        fleet.meetDeadlines([devices[0]])
        try fleet.meet(devices[0], devices[1])
        try fleet.meet(devices[0], devices[1])
        try expectSame(devices, as: digest)
        #expect(devices[0].incarnation != life)
        #expect(try report(devices[0])?.lost == 1)
        let hidden = devices[1].replica?.batchesHidden
        #expect(hidden == 0)
        // It stays so.
        try fleet.reopen(devices[0])
        try fleet.reopen(devices[1])
        try write(devices[1], fleet)
        try fleet.meet(devices[0], devices[1])
        try expectConverged(devices)
    }

    @Test(arguments: Loss.allCases, [[1, 2], [3, 8, 10], [11, 12], Array(1...12)])
    func `several lost batches are said again, and the rest follows from the log`(
        _ loss: Loss, _ places: [Int]
    ) throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        let digest = try devices[0].digest()
        try lose(places.map { first + UInt64($0) }, of: devices[0], loss, fleet)
        fleet.meetDeadlines([devices[0]])
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame(devices, as: digest)
        #expect(try report(devices[0])?.lost == UInt64(places.count))
    }

    @Test(arguments: Loss.allCases, [2, 8, 9])
    func `who comes later with the batches themselves doubles nothing`(
        _ loss: Loss, _ place: Int
    ) throws {
        let (fleet, devices) = try home(["a", "b", "c"])
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        // The author forgets that this device has everything, as after a crash.
        try fleet.meet(devices[0], devices[2])
        let digest = try devices[0].digest()
        try lose([first + UInt64(place)], of: devices[0], loss, fleet, forgetPeers: true)
        fleet.meetDeadlines([devices[0]])
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame([devices[0], devices[1]], as: digest)
        // This one has not heard of it, and takes back an element and edits a text of the old life.
        try devices[2].change([.remove(field: 2, .text("blue"))], fleet)
        try devices[2].change([.edit(field: 3, at: 11, deleting: 0, inserting: "!")], fleet)
        for _ in 0..<2 {
            try fleet.meet(devices[2], devices[1])
            try fleet.meet(devices[1], devices[0])
            try fleet.meet(devices[2], devices[0])
        }
        for device in devices {
            #expect(try device.shown(1) == .int(8))
            #expect(try device.shown(3) == .text("Jello world!"))
            #expect(try device.shown(2) == .list([.text("green")]))
        }
        try expectConverged(devices)
        let hidden = devices.map { $0.replica?.batchesHidden }
        #expect(hidden == [0, 0, 0])
        for device in devices { try fleet.reopen(device) }
        try expectConverged(devices)
    }

    @Test(arguments: Loss.allCases)
    func `a batch that a peer is known to have comes back from it, in the same life`(
        _ loss: Loss
    ) throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        try fleet.meet(devices[0], devices[1])
        let (digest, life) = (try devices[0].digest(), devices[0].incarnation)
        try lose([first + 4], of: devices[0], loss, fleet)
        // It is noticed when the batches are read again.
        guard var replica = devices[0].replica.take() else { throw Device.Closed() }
        var check = BatchCheck(replica)
        while !check.isDone { _ = try replica.go(on: &check, bytes: 1 << 20, at: fleet.now) }
        let isNamed = try replica.warningFacts(at: fleet.now).contains {
            if case .damagedOwnBatch = $0.warning { true } else { false }
        }
        devices[0].replica = .some(replica)
        #expect(isNamed)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame(devices, as: digest)
        #expect(devices[0].incarnation == life)
        #expect(try report(devices[0]) == nil)
        let damaged = devices[0].replica?.damagedBatches
        #expect(damaged == 0)
    }

    @Test func `an opening leaves the search for lost batches to the time after it`() throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        try lose([first + 12], of: devices[0], .deleted, fleet)
        fleet.advance(-Limits.gapSearchMilliseconds)
        fleet.meetDeadlines([devices[0]])
        #expect(try report(devices[0]) == nil)
        let due = try #require(devices[0].nextDeadline)
        fleet.advance(due - fleet.now.uptimeMilliseconds)
        fleet.meetDeadlines([devices[0]])
        #expect(try report(devices[0])?.lost == 1)
        #expect(devices[0].nextDeadline ?? .max > due)
    }

    @Test func `a person need not wait for a peer that does not come any more`() throws {
        let (fleet, devices) = try home(["a", "b", "c"])
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        try fleet.meet(devices[0], devices[2])
        let digest = try devices[0].digest()
        try lose([first + 4], of: devices[0], .flipped, fleet)
        try fleet.meet(devices[0], devices[1])
        #expect(try devices[1].view(2_001) == nil)
        let done = try devices[0].replica?.restateLost(at: fleet.now)
        devices[0].perform(done?.effects ?? [])
        #expect(done?.report.lost == 1)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame([devices[0], devices[1]], as: digest)
        for _ in 0..<2 {
            try fleet.meet(devices[2], devices[1])
            try fleet.meet(devices[1], devices[0])
        }
        try expectSame(devices, as: digest)
    }

    @Test func `an intent that was carried out stays so when its batch is lost`() throws {
        let (fleet, devices) = try home()
        let intent = Array("dose 1".utf8)
        let write = Write(devices[0].key, [.count(field: 1, key: "dose", amount: .int(-1))])
        let before = try devices[0].commit([write], at: fleet.now, intent: intent)
        try lose([try things(devices[0]).stored], of: devices[0], .deleted, fleet)
        fleet.meetDeadlines([devices[0]])
        let after = try devices[0].commit([write], at: fleet.now, intent: intent)
        #expect(after.repeated && after.commit == before.commit)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        #expect(try devices[1].shown(1) == .int(-1))
        try expectConverged(devices)
    }

    @Test func `a commit of several parts that lost one shows everywhere`() throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        let text = String(repeating: "x", count: 60_000)
        let writes = try (0..<8).map { number in
            let id = try #require(RecordID("big-\(number)"))
            return Write(
                RecordKey(collection: 2_000, record: id),
                [.edit(field: 3, at: 0, deleting: 0, inserting: text)])
        }
        let receipt = try devices[0].commit(writes, at: fleet.now)
        try #require(receipt.batches > 2)
        try write(devices[0], fleet)
        let digest = try devices[0].digest()
        try lose([first + 2], of: devices[0], .deleted, fleet)
        fleet.meetDeadlines([devices[0]])
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame(devices, as: digest)
        let hidden = devices[1].replica?.batchesHidden
        #expect(hidden == 0)
    }

    @Test func `a commit over several scopes that comes after a lost batch shows again`() throws {
        let fleet = try Fleet.ofThings()
        fleet.schema = try Schema(
            version: 1,
            collections: fleet.schema.collections + [
                Collection(
                    id: 2_002, name: "place", scope: "places",
                    fields: [Field(id: 1, name: "name", type: .text)])
            ])
        let devices = try fleet.group(["a", "b"])
        let name = Write(
            RecordKey(collection: 2_002, record: try #require(RecordID("home"))),
            [.set(FieldWrite(1, .text("shelf")))])
        for number in 1...3 {
            let thing = Change.set(FieldWrite(5, .int(Int64(number))))
            try devices[0].change([thing], fleet)
            let key = RecordKey(collection: 2_000, record: try #require(RecordID("t\(number)")))
            try devices[0].commit([Write(key, [thing]), name], at: fleet.now)
        }
        let digest = try devices[0].digest()
        try lose([1], of: devices[0], .deleted, fleet)
        fleet.meetDeadlines([devices[0]])
        #expect(try devices[0].digest() == digest)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        for device in devices {
            #expect(try device.digest() == digest, "\(story(device))")
            let hidden = device.replica?.batchesHidden
            #expect(hidden == 0)
        }
        try expectConverged(devices)
    }

    @Test func `what says a lost batch again does not wait for what others built on it`() throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try devices[1].change([.add(field: 2, .text("late"))], fleet)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        let digest = try devices[0].digest()
        // Nothing is left of what was known of the peer, which does not come back.
        try lose([first + 2], of: devices[0], .deleted, fleet, forgetPeers: true)
        fleet.meetDeadlines([devices[0]])
        #expect(try report(devices[0])?.lost == 1)
        #expect(try devices[0].digest() == digest, "\(story(devices[0]))")
        let hidden = devices[0].replica?.batchesHidden
        #expect(hidden == 0)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectConverged(devices)
        #expect(try devices[0].digest() == digest)
    }

    @Test(arguments: Loss.allCases)
    func `what was said again and is lost once more is said again once more`(_ loss: Loss) throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        let digest = try devices[0].digest()
        try lose([first + 3], of: devices[0], .deleted, fleet)
        fleet.meetDeadlines([devices[0]])
        let life = devices[0].incarnation
        // The rows begin a chain of their own now.
        try lose([1, 5], of: devices[0], loss, fleet, entropySeed: 77)
        fleet.meetDeadlines([devices[0]])
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame(devices, as: digest)
        #expect(devices[0].incarnation != life)
        let hidden = devices[1].replica?.batchesHidden
        #expect(hidden == 0)
    }

    @Test func `what no record shows any more is counted, and the person is told`() throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try devices[0].change([.set(FieldWrite(4, .text("first")))], fleet)
        try devices[0].change([.set(FieldWrite(4, .text("second")))], fleet)
        let digest = try devices[0].digest()
        try lose([first + 1], of: devices[0], .deleted, fleet)
        fleet.meetDeadlines([devices[0]])
        #expect(try report(devices[0]) == RestatingReport(lost: 1, saved: 0, silent: 1))
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        #expect(try devices[1].digest() == digest)
        try devices[0].replica?.acknowledgeNotices()
        #expect(try report(devices[0]) == nil)
        try fleet.reopen(devices[0])
        #expect(try report(devices[0]) == nil)
    }

    @Test func `records are saved before everything is made anew from the batches`() throws {
        let (fleet, devices) = try home()
        let first = try things(devices[0]).stored
        try write(devices[0], fleet)
        let digest = try devices[0].digest()
        let chain = try things(devices[0]).index
        guard let mark = devices[0].replica?.witnessMark else { throw Device.Closed() }
        try devices[0].close()
        try devices[0].run(
            "DELETE FROM batches WHERE key = \(chain << 40 | Int64(first + 3))")
        // Another version of the program forgets all records.
        fleet.schema = try Schema(version: 2, collections: fleet.schema.collections)
        try devices[0].run("DELETE FROM meta WHERE key = 'schema'")
        try devices[0].open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        try expectSame(devices, as: digest)
    }
}
