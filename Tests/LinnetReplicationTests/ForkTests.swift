import Foundation
import LinnetCRDT
import LinnetReplication
import LinnetWire
import Testing

@Suite struct ForkTests {
    private let fleet = Fleet()

    private func hasForked(_ device: Device) -> Bool {
        device.events.contains { if case .warning(.authorForked) = $0 { true } else { false } }
    }

    @Test func `a copied home writes as another author, and all converge`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        let copy = try fleet.clone(devices[0], blind: false)
        try devices[0].set("x", 1, .text("original"), at: fleet.now)
        fleet.advance(10)
        try copy.set("y", 1, .text("copy"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.connect(copy, devices[1])
        fleet.connect(devices[0], copy)
        try expectConverged(devices + [copy])
        #expect(!hasForked(devices[1]))
        #expect(try devices[0].value("y", 1) == .text("copy"))
    }

    @Test func `two homes of one incarnation take new ones when they meet`() throws {
        let devices = try fleet.group(["a"])
        let copy = try fleet.clone(devices[0], blind: true)
        #expect(copy.incarnation == devices[0].incarnation)
        fleet.connect(devices[0], copy)
        #expect(copy.incarnation != devices[0].incarnation)
        try devices[0].set("x", 1, .text("one"), at: fleet.now)
        try copy.set("y", 1, .text("two"), at: fleet.now)
        fleet.connect(devices[0], copy)
        try expectConverged([devices[0], copy])
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
    func `a fork keeps every branch under one name, whatever order it is met in`(order: [Int])
        throws
    {
        let devices = try fleet.group(["a", "b", "c", "d"])
        fleet.disconnectAll()
        try devices[0].set("before", 1, .text("shared"), at: fleet.now)
        for index in 1...3 { fleet.connect(devices[0], devices[index]) }
        fleet.disconnectAll()
        let copy = try fleet.clone(devices[0], blind: true)
        for number in 0..<3 {
            fleet.advance(10)
            try devices[0].set("x", 1, .text("original \(number)"), at: fleet.now)
            try copy.set("x", 1, .text("copy \(number)"), at: fleet.now)
            try copy.set("y\(number)", 1, .text("copy"), at: fleet.now)
        }
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        fleet.connect(copy, devices[2])
        fleet.disconnectAll()
        let meetings = [
            (devices[1], devices[2]), (devices[2], devices[3]), (devices[1], devices[3]),
        ]
        for index in order {
            fleet.connect(meetings[index].0, meetings[index].1)
            fleet.disconnectAll()
        }
        let everyone = devices + [copy]
        for _ in 0..<3 {
            for left in everyone.indices {
                for right in everyone.indices where right > left {
                    fleet.connect(everyone[left], everyone[right])
                    fleet.disconnectAll()
                }
            }
        }
        try expectConverged(everyone)
        #expect(hasForked(devices[3]))
        for device in everyone { #expect(try device.value("y2", 1) == .text("copy")) }
    }

    @Test func `a database older than what was sent starts a new incarnation`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        let backup = devices[0].directory.appendingPathComponent("backup").path
        try devices[0].close()
        try FileManager.default.copyItem(atPath: devices[0].path, toPath: backup)
        try devices[0].open(at: fleet.now, witness: .intact(try #require(devices[0].mark)))
        try devices[0].set("x", 1, .text("sent"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        let mark = try #require(devices[0].mark)
        let old = devices[0].incarnation
        try devices[0].close()
        try FileManager.default.removeItem(atPath: devices[0].path)
        try FileManager.default.moveItem(atPath: backup, toPath: devices[0].path)
        try devices[0].open(at: fleet.now, entropySeed: 77, witness: .intact(mark))
        #expect(devices[0].incarnation != old)
        try devices[0].set("x", 1, .text("after the restore"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        try expectConverged(devices)
        #expect(!hasForked(devices[1]))
    }

    @Test func `a restored home that peers outran takes back its batches and a new incarnation`()
        throws
    {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        let early = try #require(devices[0].mark)
        let backup = devices[0].directory.appendingPathComponent("backup").path
        try devices[0].close()
        try FileManager.default.copyItem(atPath: devices[0].path, toPath: backup)
        try devices[0].open(at: fleet.now, witness: .intact(early))
        try devices[0].set("x", 1, .text("sent"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try devices[0].close()
        try FileManager.default.removeItem(atPath: devices[0].path)
        try FileManager.default.moveItem(atPath: backup, toPath: devices[0].path)
        try devices[0].open(at: fleet.now, entropySeed: 78, witness: .intact(early))
        fleet.connect(devices[0], devices[1])
        #expect(try devices[0].value("x", 1) == .text("sent"))
        #expect(devices[0].incarnation != early.incarnation)
        try devices[0].set("x", 1, .text("more"), at: fleet.now)
        fleet.run()
        try expectConverged(devices)
        #expect(!hasForked(devices[1]))
    }

    /// The number of batches that each life wrote before the two that know them met.
    @Test(arguments: [(1, 1), (1, 4), (4, 1), (3, 5), (5, 3)])
    func `a fork found in a session is told and healed in that session`(mine: Int, theirs: Int)
        throws
    {
        let twins = try separated(mine, theirs)
        fleet.connect(twins[1], twins[2])
        try expectConverged([twins[1], twins[2]])
        for device in [twins[1], twins[2]] { #expect(hasForked(device), "\(device.name)") }
    }

    @Test(arguments: [(1, 1), (1, 4), (4, 1), (3, 5)])
    func `a fork that comes while others are in step reaches them in their sessions`(
        mine: Int, theirs: Int
    ) throws {
        let twins = try separated(mine, theirs)
        fleet.connect(twins[1], twins[3])
        fleet.connect(twins[3], twins[4])
        fleet.connect(twins[2], twins[3])
        try expectConverged(Array(twins[1...]))
        for device in twins[1...] { #expect(hasForked(device), "\(device.name)") }
    }

    @Test func `an author with three lives is told as often as it forks, in one session`() throws {
        let twins = try separated(2, 3)
        let third = try fleet.clone(twins[0], blind: true)
        for number in 0..<4 {
            fleet.advance(10)
            try third.set("z", 1, .text("third \(number)"), at: fleet.now)
        }
        fleet.connect(third, twins[3])
        fleet.disconnectAll()
        fleet.connect(twins[1], twins[2])
        fleet.connect(twins[2], twins[3])
        fleet.connect(twins[3], twins[4])
        try expectConverged(Array(twins[1...]))
    }

    /// An author; one who knows its life, one who knows the life of its copy, and two who know what
    /// was before, none connected.
    private func separated(_ mine: Int, _ theirs: Int) throws -> [Device] {
        let devices = try fleet.group(["a", "b", "c", "d", "e"])
        fleet.disconnectAll()
        try devices[0].set("before", 1, .text("shared"), at: fleet.now)
        for index in 1...4 { fleet.connect(devices[0], devices[index]) }
        fleet.disconnectAll()
        let copy = try fleet.clone(devices[0], blind: true)
        for (author, count, reader) in [
            (devices[0], mine, devices[1]), (copy, theirs, devices[2]),
        ] {
            for number in 0..<count {
                fleet.advance(10)
                try author.set("x", 1, .text("\(reader.name) \(number)"), at: fleet.now)
            }
            fleet.connect(author, reader)
            fleet.disconnectAll()
        }
        return devices
    }
}
