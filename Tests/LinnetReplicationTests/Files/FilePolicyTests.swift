import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Files that come without being asked for, between whole replicas.
@Suite struct FilePolicyTests {
    private static let day: Int64 = 86_400_000

    private let fleet: Fleet

    init() throws { fleet = try Fleet.ofPictures() }

    private func picture(_ number: Int) throws -> RecordKey {
        RecordKey(collection: 2_000, record: try #require(RecordID("p\(number)")))
    }

    /// A content of its own for each picture, of one chunk.
    private func content(_ number: Int) -> [UInt8] {
        FileBench.content(40_000, seed: UInt8(number + 1))
    }

    private func attach(_ numbers: Range<Int>, on device: Device) throws {
        for number in numbers {
            try device.attach(content(number), to: try picture(number), at: fleet.now)
        }
    }

    /// Lets all happen that is due now.
    private func settle(_ devices: [Device]) {
        fleet.run()
        while case let due = devices.filter({ $0.isDue(at: fleet.now) }), !due.isEmpty {
            fleet.meetDeadlines(due)
        }
    }

    /// The pictures whose content a device can show.
    private func shown(_ numbers: Range<Int>, on device: Device) throws -> [Int] {
        try numbers.filter { number in
            do {
                return try device.content(of: picture(number)) == content(number)
            } catch FileReading.fault(.notHeld) {
                return false
            }
        }
    }

    @Test func `all files come, those that were there before and those that come later`() throws {
        let devices = try fleet.group(["a", "b"])
        try attach(0..<40, on: devices[0])
        fleet.connect(devices[0], devices[1])
        settle(devices)
        #expect(try shown(0..<40, on: devices[1]).isEmpty)
        devices[1].replica?.filePolicy = .all
        settle(devices)
        #expect(try shown(0..<40, on: devices[1]).count == 40)
        try attach(40..<45, on: devices[0])
        settle(devices)
        #expect(try shown(0..<45, on: devices[1]).count == 45)
        #expect(try shown(0..<45, on: devices[0]).count == 45)
        #expect(!devices[1].isDue(at: fleet.now))
    }

    @Test func `files of the last days come alone, and stay when they are older`() throws {
        let devices = try fleet.group(["a", "b"])
        try attach(0..<2, on: devices[0])
        fleet.advance(3 * Self.day)
        try attach(2..<4, on: devices[0])
        devices[1].replica?.filePolicy = .recent(days: 2)
        fleet.connect(devices[0], devices[1])
        settle(devices)
        #expect(try shown(0..<4, on: devices[1]) == [2, 3])
        devices[1].replica?.filePolicy = .recent(days: 4)
        settle(devices)
        #expect(try shown(0..<4, on: devices[1]) == [0, 1, 2, 3])
    }

    @Test func `files that nobody gives make room, and come once somebody has them`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        try attach(0..<6, on: devices[2])
        fleet.connect(devices[2], devices[0])
        fleet.disconnectAll()
        try attach(6..<9, on: devices[0])
        devices[1].replica?.filePolicy = .all
        fleet.connect(devices[0], devices[1])
        settle(devices)
        #expect(try shown(0..<9, on: devices[1]) == [6, 7, 8])
        fleet.connect(devices[2], devices[1])
        settle(devices)
        #expect(try shown(0..<9, on: devices[1]).count == 9)
    }

    @Test func `a person who gives up does not end what the policy wants`() throws {
        let devices = try fleet.group(["a", "b"])
        let large = FileBench.content(2_500_000)
        try devices[0].attach(large, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        devices[1].replica?.filePolicy = .all
        let name = try devices[1].fetch(at: fleet.now)
        devices[1].replica?.stopFetching(name)
        settle(devices)
        #expect(try devices[1].content() == large)
    }

    @Test func `a device that is full says so once, and asks for nothing more`() throws {
        let devices = try fleet.group(["a", "b"])
        try attach(0..<5, on: devices[0])
        devices[1].replica?.mostFileBytes = 100_000
        devices[1].replica?.filePolicy = .all
        fleet.connect(devices[0], devices[1])
        settle(devices)
        #expect(try shown(0..<5, on: devices[1]).count == 2)
        try attach(5..<8, on: devices[0])
        settle(devices)
        #expect(devices[1].events.filter { $0 == .warning(.filesDoNotFit) }.count == 1)
        let facts = try devices[1].replica?.warningFacts(at: fleet.now) ?? []
        #expect(facts.contains { $0.warning == .filesDoNotFit })
        #expect(!devices[1].isDue(at: fleet.now))
    }
}

extension Device {
    /// True when the shell has to call now.
    fileprivate func isDue(at now: Moment) -> Bool {
        replica?.nextDeadline.map { $0 <= now.uptimeMilliseconds } ?? false
    }
}
