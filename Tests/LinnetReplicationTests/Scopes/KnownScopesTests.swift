import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The scopes that a device knows whole, and the time from which it does.
@Suite struct KnownScopesTests {
    @Test func `a founder knows all at once, a newcomer nothing before its first exchange`() throws
    {
        let (fleet, devices) = try months(["phone", "watch"])
        #expect(devices[0].held == HeldScopes(isEverything: true, names: [], isInStep: true))
        #expect(devices[1].held == HeldScopes(isEverything: false, names: [], isInStep: false))
        try devices[1].reopen(fleet)
        #expect(devices[1].held == HeldScopes(isEverything: false, names: [], isInStep: false))
        try fleet.meet(devices[0], devices[1])
        #expect(devices[1].held == HeldScopes(isEverything: true, names: [], isInStep: true))
        try devices[1].reopen(fleet)
        #expect(devices[1].held == HeldScopes(isEverything: true, names: [], isInStep: true))
    }

    @Test func `a first exchange that is cut off leaves nothing known, nor does a restart`() throws
    {
        let (fleet, phone, watch) = try cutOff()
        #expect(try watch.count(of: 2_000) > 0 && watch.count(of: 2_000) < 40)
        #expect(watch.held?.isInStep == false)
        watch.crash()
        fleet.disconnectAll()
        try watch.open(at: fleet.now, witness: watch.witness, schema: fleet.schema)
        #expect(watch.held == HeldScopes(isEverything: false, names: [], isInStep: false))
        fleet.tamper = nil
        try fleet.meet(phone, watch)
        #expect(try watch.count(of: 2_000) == 40)
        #expect(watch.held == HeldScopes(isEverything: true, names: [], isInStep: true))
        // Later changes come as to every device that was away.
        try phone.note("later", at: fleet.now)
        try watch.reopen(fleet)
        #expect(watch.held?.isInStep == true)
    }

    @Test func `two newcomers in step with each other know nothing before one meets the group`()
        throws
    {
        let (fleet, devices) = try months(["phone", "watch", "laptop"])
        let (phone, watch, laptop) = (devices[0], devices[1], devices[2])
        try phone.note("a", at: fleet.now)
        fleet.connect(watch, laptop)
        #expect(watch.replica?.devicesInStep.count == 1)
        #expect(watch.held?.isInStep == false && laptop.held?.isInStep == false)
        // One learns all while the other is connected, which hears of it in a new session.
        fleet.connect(phone, watch)
        #expect(watch.held?.isInStep == true && laptop.held?.isInStep == false)
        fleet.connect(watch, laptop)
        #expect(laptop.held == HeldScopes(isEverything: true, names: [], isInStep: true))
        #expect(try laptop.count(of: 2_000) == 1)
    }

    @Test func `who met only a device that holds less knows no more than that one`() throws {
        let (fleet, devices) = try months(["phone", "watch", "laptop"])
        let (phone, watch, laptop) = (devices[0], devices[1], devices[2])
        fleet.now.wallMilliseconds = try #require(CivilTime.parseInstant("2026-11-21T10:00:00Z"))
        try phone.dose("2026-08-01/1", at: fleet.now)
        try fleet.meet(phone, watch)
        fleet.connect(phone, watch)
        watch.perform(try watch.replica?.holdRecent(at: fleet.now) ?? [])
        fleet.disconnectAll()
        let recent = ["log/2026-10", "log/2026-11"]
        #expect(watch.held?.names.filter { $0.hasPrefix("log/") } == recent)
        try fleet.meet(watch, laptop)
        #expect(laptop.held?.isInStep == true && laptop.held?.isEverything == false)
        #expect(laptop.held?.names.filter { $0.hasPrefix("log/") } == recent)
        try fleet.meet(phone, laptop)
        #expect(laptop.held == HeldScopes(isEverything: true, names: [], isInStep: true))
        // A month that follows on one that was held begins known; one after a gap does not.
        fleet.now.wallMilliseconds = try #require(CivilTime.parseInstant("2026-12-05T10:00:00Z"))
        watch.perform(try watch.replica?.holdRecent(at: fleet.now) ?? [])
        #expect(watch.held?.names.contains("log/2026-12") == true)
        fleet.now.wallMilliseconds = try #require(CivilTime.parseInstant("2027-03-05T10:00:00Z"))
        watch.perform(try watch.replica?.holdRecent(at: fleet.now) ?? [])
        #expect(watch.held?.names.contains("log/2027-03") == false)
        #expect(watch.held?.isInStep == true)
        try fleet.meet(phone, watch)
        #expect(watch.held?.names.contains("log/2027-03") == true)
    }

