import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Files between devices, and members that lie about them.
@Suite struct FileExchangeTests {
    private let fleet: Fleet
    private let content = FileBench.content(2_500_000)

    init() throws { fleet = try Fleet.ofPictures() }

    /// Two devices that show the same file, whose content the first one has.
    private func sample() throws -> [Device] {
        let devices = try fleet.group(["a", "b"])
        try devices[0].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        #expect(try devices[1].file == devices[0].file)
        return devices
    }

    @Test func `a file is fetched when it is asked for, and not before`() throws {
        let devices = try sample()
        let kept = try devices[1].replica?.keptFileBytes()
        #expect(kept == 0)
        #expect(throws: FileReading.fault(.notHeld)) { try devices[1].content() }
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[1].ends == [nil])
        #expect(try devices[1].content() == content)
        #expect(devices[1].events.contains { if case .fileGrew = $0 { true } else { false } })
    }

    @Test func `whole chunks stay across a crash, and only the rest is sent again`() throws {
        let devices = try sample()
        var left = 60
        fleet.tamper = { to, bytes in
            guard to === devices[1] else { return bytes }
            left -= 1
            return left > 0 ? bytes : nil
        }
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[1].ends.isEmpty)
        guard let kept = try devices[1].replica?.keptFileBytes() else { throw Device.Closed() }
        #expect(kept > 400_000 && kept < 1_500_000)
        fleet.tamper = nil
        let mark = try #require(devices[1].mark)
        devices[1].crash()
        fleet.disconnectAll()
        try devices[1].open(at: fleet.now, witness: .intact(mark), schema: fleet.schema)
        fleet.connect(devices[0], devices[1])
        let before = fleet.deliveredBytes
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[1].ends.last == .some(nil))
        #expect(fleet.deliveredBytes - before < content.count - Int(kept) + 100_000)
        #expect(try devices[1].content() == content)
    }

    @Test func `a later version has the key of the one before, until somebody is removed`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        let first = try devices[0].attach(content, at: fleet.now)
        fleet.advance(10)
        let second = try devices[0].attach(content + [1], at: fleet.now)
        #expect(first.key == second.key && first != second)
        let gone = try deviceID(of: devices[2])
        devices[0].perform(
            try devices[0].replica?.remove(gone, reason: .lost, with: [], at: fleet.now) ?? [])
        fleet.advance(10)
        #expect(try devices[0].attach(content + [2], at: fleet.now).key != first.key)
    }

    @Test func `a device without the content says so, and one that comes later gives it`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        try devices[0].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[2])
        try devices[2].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[2].ends.isEmpty)
        #expect(devices[2].replica?.nextDeadline ?? .max <= fleet.now.uptimeMilliseconds + 2_000)
        fleet.connect(devices[0], devices[2])
        fleet.run()
        #expect(devices[2].ends == [nil])
        #expect(try devices[2].content() == content)
    }

    @Test func `two devices that have a file give chunks of it at the same time`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        try devices[0].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        fleet.connect(devices[0], devices[2])
        fleet.connect(devices[1], devices[2])
        var given: [String: Int] = [:]
        fleet.tamper = { to, bytes in
            if to !== devices[2] { given[to.name, default: 0] += 1 }
            return bytes
        }
        try devices[2].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[2].ends == [nil])
        #expect(given["a", default: 0] > 10 && given["b", default: 0] > 10)
    }

    @Test func `a chunk that was damaged on the disk is not given, and fetched again`() throws {
        let devices = try sample()
        let file = try #require(try devices[0].file)
        guard let store = devices[0].replica?.storeForReading else { throw Device.Closed() }
        try store.begin(.full)
        try store.removeChunk(file.chunks[1].name)
        _ = try store.putChunk(file.chunks[1].name, [1, 2, 3])
        try store.commit()
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[1].ends.isEmpty)
        #expect(try !store.hasChunk(file.chunks[1].name))
    }

    @Test func `a deleted record lets a fetch that is under way end`() throws {
        let devices = try sample()
        let name = try devices[1].fetch(at: fleet.now)
        devices[1].replica?.stopFetching(name)
        fleet.run()
        #expect(devices[1].ends.isEmpty && devices[1].replica?.nextDeadline != 0)
    }
}
