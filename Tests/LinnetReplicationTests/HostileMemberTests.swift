import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Membership records with which an admitted device tried to stop the others.
@Suite struct HostileMemberTests {
    private let fleet = Fleet()

    /// Three devices that met, and the last one's records that its software would not make.
    private func sample() throws -> (honest: [Device], forger: Forger) {
        let devices = try fleet.group(["a", "b", "c"])
        for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
        fleet.disconnectAll()
        return (Array(devices.prefix(2)), try Forger(devices[2]))
    }

    /// Brings records to a device as a member does, and lets it pass them on.
    private func plant(_ records: [MemberRecord], on devices: [Device], _ forger: Forger) throws {
        for device in devices {
            let raw = try RawMember(forger.device, at: device, in: fleet)
            try raw.say(
                .memberRecords,
                MemberRecordsMessage(group: forger.log.group, records: records.map(\.encoded))
                    .encode())
            #expect(raw.end == nil)
            fleet.disconnectAll()
            raw.leave()
        }
    }

    private func converse(_ devices: [Device]) throws {
        guard let peer = devices[1].replica?.device else { throw Device.Closed() }
        fleet.connect(devices[0], devices[1], .dialledMember(peer))
        for (index, device) in devices.enumerated() {
            try device.set("r\(index)", 1, .text("written"), at: fleet.now)
        }
        fleet.run()
        for device in devices { #expect(try device.value("r0", 1) == .text("written")) }
        try expectConverged(devices)
        fleet.disconnectAll()
    }

    @Test func `an epoch without boxes stops nobody, before and after a restart`() throws {
        let (honest, forger) = try sample()
        try plant([forger.epoch(number: 2, boxes: [])], on: honest, forger)
        try converse(honest)
        for device in honest {
            let facts = try device.replica?.warningFacts(at: fleet.now) ?? []
            #expect(
                facts.contains {
                    if case .keysNotUsed(forger.id, .leavesOut) = $0.warning { true } else { false }
                })
            try fleet.reopen(device)
        }
        try converse(honest)
    }

