import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A device that is out hands over what it wrote and never sent.
@Suite struct LateHandOverTests {
    private let fleet = Fleet()

    /// Three devices that hold the same, of which the first two know that the third one is out.
    private func sample() throws -> [Device] {
        let devices = try fleet.trio()
        let effects = try devices[0].replica?.remove(
            try deviceID(of: devices[2]), reason: .sold, with: [], at: fleet.now)
        devices[0].perform(effects ?? [])
        meet(devices)
        return devices
    }

    private func meet(_ devices: [Device]) {
        for _ in 0..<2 { fleet.connect(devices[0], devices[1]) }
        fleet.disconnectAll()
    }

    private func write(_ numbers: ClosedRange<Int>, on device: Device) throws {
        for number in numbers {
            try device.set("late-\(number)", 1, .text("\(number)"), at: fleet.now)
        }
    }

    /// The device that is out dials a member, until it has heard.
    private func dial(_ former: Device, _ member: Device) throws {
        for _ in 0..<4 {
            fleet.connect(former, member, .dialledMember(try deviceID(of: member)))
            fleet.disconnectAll()
        }
    }

    private func late(on device: Device) throws -> [LateWrites] {
        try device.replica?.reading.lateWrites() ?? []
    }

    private func count(_ writes: LateWrites?) -> UInt64 {
        writes.map { $0.last - $0.first + 1 } ?? 0
    }

    @Test func `what a device wrote before it heard that it is out waits in the inbox of all`()
        throws
    {
        let devices = try sample()
        try write(1...70, on: devices[2])
        try dial(devices[2], devices[0])
        let found = try late(on: devices[0])
        #expect(found.count == 1 && count(found.first) == 70)
        #expect(found.first?.operations == 70 && found.first?.unreadable == 0)
        #expect(try !devices[0].exists("late-1"))
        #expect(throws: ReplicaError.self) { try write(71...71, on: devices[2]) }
        meet(devices)
        #expect(try late(on: devices[1]) == found)
        let choice = LateChoice(try deviceID(of: devices[2]))
        let result = try devices[0].replica?.acceptLateWrites(choice, at: fleet.now)
        devices[0].perform(result?.1 ?? [])
        meet(devices)
        for device in devices.prefix(2) {
            #expect(try device.value("late-70", 1) == .text("70"))
            #expect(try late(on: device).isEmpty)
        }
        #expect(try devices[0].digest() == devices[1].digest())
    }

    @Test func `one that knows hands over the rest when it comes again, within the allowance`()
        throws
    {
        let devices = try sample()
        try write(1...100, on: devices[2])
        devices[0].replica?.arrivals.allowed = Arrivals(
            records: 100, batches: 50, bytes: 1 << 20, decodedBytes: 1 << 20)
        try dial(devices[2], devices[0])
        // What is asked for at a time may go beyond the allowance.
        #expect(count(try late(on: devices[0]).first) == LateTalk.batchesAtOnce)
        fleet.advance(86_400_000)
        try dial(devices[2], devices[0])
        #expect(count(try late(on: devices[0]).first) == 100)
    }

    @Test func `several lives are handed over, and what is held is not sent again`() throws {
        let devices = try sample()
        try write(1...2, on: devices[2])
        try devices[2].close()
        try devices[2].open(
            at: fleet.now, entropySeed: 77, witness: .mismatch("another file"),
            schema: fleet.schema)
        try write(3...3, on: devices[2])
        try dial(devices[2], devices[0])
        #expect(try late(on: devices[0]).map(count).sorted() == [1, 2])
        let before = fleet.deliveredBytes
        try dial(devices[2], devices[1])
        let brought = fleet.deliveredBytes
        fleet.connect(devices[2], devices[1], .dialledMember(try deviceID(of: devices[1])))
        #expect(fleet.deliveredBytes - brought < brought - before)
        #expect(try late(on: devices[1]).map(count).sorted() == [1, 2])
    }

    // MARK: One that means harm

    /// A device that is out and known to be so, at the place of the third one.
    private func outsider() throws -> (raw: RawMember, host: Device, scope: ScopeID) {
        let devices = try sample()
        let rows = devices[0].replica?.chainRows ?? []
        let scope = try #require(rows.first?.scope)
        let raw = try RawMember(devices[2], at: devices[0], in: fleet)
        try raw.say(.memberHeads, MemberHeadsMessage(heads: raw.log.heads.elements).encode())
        #expect(raw.end == nil)
        return (raw, devices[0], scope)
    }