    @Test func `a scope that is taken up again is known once somebody gave it`() throws {
        let (fleet, devices) = try months(["phone", "watch"])
        let (phone, watch) = (devices[0], devices[1])
        try fleet.meet(phone, watch)
        watch.perform(
            try watch.replica?.unsubscribe(from: ["visits", "log/2026-10"], at: fleet.now) ?? [])
        watch.perform(
            try watch.replica?.subscribe(to: ["visits", "log/2026-10"], at: fleet.now) ?? [])
        #expect(
            watch.held
                == HeldScopes(
                    isEverything: true, names: ["log/2026-10", "visits"], isInStep: true))
        // The phone has nothing to learn from a device that says so.
        try watch.reopen(fleet)
        #expect(watch.held?.names == ["log/2026-10", "visits"])
        try fleet.meet(phone, watch)
        #expect(watch.held == HeldScopes(isEverything: true, names: [], isInStep: true))
        // Alone in a group nobody could give it.
        let (other, alone) = try months(["alone"])
        alone[0].perform(
            try alone[0].replica?.unsubscribe(from: ["visits"], force: true, at: other.now) ?? [])
        alone[0].perform(try alone[0].replica?.subscribe(to: ["visits"], at: other.now) ?? [])
        #expect(alone[0].held == HeldScopes(isEverything: true, names: [], isInStep: true))
    }

    @Test func `a home of an earlier version knows what it founded or was in step with`() throws {
        let (fleet, devices) = try months(["phone", "watch"])
        try devices[0].forgetKnownScopes(fleet)
        try devices[1].forgetKnownScopes(fleet)
        #expect(devices[0].held?.isInStep == true && devices[1].held?.isInStep == false)
        try devices[0].note("a", at: fleet.now)
        try fleet.meet(devices[0], devices[1])
        try devices[1].forgetKnownScopes(fleet)
        #expect(devices[1].held == HeldScopes(isEverything: true, names: [], isInStep: true))
        let (other, _, watch) = try cutOff()
        other.disconnectAll()
        try watch.forgetKnownScopes(other)
        #expect(try watch.count(of: 2_000) > 0 && watch.held?.isInStep == false)
    }

    @Test func `sets of scopes hold what both hold, either holds, and no more`() {
        let all = (1...4).map { Bytes16(repeating: UInt8($0)) }
        let filters = (0..<16).flatMap { bits in
            let some = all.indices.filter { bits >> $0 & 1 == 1 }.map { all[$0] }
            return [true, false].map { ScopeFilter(isExclusion: $0, scopes: OrderedSet(some)) }
        }
        // The last one stands for all that nobody named.
        let probes = all + [Bytes16(repeating: 9)]
        for left in filters {
            for right in filters {
                let (union, both) = (left.union(right), left.intersection(right))
                for scope in probes {
                    let (isLeft, isRight) = (left.holds(scope), right.holds(scope))
                    #expect(union.holds(scope) == (isLeft || isRight))
                    #expect(both.holds(scope) == (isLeft && isRight))
                }
                let isCovered = probes.allSatisfy { left.holds($0) || !right.holds($0) }
                #expect(left.covers(right) == isCovered)
            }
        }
    }

    @Test func `a greeting says what is not known, and earlier versions pass it over`() throws {
        var hello = HelloMessage(
            incarnation: Bytes8(repeating: 1), wallMilliseconds: 5, schemaVersion: 1)
        let plain = hello.encode()
        hello.known = .nothing
        #expect(try HelloMessage.decode(hello.encode()) == hello)
        #expect(hello.encode() == [plain[0] + 1] + plain.dropFirst() + [0x06, 0x82, 0xf4, 0x80])
    }

    /// Devices that joined one after the other and were never connected since.
    private func months(_ names: [String]) throws -> (Fleet, [Device]) {
        let fleet = Fleet()
        let text = Field(id: 1, name: "text", type: .text)
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(id: 2_000, name: "note", scope: "notes", fields: [text]),
                Collection(id: 2_001, name: "visit", scope: .optional("visits"), fields: [text]),
                .log(id: 2_002, name: "dose", scope: .divided("log", by: .month), fields: [text]),
            ])
        let devices = try fleet.group(names)
        fleet.disconnectAll()
        return (fleet, devices)
    }

    /// A newcomer that a part of the notes reached, on a link that brings no more.
    private func cutOff() throws -> (Fleet, phone: Device, watch: Device) {
        let (fleet, devices) = try months(["phone", "watch"])
        for number in 0..<40 { try devices[0].note("note-\(number)", at: fleet.now) }
        fleet.tamper = { device, bytes in
            guard device === devices[0], bytes.count > 3_000 else { return bytes }
            return Array(bytes.prefix(bytes.count / 2))
        }
        fleet.connect(devices[1], devices[0])
        return (fleet, devices[0], devices[1])
    }
}

extension Device {
    fileprivate var held: HeldScopes? { replica?.heldScopes }
    fileprivate var witness: WitnessState { mark.map { .intact($0) } ?? .missing }

    fileprivate func reopen(_ fleet: Fleet) throws {
        try close()
        try open(at: fleet.now, witness: witness, schema: fleet.schema)
    }

    /// Opens the home as a version left it that did not keep which scopes are known.
    fileprivate func forgetKnownScopes(_ fleet: Fleet) throws {
        try close()
        var keySeed = Self.entropy(seed)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &keySeed)
        var entropy = Self.entropy(seed &+ 50)
        let store = try SQLiteStore(
            path: path, databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        try store.begin(.full)
        try store.setValue(.knownScopes, nil)
        try store.commit()
        try store.close()
        try open(at: fleet.now, witness: witness, schema: fleet.schema)
    }

    fileprivate func count(of collection: UInt32) throws -> Int {
        try replica?.reader.records(collection).count ?? -1
    }

    fileprivate func note(_ id: String, at now: Moment) throws {
        let key = RecordKey(collection: 2_000, record: try #require(RecordID(id)))
        try commit([Write(key, [.set(FieldWrite(1, .text(id)))])], at: now)
    }

    fileprivate func dose(_ id: String, at now: Moment) throws {
        let key = RecordKey(collection: 2_002, record: try #require(RecordID(id)))
        try commit([Write(key, [.insert([FieldValues(1, [.text(id)])])])], at: now)
    }
}
