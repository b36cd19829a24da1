import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that bring more than a device takes in a day: the rest waits with them, and comes.
@Suite struct ArrivalLimitsTests {
    private let fleet = Fleet()
    private let hour: Int64 = 3_600_000

    /// Two devices that are in step, of which the second takes little.
    private func sample(_ allowed: Arrivals) throws -> [Device] {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        devices[1].replica?.arrivals = ArrivalBook()
        devices[1].replica?.arrivals.allowed = allowed
        return devices
    }

    private func write(_ count: Int, on device: Device) throws {
        for number in 0..<count {
            try device.set("r\(number)", 1, .text("value \(number)"), at: fleet.now)
        }
    }

    private func stored(_ device: Device) -> UInt64 { device.vector.reduce(0) { $0 + $1.seq } }

    /// Lets hours pass, with a meeting in each, until both hold and show the same.
    private func meetUntilEqual(_ devices: [Device], hours: Int) throws -> Int {
        for passed in 1...hours {
            fleet.disconnectAll()
            fleet.advance(hour)
            fleet.meetDeadlines(devices)
            fleet.connect(devices[0], devices[1])
            if stored(devices[0]) == stored(devices[1]),
                try devices[0].digest() == devices[1].digest()
            {
                return passed
            }
        }
        return .max
    }

    private func isTold(_ device: Device, held: Bool) throws -> Bool {
        try device.replica?.warningFacts(at: fleet.now).contains { fact in
            if case .sendsMuch(_, _, held) = fact.warning { true } else { false }
        } ?? false
    }

    @Test func `batches beyond the allowance wait with their sender, and all of them come`() throws
    {
        let devices = try sample(
            Arrivals(records: 10, batches: 20, bytes: 1 << 20, decodedBytes: 1 << 20))
        try write(30, on: devices[0])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try write(40, on: devices[0])
        let before = stored(devices[1])
        fleet.connect(devices[0], devices[1])
        #expect(stored(devices[1]) == before)
        #expect(try isTold(devices[1], held: true))
        // What this device has to say is taken all the same.
        try devices[1].set("mine", 1, .text("x"), at: fleet.now)
        fleet.run()
        #expect(try devices[0].value("mine", 1) == .text("x"))
        let passed = try meetUntilEqual(devices, hours: 60)
        #expect(passed > 1 && passed < 60)
        try expectConverged(devices)
    }

    @Test func `a session that waits for its allowance goes on by itself`() throws {
        let devices = try sample(
            Arrivals(records: 10, batches: 20, bytes: 1 << 20, decodedBytes: 1 << 20))
        try write(21, on: devices[0])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try write(1, on: devices[0])
        fleet.connect(devices[0], devices[1])
        let before = stored(devices[1])
        #expect(before < stored(devices[0]))
        // Two hours pass within the session, with somebody who talks.
        for _ in 0..<400 {
            fleet.advance(20_000)
            fleet.meetDeadlines(devices)
        }
        #expect(stored(devices[1]) == stored(devices[0]))
        try expectConverged(devices)
    }

    @Test func `what opens to too much is stored and shows later`() throws {
        let devices = try sample(
            Arrivals(records: 10, batches: 1_000, bytes: 1 << 20, decodedBytes: 600))
        try write(40, on: devices[0])
        fleet.connect(devices[0], devices[1])
        #expect(stored(devices[1]) == stored(devices[0]))
        #expect(try devices[1].value("r39", 1) == nil)
        #expect(try devices[1].value("r0", 1) == .text("value 0"))
        #expect(try devices[1].replica?.reading.status().waiting.isEmpty == false)
        let passed = try meetUntilEqual(devices, hours: 100)
        #expect(passed > 1 && passed < 100)
        try expectConverged(devices)
    }

    @Test func `what shows already stays and counts no second time when all is made anew`() throws {
        let devices = try sample(
            Arrivals(records: 10, batches: 1_000, bytes: 1 << 20, decodedBytes: 4_000))
        try write(40, on: devices[0])
        fleet.connect(devices[0], devices[1])
        try expectConverged(devices)
        let before = devices[1].replica?.arrivals.notable(at: fleet.now)
        devices[1].replica?.chains.isStale = true
        try devices[1].set("mine", 1, .text("x"), at: fleet.now)
        fleet.run()
        #expect(devices[1].replica?.arrivals.notable(at: fleet.now) == before)
        try expectConverged(devices)
    }

    @Test func `membership records beyond the allowance wait, and the others go on`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
        fleet.disconnectAll()
        let forger = try Forger(devices[2])
        var records: [MemberRecord] = []
        for _ in 0..<12 { records.append(try forger.record(kind: 200, payload: [0xf6])) }
        devices[0].replica?.arrivals.allowed.records = 4
        let raw = try RawMember(forger.device, at: devices[0], in: fleet)
        try raw.say(
            .memberRecords,
            MemberRecordsMessage(group: forger.log.group, records: records.map(\.encoded))
                .encode())
        #expect(raw.end == nil)
        let log = { devices[0].replica?.group?.log }
        #expect(log()?.contains(records[3].id) == true && log()?.contains(records[4].id) == false)
        #expect(try isTold(devices[0], held: true))
        fleet.disconnectAll()
        raw.leave()
        fleet.connect(devices[0], devices[1])
        try devices[0].set("x", 1, .text("y"), at: fleet.now)
        fleet.run()
        #expect(try devices[1].value("x", 1) == .text("y"))
        fleet.disconnectAll()
        // The records of others are not held back.
        try fleet.reopen(devices[1])
        let other = try Forger(devices[1])
        let record = try other.record(kind: 201, payload: [0xf6])
        let honest = try RawMember(devices[1], at: devices[0], in: fleet)
        try honest.say(
            .memberRecords,
            MemberRecordsMessage(group: other.log.group, records: [record.encoded]).encode())
        #expect(log()?.contains(record.id) == true)
        honest.leave()
        fleet.disconnectAll()
        fleet.advance(24 * hour)
        let again = try RawMember(forger.device, at: devices[0], in: fleet)
        try again.say(
            .memberRecords,
            MemberRecordsMessage(group: forger.log.group, records: records.map(\.encoded))
                .encode())
        #expect(log()?.contains(records[7].id) == true)
    }

    @Test func `a first exchange takes many times as much as a day`() throws {
        let devices = try fleet.group(["a"])
        try write(200, on: devices[0])
        let newcomer = try fleet.device("b", seed: 2)
        newcomer.replica?.arrivals.allowed = Arrivals(
            records: 10, batches: 20, bytes: 1 << 20, decodedBytes: 2_000)
        try fleet.pair(member: devices[0], newcomer: newcomer)
        fleet.connect(devices[0], newcomer)
        try expectConverged([devices[0], newcomer])
        #expect(try !isTold(newcomer, held: true))
    }

    @Test func `the allowance is what the page says`() {
        #expect(Arrivals.allowed.records == Limits.receivedRecords)
        #expect(Arrivals.allowed.batches == Limits.receivedBatches)
        #expect(Arrivals.allowed.bytes == Limits.receivedBytes)
        #expect(Arrivals.allowed.decodedBytes == Limits.receivedDecodedBytes)
    }
}
