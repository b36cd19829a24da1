import Foundation
import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct SubscriptionTests {
    @Test func `a subscription is read again as it was written`() throws {
        for subscription in [
            Subscription.all, .everything(except: ["log/2026-01"]), .only([]), .only(["a", "b"]),
        ] {
            #expect(try Subscription(decoding: subscription.encoded) == subscription)
        }
        #expect(throws: WireError.self) { try Subscription(decoding: [0x81, 0xf5]) }
    }

    @Test func `adding and removing a scope are each other's opposite`() {
        let some = Subscription.only(["a"])
        #expect(some.adding("b").wants("b") && !some.adding("b").removing("b").wants("b"))
        #expect(!Subscription.all.removing("a").wants("a"))
        #expect(Subscription.all.removing("a").adding("a") == .all)
    }

    @Test func `a filter holds what it names, or all but that`() throws {
        let scope = Bytes16(repeating: 1)
        let other = Bytes16(repeating: 2)
        let some = ScopeFilter(isExclusion: false, scopes: OrderedSet([scope]))
        #expect(some.holds(scope) && !some.holds(other))
        let most = ScopeFilter(isExclusion: true, scopes: OrderedSet([scope]))
        #expect(!most.holds(scope) && most.holds(other))
        #expect(ScopeFilter.everything.holds(scope))
        var writer = CBORWriter()
        some.write(to: &writer)
        var reader = CBORReader(writer.bytes)
        #expect(try ScopeFilter.read(from: &reader) == some)
        let unsorted =
            [0x82, 0xf4, 0x82, 0x50] + other.array + [0x50] + scope.array
        #expect(throws: WireError.nonCanonical) {
            var reader = CBORReader(unsorted)
            return try ScopeFilter.read(from: &reader)
        }
    }

    @Test func `a device gets only the scopes that it wants, and the rest when it asks`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.unsubscribe(watch, ["visits"], fleet)
        try phone.visit("v1", at: fleet.now)
        try phone.dose("2026-11-21/1", at: fleet.now)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_001) == 0 && watch.count(of: 2_002) == 1)
        #expect(watch.events.contains { if case .peerInStep = $0 { true } else { false } })
        watch.perform(try watch.replica?.subscribe(to: ["visits"], at: fleet.now) ?? [])
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_001) == 1)
        try expectConverged([phone, watch])
    }

    @Test func `what is evicted is not deleted, and comes back`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.dose("2026-10-01/1", at: fleet.now)
        try watch.dose("2026-10-02/1", at: fleet.now)
        try phone.dose("2026-11-01/1", at: fleet.now)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 3)
        fleet.connect(phone, watch)
        try phone.unsubscribe(watch, ["log/2026-10"], fleet)
        fleet.disconnectAll()
        #expect(try watch.count(of: 2_002) == 1 && phone.count(of: 2_002) == 3)
        try watch.dose("2026-11-02/1", at: fleet.now)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 2 && phone.count(of: 2_002) == 4)
        try watch.reopen(fleet)
        #expect(watch.replica?.subscription == .everything(except: ["log/2026-10"]))
        watch.perform(try watch.replica?.subscribe(to: ["log/2026-10"], at: fleet.now) ?? [])
        try watch.dose("2026-10-03/1", at: fleet.now)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 5)
        try expectConverged([phone, watch])
        #expect(
            !phone.events.contains { if case .warning(.authorForked) = $0 { true } else { false } })
    }

    @Test func `a commit across scopes shows whole in those that are held`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.unsubscribe(watch, ["visits"], fleet)
        try phone.commit(
            [phone.doseWrite("2026-11-21/9"), phone.visitWrite("v9"), phone.noteWrite("n9")],
            at: fleet.now)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 1 && watch.count(of: 2_000) == 1)
        #expect(try watch.count(of: 2_001) == 0)
        watch.perform(try watch.replica?.subscribe(to: ["visits"], at: fleet.now) ?? [])
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_001) == 1)
        try expectConverged([phone, watch])
    }

    @Test func `what nobody else is known to hold is not evicted unless it is forced`() throws {
        let (fleet, phone, watch) = try pair()
        try watch.visit("mine", at: fleet.now)
        #expect(throws: ReplicaError.heldOnlyHere(scope: "visits")) {
            _ = try watch.replica?.unsubscribe(from: ["visits"], at: fleet.now)
        }
        #expect(try watch.count(of: 2_001) == 1)
        watch.perform(
            try watch.replica?.unsubscribe(from: ["visits"], force: true, at: fleet.now) ?? [])
        #expect(try watch.count(of: 2_001) == 0)
        try fleet.meet(phone, watch)
        #expect(try phone.count(of: 2_001) == 0)
    }

    @Test func `a watch keeps two months, and leaves others once the phone has them`() throws {
        let (fleet, phone, watch) = try pair()
        fleet.now.wallMilliseconds = try #require(CivilTime.parseInstant("2026-11-21T10:00:00Z"))
        try phone.dose("2026-08-01/1", at: fleet.now)
        try fleet.meet(phone, watch)
        for month in ["2026-09", "2026-10", "2026-11"] {
            try watch.dose("\(month)-01/1", at: fleet.now)
        }
        try watch.visit("v", at: fleet.now)
        // Nobody is there: what is held stays, but nothing older is asked for from now on.
        try watch.holdRecent(fleet)
        #expect(try watch.count(of: 2_002) == 4)
        try fleet.meet(phone, watch)
        fleet.connect(phone, watch)
        try watch.holdRecent(fleet)
        fleet.disconnectAll()
        #expect(try watch.count(of: 2_002) == 2 && phone.count(of: 2_002) == 4)
        #expect(
            watch.replica?.subscription == .only(["visits", "log/2026-10", "log/2026-11"]))
        try watch.holdRecent(fleet)
        try watch.reopen(fleet)
        try watch.holdRecent(fleet)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 2 && watch.count(of: 2_001) == 1)
        #expect(try phone.count(of: 2_001) == 1)
    }

    @Test func `time passes, and a clock that is wrong loses nothing`() throws {
        let (fleet, phone, watch) = try pair()
        let november = try #require(CivilTime.parseInstant("2026-11-21T10:00:00Z"))
        fleet.now.wallMilliseconds = november
        try watch.holdRecent(fleet)
        try watch.dose("2026-10-01/1", at: fleet.now)
        try watch.dose("2026-11-01/1", at: fleet.now)
        try fleet.meet(phone, watch)
        try phone.dose("2026-11-02/1", at: fleet.now)
        var wrong = fleet.now
        wrong.wallMilliseconds = try #require(CivilTime.parseInstant("2030-01-10T10:00:00Z"))
        watch.perform(try watch.replica?.holdRecent(at: wrong) ?? [])
        #expect(try watch.count(of: 2_002) == 2)
        try watch.holdRecent(fleet)
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_002) == 3)
        fleet.now.wallMilliseconds = try #require(CivilTime.parseInstant("2026-12-02T10:00:00Z"))
        fleet.connect(phone, watch)
        try watch.holdRecent(fleet)
        fleet.disconnectAll()
        #expect(try watch.count(of: 2_002) == 2 && phone.count(of: 2_002) == 3)
    }

    @Test func `a scope of all, an unknown one and one that is not held are refused`() throws {
        let (fleet, phone, watch) = try pair()
        #expect(throws: ReplicaError.scopeOfAll("notes")) {
            _ = try phone.replica?.unsubscribe(from: ["notes"], at: fleet.now)
        }
        #expect(throws: ReplicaError.unknownScope("log/11")) {
            _ = try phone.replica?.subscribe(to: ["log/11"], at: fleet.now)
        }
        try phone.unsubscribe(watch, ["visits"], fleet)
        #expect(throws: ReplicaError.notSubscribed(scope: "visits")) {
            try watch.visit("v", at: fleet.now)
        }
        #expect(
            throws: ReplicaError.schema(.wrongIdentifier("tomorrow", expected: "YYYY-MM"))
        ) { try watch.dose("tomorrow", at: fleet.now) }
    }

    @Test func `a scope in which an author wrote two histories is taken up again`() throws {
        let (fleet, phone, watch) = try pair()
        try phone.visit("before", at: fleet.now)
        try fleet.meet(phone, watch)
        let copy = try phone.copied(fleet)
        for index in 0..<2 {
            try phone.visit("phone\(index)", at: fleet.now)
            try copy.visit("copy\(index)", at: fleet.now)
            fleet.advance(10)
        }
        for _ in 0..<3 {
            try fleet.meet(phone, watch)
            try fleet.meet(copy, watch)
        }
        #expect(try watch.count(of: 2_001) == 5 && phone.count(of: 2_001) == 5)
        watch.perform(
            try watch.replica?.unsubscribe(from: ["visits"], force: true, at: fleet.now) ?? [])
        #expect(try watch.count(of: 2_001) == 0)
        watch.perform(try watch.replica?.subscribe(to: ["visits"], at: fleet.now) ?? [])
        try fleet.meet(phone, watch)
        try expectConverged([phone, watch])
        #expect(try watch.count(of: 2_001) == 5)
    }

    private func pair() throws -> (Fleet, Device, Device) {
        let fleet = Fleet()
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(id: 2_000, name: "note", scope: "notes", fields: [text]),
                Collection(id: 2_001, name: "visit", scope: .optional("visits"), fields: [text]),
                .log(id: 2_002, name: "dose", scope: .divided("log", by: .month), fields: [text]),
            ])
        let devices = try fleet.group(["phone", "watch"])
        fleet.disconnectAll()
        return (fleet, devices[0], devices[1])
    }

    private var text: Field { Field(id: 1, name: "text", type: .text) }
}