    private func listing(_ batch: SealedBatch, upTo seq: UInt64? = nil) -> [UInt8] {
        let head = ListedHead(
            chain: batch.author, seq: seq ?? batch.header.seq, prefix: batch.id.prefix8)
        return HaveMessage(
            listing: VectorListing(scopes: [ListedScope(scope: batch.header.scope, heads: [head])])
        ).encode()
    }

    private func asked(of raw: RawMember) throws -> [NeededRange] {
        try raw.heard.filter { $0.type == .need }.flatMap { try NeedMessage.decode($0.body).ranges }
    }

    @Test func `it is told its removal, what is asked of it, and nothing else`() throws {
        let (raw, host, scope) = try outsider()
        let batch = try raw.first(ofLife: 8, in: scope)
        try raw.say(.have, listing(batch, upTo: 1_000))
        let ranges = try asked(of: raw)
        #expect(ranges.map(\.last) == [64] && ranges.map(\.chain) == [batch.author])
        let heard = raw.heard.count
        try raw.say(
            .memberGet,
            MemberGetMessage(group: raw.log.group, wanted: raw.log.heads.elements, held: [])
                .encode())
        try host.set("secret", 1, .text("new"), at: fleet.now)
        try raw.say(.batch, batch.message)
        #expect(raw.end == nil && raw.heard.count == heard)
        #expect(Set(raw.heard.compactMap(\.type)).isSubset(of: [.memberHeads, .need]))
        // It says that this is all there is.
        try raw.say(.have, HaveMessage(listing: VectorListing()).encode())
        #expect(raw.end == .formerMember)
        #expect(try late(on: host).count == 1)
    }

    @Test func `one that lists nothing is waited for two seconds`() throws {
        let (raw, host, _) = try outsider()
        fleet.advance(LateTalk.patienceMilliseconds - 1)
        fleet.meetDeadlines([host])
        #expect(raw.end == nil)
        fleet.advance(1)
        fleet.meetDeadlines([host])
        #expect(raw.end == .formerMember)
    }

    @Test func `batches of others, beyond what was asked for, or without sense end it`() throws {
        let devices = try sample()
        let group = try #require(devices[0].replica?.group?.log.group)
        let rows = devices[0].replica?.chainRows ?? []
        let author = try deviceID(of: devices[1])
        let row = try #require(rows.first { $0.device == author })
        let kept = try #require(
            try devices[0].replica?.storeForReading.heldBatch(of: row, at: row.first))
        let others = SealedBatch(kept, in: row, of: group).message
        for body in [others, [0x80], [UInt8](repeating: 0xff, count: 300), nil] {
            let (raw, host, scope) = try outsider()
            let batch = try raw.first(ofLife: 8, in: scope)
            try raw.say(.have, listing(batch))
            try raw.say(.batch, batch.message)
            #expect(raw.end == nil)
            try raw.say(.batch, body ?? batch.message)
            #expect(raw.end == .protocolViolation)
            #expect(count(try late(on: host).first) == 1)
        }
    }

    @Test func `a batch that nobody asked for, and a second listing, end it`() throws {
        let (early, _, scope) = try outsider()
        try early.say(.batch, early.first(ofLife: 8, in: scope).message)
        #expect(early.end == .protocolViolation)
        let (raw, _, _) = try outsider()
        let batch = try raw.first(ofLife: 8, in: scope)
        try raw.say(.have, listing(batch))
        try raw.say(.have, listing(batch))
        #expect(raw.end == .protocolViolation)
    }

    @Test func `a member that asks again and again gets each batch twice, and no batch of others`()
        throws
    {
        let devices = try sample()
        try write(1...10, on: devices[2])
        try dial(devices[2], devices[0])
        let former = try deviceID(of: devices[2])
        let raw = try RawMember(devices[0], at: devices[2], in: fleet, withOldKeys: true)
        try raw.say(.memberHeads, MemberHeadsMessage(heads: raw.log.heads.elements).encode())
        try raw.say(.need, NeedMessage(ranges: []).encode())
        let answer = try #require(raw.heard.last { $0.type == .have })
        let listed = try HaveMessage.decode(answer.body).listing.scopes
        let all = devices[2].replica?.chainRows ?? []
        let ranges = all.map {
            NeededRange(scope: $0.scope, chain: $0.chain, first: 1, last: $0.stored)
        }
        for _ in 0..<10 { try raw.say(.need, NeedMessage(ranges: ranges).encode()) }
        let own = listed.reduce(0) { $0 + $1.heads.reduce(0) { $0 + $1.seq } }
        let sent = try raw.heard.filter { $0.type == .batch }.map {
            try BatchMessage.decode($0.body).headerBytes(after: nil)
        }
        #expect(UInt64(sent.count) == 2 * own && raw.end == nil)
        for header in sent { #expect(try BatchHeader.decode(header).device == former) }
    }
}
