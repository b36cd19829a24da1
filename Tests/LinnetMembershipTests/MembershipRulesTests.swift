import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// Who may say what.
struct MembershipRulesTests {
    private let admin = TestDevice(1)
    private let member = TestDevice(2)
    private let relay = TestDevice(3)
    private let stranger = TestDevice(4)

    private func sample() throws -> MembershipLog {
        var log = try admin.found()
        try log.insertAll(admin.add(member, role: .member, to: log))
        try log.insertAll(admin.add(relay, role: .relay, to: log))
        return log
    }

    /// The error with which the log refuses a record.
    private func refusal(of record: MemberRecord, by log: MembershipLog) -> MembershipError? {
        var log = log
        return membershipError { _ = try log.insert(record) }
    }

    /// The payload of a record that `admin` would make.
    private func payload(of record: MemberRecord) throws -> [UInt8] {
        var reader = CBORReader(record.encoded)
        try reader.array(exactly: 2)
        try reader.array(exactly: 7)
        for _ in 0..<6 { _ = try reader.rawItem() }
        return try reader.rawItem()
    }

    @Test func `only an admin admits`() throws {
        let log = try sample()
        let payload = try payload(of: admin.add(stranger, to: log))
        let good = try log.inserting(admin.record(kind: 1, payload: payload, in: log))
        #expect(good.state.member(stranger.device) != nil)
        for device in [member, relay] {
            let record = try device.record(kind: 1, payload: payload, in: log)
            let after = try log.inserting(record)
            #expect(after.records.count == log.records.count + 1)
            #expect(after.state.members == log.state.members)
            #expect(after.state.currentEpoch == log.state.currentEpoch)
        }
        let own = try stranger.record(kind: 1, payload: payload, in: log)
        #expect(refusal(of: own, by: log) == .notEntitled)
        #expect(throws: MembershipError.notEntitled) { _ = try member.add(stranger, to: log) }
        #expect(throws: MembershipError.epochKeyMissing) { _ = try stranger.add(member, to: log) }
    }

    @Test func `only writers start an epoch`() throws {
        let log = try sample()
        let payload = try payload(of: admin.epoch(in: log))
        for (device, counts) in [(admin, true), (member, true), (relay, false)] {
            let record = try device.record(kind: 4, payload: payload, in: log)
            let after = try log.inserting(record)
            #expect((after.state.epoch(record.id) != nil) == counts)
            #expect((after.state.currentEpoch?.id == record.id) == counts)
        }
        let foreign = try stranger.record(kind: 4, payload: payload, in: log)
        #expect(refusal(of: foreign, by: log) == .notEntitled)
        #expect(throws: MembershipError.notEntitled) { _ = try relay.epoch(in: log) }
    }

    @Test func `a right counts only among the record's own ancestors`() throws {
        let log = try sample()
        let before = log.heads.elements
        let later = try log.inserting(admin.add(stranger, to: log))
        let early = try stranger.record(kind: 9, in: later, parents: before)
        #expect(refusal(of: early, by: later) == .notEntitled)
        let late = try stranger.record(kind: 9, in: later)
        #expect(refusal(of: late, by: later) == nil)
    }

