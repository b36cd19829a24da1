import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Two groups of one person become one (docs/protocol.md, "Batches of another group").
@Suite struct GroupMergeTests {
    /// Writes of all kinds by two devices of a group that meet in between.
    private func write(_ one: Device, _ other: Device, _ fleet: Fleet, _ word: String) throws {
        let entry = { (key: String, amount: Int64) in
            Change.count(field: 1, key: key, amount: .int(amount))
        }
        try one.change([entry(word, 10), .add(field: 2, .text(word))], fleet)
        try one.change([.edit(field: 3, at: 0, deleting: 0, inserting: word)], fleet)
        try one.change([.set(FieldWrite(4, .text(word)))], fleet)
        try fleet.meet(one, other)
        try other.change([.edit(field: 3, at: 1, deleting: 1, inserting: "-")], fleet)
        try other.change(
            [entry(word, 7), .set(FieldWrite(5, .int(Int64(word.utf8.count))))], fleet)
        try one.change([.add(field: 2, .text("both")), .remove(field: 2, .text(word))], fleet)
        try one.log("it happened to \(word)", fleet)
        try fleet.meet(one, other)
        try other.change([.set(FieldWrite(4, .text(word + "!")))], fleet)
        try fleet.meet(one, other)
    }

    private func groups() throws -> TwoGroups {
        let groups = try TwoGroups(try Fleet.ofThings())
        try write(groups.here[0], groups.here[1], groups.fleet, "here")
        try write(groups.there[0], groups.there[1], groups.fleet, "there")
        return groups
    }

    @Test func `what another group wrote merges as if its devices had been in this one`() throws {
        let groups = try groups()
        let (a, b) = (groups.here[0], groups.here[1])
        let counts = try groups.merge(groups.there[0], into: a)
        #expect(counts.brought == 8)
        #expect(counts.known == 0)
        #expect(try a.shown(1) == .int(14))
        #expect(try a.shown(5) == .int(5))
        #expect(try a.shown(2) == .list([.text("both")]))
        guard case .list(let marks)? = try a.shown(4) else { throw Device.Closed() }
        #expect(Set(marks.map { "\($0)" }) == ["here!", "there!"])
        #expect(try a.shown(3) == .text("h-ret-ere") || a.shown(3) == .text("t-ereh-re"))
        try groups.meet([a, b])
        try expectConverged([a, b])
        groups.showAnew(b)
        try expectConverged([a, b])
        try groups.fleet.reopen(a)
        try expectConverged([a, b])
    }

    @Test func `two devices that merge at the same time bring everything once`() throws {
        let groups = try groups()
        let (a, b) = (groups.here[0], groups.here[1])
        let early = try groups.fleet.clone(groups.there[1], blind: false)
        let x = groups.there[0]
        try x.change([.count(field: 1, key: "late", amount: .int(100))], groups.fleet)
        try x.change([.edit(field: 3, at: 0, deleting: 1, inserting: "late")], groups.fleet)
        let all = try groups.merge(x, into: a)
        let some = try groups.merge(early, into: b)
        #expect(some.brought < all.brought)
        let shown = try a.digest()
        try groups.meet([a, b])
        try expectConverged([a, b])
        #expect(try a.digest() == shown)
        #expect(try a.shown(1) == .int(114))
        groups.showAnew(a)
        groups.showAnew(b)
        #expect(try a.digest() == shown)
        #expect(try b.digest() == shown)
    }

    @Test func `a second merge brings what is new and nothing else`() throws {
        let groups = try groups()
        let (a, x) = (groups.here[0], groups.there[0])
        let first = try groups.merge(x, into: a)
        let again = try groups.merge(x, into: a)
        #expect(again == MergeCounts(known: first.brought))
        try x.change([.count(field: 1, key: "late", amount: .int(100))], groups.fleet)
        try groups.fleet.reopen(a)
        let third = try groups.merge(x, into: a)
        #expect(third.brought == 1)
        #expect(third.known == first.brought)
        #expect(try a.shown(1) == .int(114))
        try groups.meet(groups.here)
        try expectConverged(groups.here)
    }

    @Test func `a device that stays behind in its group can bring the rest itself`() throws {
        let groups = try groups()
        let (x, y) = (groups.there[0], groups.there[1])
        try y.change([.count(field: 1, key: "alone", amount: .int(1_000))], groups.fleet)
        try groups.merge(x, into: groups.here[0])
        try groups.merge(y, into: groups.here[1])
        try groups.meet(groups.here)
        try expectConverged(groups.here)
        #expect(try groups.here[0].shown(1) == .int(1_014))
    }