    @Test func `boxes that do not open are called bad, and all go on under new keys`() throws {
        let (honest, forger) = try sample()
        let members = forger.log.state.members.map(\.device)
        try plant([forger.epoch(number: 2, boxes: members)], on: honest, forger)
        for device in honest {
            #expect(throws: Never.self) {
                try device.set("before", 1, .text("x"), at: fleet.now)
            }
        }
        fleet.meetDeadlines(honest)
        fleet.connect(honest[0], honest[1])
        fleet.advance(60_000)
        fleet.meetDeadlines(honest)
        try converse(honest)
        for device in honest {
            guard let group = device.replica?.group else { throw Device.Closed() }
            #expect(group.log.state.currentEpoch.map { $0.author != forger.id } == true)
            #expect(group.ring.current(in: group.log) != nil)
            #expect(try device.replica?.warningFacts(at: fleet.now).isEmpty == true)
        }
    }

    /// The role of the device that gets junk: one that may start epochs, one that may start none,
    /// and one that is bound to a scope.
    enum Victim: CaseIterable { case member, reader, bound }

    @Test(arguments: Victim.allCases)
    func `one whose box of good keys is junk comes by what was written under them`(
        victim: Victim
    ) throws {
        let devices = try fleet.group(["a", "b", "c", "d"])
        for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
        fleet.disconnectAll()
        let (writers, last) = (Array(devices.prefix(2)), devices[2])
        if victim != .member {
            let scopes: ScopeChoice? = victim == .bound ? .only(["meds"]) : nil
            let effects = try devices[0].replica?.setRole(
                victim == .reader ? .reader : .member, scopes: scopes,
                of: try deviceID(of: last), at: fleet.now)
            devices[0].perform(effects ?? [])
            for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
            fleet.disconnectAll()
        }
        let forger = try Forger(devices[3])
        let honest = writers + [last]
        let planted = try forger.goodEpoch(butFor: try deviceID(of: last))
        try plant(planted, on: honest, forger)
        // Those with good boxes write under these keys, before they hear that somebody has none.
        fleet.connect(writers[0], writers[1])
        for (index, device) in writers.enumerated() {
            try device.set("early\(index)", 1, .text("written"), at: fleet.now)
        }
        fleet.run()
        let epoch = planted[0].id
        for device in writers { #expect(device.replica?.group?.ring.writing?.id == epoch) }
        if victim != .bound {
            #expect(last.replica?.group?.ring.badEpochs.contains(epoch) == true)
        }

        fleet.meetDeadlines(honest)
        fleet.connect(last, writers[0], .dialledMember(try deviceID(of: writers[0])))
        fleet.connect(last, writers[1], .dialledMember(try deviceID(of: writers[1])))
        for _ in 0..<4 {
            fleet.advance(15_000)
            fleet.meetDeadlines(honest)
            fleet.run()
        }
        for device in honest {
            guard let group = device.replica?.group else { throw Device.Closed() }
            #expect(group.log.state.currentEpoch.map { $0.id != epoch } == true)
            #expect(group.ring.current(in: group.log) != nil)
            for index in 0..<2 {
                #expect(try device.value("early\(index)", 1) == .text("written"))
            }
            if victim == .reader && device === last { continue }
            try device.set("late", 1, .text("x"), at: fleet.now)
        }
        fleet.run()
        // One that is bound holds less.
        try expectConverged(victim == .bound ? writers : honest)
    }

    @Test(arguments: [9, 10, 127, 200] as [UInt8])
    func `a record of an unknown kind keeps no session from opening`(kind: UInt8) throws {
        let (honest, forger) = try sample()
        try plant([forger.record(kind: kind, payload: [0xf6])], on: honest, forger)
        for device in honest { try fleet.reopen(device) }
        try converse(honest)
        let status = try honest[0].replica?.reading.status()
        #expect(status?.upgradeNeeded == (kind < 128))
        guard kind < 128 else { return }
        #expect(
            try honest[0].replica?.warningFacts(at: fleet.now).map(\.warning)
                == [.admissionFrozen(by: forger.id)])
        #expect(throws: ReplicaError.upgradeNeeded) { _ = try honest[0].offer(at: fleet.now) }
    }

    @Test func `thousands of lives of one member keep two devices from nothing`() throws {
        let (honest, forger) = try sample()
        let lives: UInt64 = 8_300
        let scope = try #require(honest[0].vector.first).scope
        let raw = try RawMember(forger.device, at: honest[0], in: fleet)
        try raw.greet()
        for life in 1...lives {
            let batch = try raw.first(ofLife: life, in: scope)
            try raw.queue(.batch, batch.message)
            if life.isMultiple(of: 100) { raw.exchange() }
        }
        #expect(raw.end == nil)
        raw.leave()
        #expect(honest[0].vector.count >= lives)
        for _ in 0..<2 {
            for device in honest { device.events = [] }
            try converse(honest)
            for device in honest {
                let ends = device.events.filter {
                    if case .sessionClosed(_, _, .protocolViolation) = $0 { true } else { false }
                }
                #expect(ends.isEmpty)
            }
        }
        #expect(honest[1].vector.count >= lives)
    }

    @Test func `a claim about one's own chain is believed only with the batch`() throws {
        let (honest, forger) = try sample()
        try honest[0].set("x", 1, .text("mine"), at: fleet.now)
        let life = try #require(honest[0].incarnation)
        guard let device = honest[0].replica?.device else { throw Device.Closed() }
        let own = AuthorName.author(device: device, incarnation: life)
        let raw = try RawMember(forger.device, at: honest[0], in: fleet)
        try raw.greet()
        for entry in honest[0].vector where entry.chain == own {
            var ack = AckMessage()
            let head = ListedHead(chain: own, seq: 1 << 62, prefix: .zero)
            ack.listing.scopes = [ListedScope(scope: entry.scope, heads: [head])]
            ack.creditLimit = 1 << 20
            try raw.say(.ack, ack.encode())
        }
        #expect(raw.end == nil)
        #expect(honest[0].incarnation == life)
    }

    @Test func `a wrong record behind right ones loses the session and nothing else`() throws {
        let (honest, forger) = try sample()
        let good = try forger.record(kind: 200, payload: [0xf6])
        let raw = try RawMember(forger.device, at: honest[0], in: fleet)
        try raw.say(
            .memberRecords,
            MemberRecordsMessage(
                group: forger.log.group, records: [good.encoded, [0x80]]
            ).encode())
        #expect(raw.end == .protocolViolation)
        #expect(honest[0].replica?.group?.log.contains(good.id) == true)
        fleet.disconnectAll()
        try converse(honest)
    }
}