    @Test func `no key is ever used twice`() throws {
        let log = try sample()
        let forgeries = [
            Certificate(
                signing: stranger.keys.signing, noise: member.keys.noise, seal: stranger.keys.seal,
                createdMilliseconds: 0),
            Certificate(
                signing: stranger.keys.signing, noise: member.keys.seal, seal: stranger.keys.seal,
                createdMilliseconds: 0),
            Certificate(
                signing: stranger.keys.signing, noise: stranger.keys.noise, seal: member.keys.seal,
                createdMilliseconds: 0),
            Certificate(
                signing: member.keys.signing, noise: member.keys.noise, seal: member.keys.seal,
                createdMilliseconds: 77),
        ]
        for forgery in forgeries {
            var entropy = entropy(0)
            #expect(throws: MembershipError.keyReused) {
                _ = try log.makeAdd(
                    forgery, role: .admin, ring: admin.ring(log), keys: admin.keys,
                    entropy: &entropy)
            }
        }
    }

    @Test func `a device that was removed is handed no keys by whoever admits it again`() throws {
        var log = try sample()
        var entropy = entropy(7)
        try log.insertAll(
            log.makeRemoval(
                of: member.device, reason: 0, with: [], heads: [], ring: admin.ring(log),
                keys: admin.keys, entropy: &entropy))
        #expect(throws: MembershipError.certificateRemoved) { _ = try admin.add(member, to: log) }
    }

    @Test func `admitting a member again changes nothing but hands it the keys`() throws {
        let log = try sample()
        let record = try admin.add(member, role: .admin, to: log)
        #expect(record.kind == MemberKind.share.rawValue)
        let again = try log.inserting(record)
        #expect(again.state.members == log.state.members)
        #expect(again.records.count == log.records.count + 1)
        #expect(member.ring(again).current(in: again) != nil)
    }

    @Test func `a record has no parent that another one of them descends from`() throws {
        let log = try sample()
        let parents = log.records.suffix(2).map(\.id).sorted()
        let record = try admin.record(kind: 200, in: log, parents: parents)
        #expect(refusal(of: record, by: log) == .malformed(.nonCanonical))
    }

    @Test func `the number of an epoch is one above the highest before it`() throws {
        let log = try sample()
        let latest = try #require(log.records.last).lamport
        for (number, expected) in [
            (0, .badEpochNumber), (1, .badEpochNumber), (2, nil), (3, .badEpochNumber),
            (latest, .badEpochNumber), (.max, .badEpochNumber),
        ] as [(UInt64, MembershipError?)] {
            let forgery = try admin.forgedEpoch(in: log, number: number)
            #expect(refusal(of: forgery, by: log) == expected)
        }
        let rotated = try log.inserting(admin.epoch(in: log, seed: 5))
        let again = try admin.forgedEpoch(in: rotated, number: 2)
        #expect(refusal(of: again, by: rotated) == .badEpochNumber)
    }

    @Test func `above what the first version did not understand a number may leap`() throws {
        let log = try sample()
        let novel = try member.record(
            kind: 5, payload: MemberPayload.vote(.init(isFor: true, record: log.group)).encoded,
            in: log)
        var leapt = try log.inserting(novel)
        let time = novel.lamport
        for number in [0, 1, time + 1, .max] {
            let forgery = try admin.forgedEpoch(in: leapt, number: number)
            #expect(refusal(of: forgery, by: leapt) == .badEpochNumber)
        }
        let leap = try admin.forgedEpoch(in: leapt, number: time)
        #expect(refusal(of: leap, by: log) == nil)
        try leapt.insertAll(leap)
        let next = try leapt.inserting(admin.epoch(in: leapt))
        #expect(next.state.currentEpoch?.number == time + 1)
    }

    @Test func `an epoch counts only with the right box for each member and none beside`() throws {
        let log = try sample()
        let lowest = try #require([admin, member, relay].map(\.device).min())
        let cases: [(TestDevice.Forgery, EpochFault)] = [
            (.sealing([:]), .leavesOut(lowest)),
            (
                .sealing([admin.device: 112, member.device: 112]), .leavesOut(relay.device)
            ),
            (
                .sealing([admin.device: 112, member.device: 80, relay.device: 80]),
                .leavesOut(member.device)
            ),
            (
                .sealing([admin.device: 112, member.device: 112, relay.device: 112]),
                .sealedToStranger(relay.device)
            ),
            (
                .sealing([
                    admin.device: 112, member.device: 112, relay.device: 80, stranger.device: 112,
                ]), .sealedToStranger(stranger.device)
            ),
        ]
        for (forgery, fault) in cases {
            let record = try member.forgedEpoch(in: log, number: 2, forgery)
            let after = try log.inserting(record)
            let epoch = try #require(after.state.epoch(record.id))
            #expect(after.state.fault(of: epoch) == fault)
            #expect(after.state.currentEpoch == log.state.currentEpoch)
        }
    }

    @Test func `the thirty-third device is refused`() throws {
        let (log, devices) = try group(of: Limits.devices)
        #expect(log.state.members.count == Limits.devices)
        #expect(throws: MembershipError.tooManyDevices) {
            _ = try devices[0].add(TestDevice(99), to: log)
        }
        #expect(throws: Never.self) { _ = try devices[0].add(devices[31], to: log) }
    }

    @Test func `logical time is one above the latest parent's`() throws {
        let log = try sample()
        let latest = try #require(log.records.last).lamport
        for lamport in [0, latest, latest + 2, .max] {
            let record = try admin.record(kind: 9, in: log, lamport: lamport)
            #expect(refusal(of: record, by: log) == .badLamport)
        }
    }

    @Test func `any member may say what only later versions understand, a stranger may not`() throws
    {
        let log = try sample()
        for device in [admin, member, relay] {
            #expect(try refusal(of: device.record(kind: 9, in: log), by: log) == nil)
        }
        #expect(
            try refusal(of: stranger.record(kind: 9, in: log), by: log) == .notEntitled)
    }

    @Test func `after something not understood, only strangers are refused`() throws {
        var log = try sample()
        #expect(!log.state.upgradeNeeded)
        let add = try payload(of: admin.add(stranger, to: log))
        try log.insertAll(admin.record(kind: 9, in: log))
        #expect(log.state.upgradeNeeded)
        let promoted = try member.record(kind: 1, payload: add, in: log)
        #expect(refusal(of: promoted, by: log) == nil)
        #expect(try log.inserting(promoted).state.members == log.state.members)
        let outsider = try TestDevice(50).record(kind: 1, payload: add, in: log)
        #expect(refusal(of: outsider, by: log) == .notEntitled)
    }

    @Test func `the recovery key admits, and starts no epoch`() throws {
        let recovery = TestDevice(60)
        var payload = CBORWriter()
        payload.array(4)
        payload.raw(admin.certificate.encoded)
        payload.raw(recovery.certificate.encoded)
        payload.map(0)
        payload.bytes(Bytes32.zero)
        var log = try MembershipLog(
            genesis: MemberRecord(
                signing: payload.bytes, kind: 0, group: .zero, lamport: 1, parents: [],
                keys: admin.keys))
        try log.insertAll(admin.epoch(in: log))
        #expect(recovery.ring(log).current(in: log) != nil)
        let admitted = try log.inserting(recovery.add(stranger, to: log))
        #expect(admitted.state.member(stranger.device)?.role == .admin)
        #expect(throws: MembershipError.notEntitled) { _ = try recovery.epoch(in: log) }
        #expect(throws: MembershipError.keyReused) { _ = try admin.add(recovery, to: log) }
    }
}