extension Device {
    fileprivate func unsubscribe(_ other: Device, _ scopes: [String], _ fleet: Fleet) throws {
        other.perform(try other.replica?.unsubscribe(from: scopes, at: fleet.now) ?? [])
        fleet.run()
    }

    fileprivate func reopen(_ fleet: Fleet) throws {
        let mark = try #require(mark)
        try close()
        try open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
    }

    /// A copy of the home, which believes to be the same author.
    fileprivate func copied(_ fleet: Fleet) throws -> Device {
        let mark = try #require(mark)
        try close()
        let copy = try Device(name + "-copy", seed: seed)
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        try open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
        try copy.open(
            at: fleet.now, entropySeed: 200, witness: .intact(mark), schema: fleet.schema)
        return copy
    }

    fileprivate func count(of collection: UInt32) throws -> Int {
        try replica?.reader.records(collection).count ?? -1
    }

    fileprivate func write(_ collection: UInt32, _ id: String, _ change: Change) throws -> Write {
        Write(RecordKey(collection: collection, record: try #require(RecordID(id))), [change])
    }

    fileprivate func noteWrite(_ id: String) throws -> Write {
        try write(2_000, id, .set(FieldWrite(1, .text(id))))
    }

    fileprivate func visitWrite(_ id: String) throws -> Write {
        try write(2_001, id, .set(FieldWrite(1, .text(id))))
    }

    fileprivate func doseWrite(_ id: String) throws -> Write {
        try write(2_002, id, .insert([FieldValues(1, [.text(id)])]))
    }

    fileprivate func visit(_ id: String, at now: Moment) throws {
        try commit([visitWrite(id)], at: now)
    }

    fileprivate func holdRecent(_ fleet: Fleet) throws {
        perform(try replica?.holdRecent(at: fleet.now) ?? [])
    }

    fileprivate func dose(_ id: String, at now: Moment) throws {
        try commit([doseWrite(id)], at: now)
    }
}