/// A member's keys in the hands of somebody who signs what he likes.
final class Forger {
    let device: Device
    let keys: DeviceKeys
    var log: MembershipLog
    var entropy: Entropy

    init(_ device: Device) throws {
        guard let group = device.replica?.group else { throw Device.Closed() }
        self.device = device
        log = group.log
        var entropy = Device.entropy(device.seed)
        keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        self.entropy = entropy
    }

    var id: DeviceID { keys.device }

    /// A record above all others, whatever it says; the next one follows it.
    func record(kind: UInt8, payload: [UInt8]) throws -> MemberRecord {
        let record = try MemberRecord(
            signing: payload, kind: kind, group: log.group,
            lamport: 1 + (log.records.map(\.lamport).max() ?? 0),
            parents: log.heads.elements, keys: keys)
        _ = try log.insert(record)
        return record
    }

    /// Adds a record above those of an earlier log, beside what came since.
    func beside(_ base: MembershipLog, kind: UInt8, payload: [UInt8]) throws {
        let record = try MemberRecord(
            signing: payload, kind: kind, group: log.group,
            lamport: 1 + (base.records.map(\.lamport).max() ?? 0),
            parents: base.heads.elements, keys: keys)
        _ = try log.insert(record)
    }

    /// An epoch of which every member but one has a good box, and that one junk of the right size;
    /// one that is bound to scopes gets it by a share.
    func goodEpoch(butFor victim: DeviceID) throws -> [MemberRecord] {
        let made = try log.makeEpoch(
            ring: KeyRing(log: log, keys: keys), keys: keys, entropy: &entropy)
        guard case .epoch(let payload) = made.payload, let member = log.state.member(victim) else {
            throw Device.Closed()
        }
        let junk = [UInt8](repeating: 3, count: member.scopes.boxBytes(member.role))
        var boxes = payload.boxes
        if !member.isBound { boxes[victim] = junk }
        let changed = EpochPayload(
            number: payload.number, networkCommitment: payload.networkCommitment,
            dataCommitment: payload.dataCommitment, boxes: boxes, wrapped: payload.wrapped)
        let epoch = try record(kind: 4, payload: MemberPayload.epoch(changed).encoded)
        guard member.isBound else { return [epoch] }
        let share = SharePayload(epoch: epoch.id, device: victim, box: junk)
        return [epoch, try record(kind: 7, payload: MemberPayload.share(share).encoded)]
    }

    /// An epoch whose boxes make no sense.
    func epoch(number: UInt64, boxes: [DeviceID]) throws -> MemberRecord {
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(number)
        writer.bytes(Bytes32(repeating: 1))
        writer.bytes(Bytes32(repeating: 2))
        writer.array(boxes.count)
        for device in boxes.sorted() {
            writer.array(2)
            writer.bytes(device)
            writer.bytes([UInt8](repeating: 3, count: 112))
        }
        writer.array(0)
        return try record(kind: 4, payload: writer.bytes)
    }
}
