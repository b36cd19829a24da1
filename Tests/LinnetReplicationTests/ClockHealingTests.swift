import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// A wall clock that was years ahead and is right again.
@Suite struct ClockHealingTests {
    private static let decade: Int64 = 315_360_000_000
    private let fleet = Fleet()
    private let limit = Limits.clockClampMilliseconds

    /// The stamp of a field, in milliseconds ahead of the fleet's clock.
    private func ahead(_ device: Device, _ record: String, _ field: UInt32 = 1) throws -> Int64 {
        let id = try #require(RecordID(record))
        let key = RecordKey(collection: Device.medication, record: id)
        let found = try device.replica?.reader.existing(key)
        let state = try #require(found)
        let stamp = try #require(state.visible(field: field)).stamp
        return stamp.milliseconds - fleet.now.wallMilliseconds
    }

    private func later(_ years: Bool) -> Moment {
        var moment = fleet.now
        if years { moment.wallMilliseconds += Self.decade }
        return moment
    }

    @Test func `one write ten years ahead does not stamp those that follow`() throws {
        let device = try fleet.group(["a"])[0]
        try device.set("then", 1, .text("future"), at: later(true))
        try device.set("now", 1, .text("present"), at: fleet.now)
        #expect(try ahead(device, "then") == Self.decade)
        #expect(abs(try ahead(device, "now")) <= limit)
        // What replaces the value from the future is above it all the same.
        try device.set("then", 1, .text("corrected"), at: fleet.now)
        #expect(try device.value("then", 1) == .text("corrected"))
        #expect(try ahead(device, "then") >= Self.decade)
        try device.set("then", 2, .text("another field"), at: fleet.now)
        #expect(abs(try ahead(device, "then", 2)) <= limit)
        let last = device.replica?.clockLast.milliseconds ?? .max
        #expect(last - fleet.now.wallMilliseconds <= limit)
        let id = try #require(RecordID("then"))
        let key = RecordKey(collection: Device.medication, record: id)
        let history = try device.replica?.reading.history(of: key, field: 1, limit: 10) ?? []
        #expect(
            history.map {
                HybridLogicalClock.isAhead(
                    max($0.stamp, $0.written), of: fleet.now.wallMilliseconds)
            } == [true, true])
        #expect(history.first?.written.milliseconds == fleet.now.wallMilliseconds)
    }

    @Test func `a clock heals across a restart too, and stays healed`() throws {
        let device = try fleet.group(["a"])[0]
        try device.set("then", 1, .text("future"), at: later(true))
        try fleet.reopen(device)
        try device.set("now", 1, .text("present"), at: fleet.now)
        try fleet.reopen(device)
        try device.set("now", 2, .text("present"), at: fleet.now)
        #expect(abs(try ahead(device, "now")) <= limit)
        #expect(abs(try ahead(device, "now", 2)) <= limit)
    }

    @Test func `a wall clock that cannot be right takes nothing back`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].set("x", 1, .text("one"), at: fleet.now)
        var early = fleet.now
        early.wallMilliseconds = Limits.wallClockFloorMilliseconds - 1
        try devices[0].set("y", 1, .text("two"), at: early)
        #expect(try ahead(devices[0], "y") >= 0)
        early.wallMilliseconds += 1
        try devices[0].set("z", 1, .text("three"), at: early)
        #expect(try ahead(devices[0], "z") < -limit)
        // Once a peer agreed on the time, nothing before that is believed.
        try devices[0].set("x", 2, .text("four"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try devices[0].set("y", 2, .text("five"), at: early)
        #expect(try ahead(devices[0], "y", 2) >= 0)
    }

    @Test func `a peer that agrees on the time heals a clock before the next write`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].set("then", 1, .text("future"), at: later(true))
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        let last = devices[0].replica?.clockLast.milliseconds ?? .max
        #expect(last - fleet.now.wallMilliseconds <= limit)
        try expectConverged(devices)
    }
}
