import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetWire
import Testing

@Suite struct MergeTests {
    private let fleet = Fleet()

    @Test func `different fields written apart are both kept`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        try devices[0].set("x", 1, .text("name"), at: fleet.now)
        try devices[1].set("x", 2, .text("generic"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        #expect(try devices[0].value("x", 2) == .text("generic"))
        #expect(try devices[1].value("x", 1) == .text("name"))
        try expectConverged(devices)
    }

    @Test func `of one field written apart the later write wins everywhere`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        try devices[1].set("x", 1, .text("earlier"), at: fleet.now)
        fleet.advance(1_000)
        try devices[0].set("x", 1, .text("later"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        for device in devices { #expect(try device.value("x", 1) == .text("later")) }
        try expectConverged(devices)
    }

    @Test func `a delete wins over an edit that had not seen it, and a new write revives`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].set("x", 1, .text("old"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try devices[0].delete("x", at: fleet.now)
        fleet.advance(5_000)
        try devices[1].set("x", 1, .text("edited"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        for device in devices { #expect(try !device.exists("x")) }
        try devices[1].set("x", 2, .text("again"), at: fleet.now)
        fleet.run()
        #expect(try devices[0].values("x", 1) == nil)
        #expect(try devices[0].value("x", 2) == .text("again"))
        try expectConverged(devices)
    }

    @Test func `an overwrite wins at once over a stamp from the far future`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        let present = fleet.now
        fleet.now.wallMilliseconds += 10 * 365 * 86_400_000
        try devices[0].set("x", 1, .text("from the future"), at: fleet.now)
        fleet.now.wallMilliseconds = present.wallMilliseconds
        fleet.connect(devices[0], devices[1])
        try devices[1].set("x", 1, .text("now"), at: fleet.now)
        fleet.run()
        for device in devices { #expect(try device.value("x", 1) == .text("now")) }
        try expectConverged(devices)
    }

    @Test func `clocks apart are reported on both sides and block nothing`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        try devices[0].set("x", 1, .text("x"), at: fleet.now)
        let left = LinkID(rawValue: 9_001)
        let right = LinkID(rawValue: 9_002)
        var ahead = fleet.now
        ahead.wallMilliseconds += 10 * 365 * 86_400_000
        devices[1].perform(
            devices[1].replica?.handle(.linkOpened(right, .accepted), at: ahead) ?? [])
        devices[0].perform(
            devices[0].replica?.handle(.linkOpened(left, .dialled), at: fleet.now) ?? [])
        while !(devices[0].outgoing.isEmpty && devices[1].outgoing.isEmpty) {
            while !devices[0].outgoing.isEmpty {
                let bytes = devices[0].outgoing.removeFirst().1
                devices[1].perform(
                    devices[1].replica?.handle(.received(right, bytes), at: ahead) ?? [])
            }
            while !devices[1].outgoing.isEmpty {
                let bytes = devices[1].outgoing.removeFirst().1
                devices[0].perform(
                    devices[0].replica?.handle(.received(left, bytes), at: fleet.now) ?? [])
            }
        }
        for device in devices {
            #expect(
                device.events.contains {
                    if case .warning(.clockSkew) = $0 { true } else { false }
                })
        }
        try expectConverged(devices)
    }

    @Test func `a collection that only a newer version knows is forwarded and appears later`()
        throws
    {
        let newer = try Schema(
            version: Schema.demonstration.version + 1,
            collections: [
                Schema.devices, Schema.medication,
                Collection(
                    id: 2_000, name: "notes", scope: "meds",
                    fields: [Field(id: 1, name: "text", type: .text)]),
            ])
        let devices = try fleet.group(["a", "b", "c"])
        fleet.disconnectAll()
        for index in [0, 2] {
            try devices[index].close()
            try devices[index].open(
                at: fleet.now, witness: .intact(try #require(devices[index].mark)), schema: newer)
        }
        let id = try #require(RecordID("n"))
        try devices[0].commit(
            [.set(collection: 2_000, record: id, fields: [FieldWrite(1, .text("hello"))])],
            at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[2])
        #expect(try devices[2].notes(id) == [.text("hello")])
        try devices[1].close()
        try devices[1].open(
            at: fleet.now, witness: .intact(try #require(devices[1].mark)), schema: newer)
        #expect(try devices[1].notes(id) == [.text("hello")])
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[1], devices[2])
        try expectConverged(devices)
    }
}