    @Test func `two groups that merge each other show the same`() throws {
        let groups = try groups()
        let (a, x) = (groups.here[0], groups.there[0])
        try groups.merge(x, into: a)
        try groups.merge(a, into: x)
        // What came from the other group is not taken back into it.
        let back = try groups.merge(x, into: a)
        #expect(back.operations == 0)
        for field in [UInt32(1), 2, 3, 4, 5] {
            let left = try a.view(2_000)?.fields.first { $0.field == field }?.values
            let right = try x.view(2_000)?.fields.first { $0.field == field }?.values
            #expect(left == right, "field \(field)")
        }
        try groups.meet(groups.here)
        try expectConverged(groups.here)
    }

    @Test func `a history names the writer and who brought it, and says who holds it`() throws {
        let groups = try groups()
        let (a, b, x) = (groups.here[0], groups.here[1], groups.there[0])
        try groups.merge(x, into: a)
        try groups.meet([a, b])
        let ops = try b.replica?.reading.history(of: b.key, field: 2, limit: 50) ?? []
        let foreign = ops.filter { $0.broughtBy != nil }
        #expect(foreign.count == 3)
        #expect(foreign.allSatisfy { $0.device == x.replica?.device })
        #expect(foreign.allSatisfy { $0.broughtBy == a.replica?.device })
        #expect(foreign.allSatisfy { $0.fate != .unknown })
        let report = try b.replica?.reading.report(of: b.key, field: 5)
        #expect(report?.winners.first?.broughtBy == a.replica?.device)
        #expect(report?.holders.allSatisfy { $0.holds == true } == true)
    }

    @Test func `a commit of many parts comes whole`() throws {
        let groups = try groups()
        let (a, x) = (groups.here[0], groups.there[0])
        let many = (0..<9_000).map { Change.count(field: 1, key: "k\($0)", amount: .int(1)) }
        try x.change(many, groups.fleet)
        let counts = try groups.merge(x, into: a)
        #expect(counts.operations > 9_000)
        #expect(try a.shown(1) == .int(9_014))
        try groups.meet(groups.here)
        try expectConverged(groups.here)
    }

    @Test func `a deleted record stays deleted, and a restored one comes back`() throws {
        let groups = try groups()
        let (a, x) = (groups.here[0], groups.there[0])
        let other = RecordKey(collection: 2_000, record: try #require(RecordID("other")))
        try x.commit(
            [Write(other, [.count(field: 1, key: "k", amount: .int(3))])], at: groups.fleet.now)
        groups.fleet.advance(10)
        try x.commit([.delete(collection: 2_000, record: other.record)], at: groups.fleet.now)
        try groups.merge(x, into: a)
        #expect(try a.replica?.reader.record(2_000, other.record) == nil)
        #expect(try a.trash().map(\.record.id) == [other.record])
        groups.fleet.advance(10)
        try x.commit([Write(other, [.restore])], at: groups.fleet.now)
        try groups.merge(x, into: a)
        #expect(try a.replica?.reader.record(2_000, other.record) != nil)
        try groups.meet(groups.here)
        try expectConverged(groups.here)
    }

    @Test func `a group merges neither itself nor one whose author wrote two histories`() throws {
        let groups = try groups()
        let (a, b, x, y) = (groups.here[0], groups.here[1], groups.there[0], groups.there[1])
        #expect(throws: ReplicaError.merge(.sameGroup)) { try groups.merge(b, into: a) }
        let copy = try groups.fleet.clone(x, blind: true)
        try x.change([.add(field: 2, .text("one"))], groups.fleet)
        try copy.change([.add(field: 2, .text("two"))], groups.fleet)
        try groups.fleet.meet(x, y)
        try groups.fleet.meet(copy, y)
        let device = try deviceID(of: x)
        #expect(throws: ReplicaError.merge(.forked(device))) { try groups.merge(y, into: a) }
        let before = try a.digest()
        #expect(try a.digest() == before)
    }

    @Test func `a damaged batch of the other group is named and not passed over`() throws {
        let groups = try groups()
        let (a, x) = (groups.here[0], groups.there[0])
        let rows = x.replica?.log.chainRows() ?? []
        let scope = x.replica?.group?.scope(named: "things")
        let row = try #require(rows.first { $0.scope == scope && $0.stored > 2 })
        guard let mark = x.replica?.witnessMark else { throw Device.Closed() }
        try x.close()
        try x.run("DELETE FROM batches WHERE key = \(row.index << 40 | 2)")
        try x.open(at: groups.fleet.now, witness: .intact(mark), schema: groups.fleet.schema)
        #expect(throws: ReplicaError.merge(.damaged(row.device))) { try groups.merge(x, into: a) }
        try groups.merge(groups.there[1], into: a)
        #expect(try a.shown(1) == .int(14))
    }
}
