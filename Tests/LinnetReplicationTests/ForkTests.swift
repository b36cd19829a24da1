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
}
