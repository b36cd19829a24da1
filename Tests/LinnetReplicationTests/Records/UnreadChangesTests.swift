import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Changes of records that are not at hand: their rows are read when somebody looks.
@Suite struct UnreadChangesTests {
    private let fleet = Fleet()
    private let id = RecordID("record-1")

    /// Two devices with the same records; on the second one all of them are in their rows alone.
    private func pair() throws -> (writer: Device, reader: Device) {
        let devices = try fleet.group(["a", "b"])
        for number in 0..<5 {
            try devices[0].set("record-\(number)", 1, .text("first \(number)"), at: fleet.now)
            try devices[0].set("record-\(number)", 2, .text("kept \(number)"), at: fleet.now)
        }
        fleet.connect(devices[0], devices[1])
        fleet.run()
        fleet.disconnectAll()
        try devices[1].close()
        try devices[1].open(at: fleet.now, witness: .intact(try #require(devices[1].mark)))
        return (devices[0], devices[1])
    }

    private func meet(_ devices: (writer: Device, reader: Device)) {
        fleet.advance(1_000)
        fleet.connect(devices.writer, devices.reader)
        fleet.run()
        fleet.disconnectAll()
    }

    private func isUnread(_ device: Device) throws -> Bool? {
        let key = RecordKey(collection: Device.medication, record: try #require(id))
        return device.replica?.recordBook.overlay.held(key).map { !$0.isWhole }
    }

    @Test func `a change comes without its record being read, and shows in it`() throws {
        let devices = try pair()
        try devices.writer.set("record-1", 1, .text("second"), at: fleet.now)
        meet(devices)
        #expect(try isUnread(devices.reader) == true)
        #expect(try devices.reader.value("record-1", 1) == .text("second"))
        #expect(try devices.reader.value("record-1", 2) == .text("kept 1"))
        #expect(try devices.reader.count() == 5)
        let page = try devices.reader.replica?.reader.records(Device.medication)
        #expect(page?[1].fields.first { $0.field == 2 }?.values == [.text("kept 1")])
        try expectConverged([devices.writer, devices.reader])
    }

    @Test func `a change that is older than what the row holds loses`() throws {
        let devices = try pair()
        try devices.writer.set("record-1", 1, .text("older"), at: fleet.now)
        fleet.advance(10)
        try devices.reader.set("record-1", 1, .text("newer"), at: fleet.now)
        try devices.reader.close()
        try devices.reader.open(
            at: fleet.now, witness: .intact(try #require(devices.reader.mark)))
        meet(devices)
        #expect(try isUnread(devices.reader) == true)
        #expect(try devices.reader.value("record-1", 1) == .text("newer"))
        try expectConverged([devices.writer, devices.reader])
    }

    @Test(arguments: [true, false])
    func `a fold writes the record with what its row had`(isKilled: Bool) throws {
        let devices = try pair()
        try devices.writer.set("record-1", 1, .text("second"), at: fleet.now)
        meet(devices)
        if isKilled { devices.reader.crash() } else { try devices.reader.close() }
        try devices.reader.open(
            at: fleet.now, witness: .intact(try #require(devices.reader.mark)))
        #expect(try devices.reader.value("record-1", 1) == .text("second"))
        #expect(try devices.reader.value("record-1", 2) == .text("kept 1"))
        try expectConverged([devices.writer, devices.reader])
    }

    @Test func `a write, a delete and a restore find the whole record`() throws {
        let devices = try pair()
        try devices.writer.set("record-1", 1, .text("second"), at: fleet.now)
        meet(devices)
        try devices.reader.set("record-1", 2, .text("third"), at: fleet.now)
        #expect(try isUnread(devices.reader) == false)
        #expect(try devices.reader.value("record-1", 1) == .text("second"))
        meet(devices)
        try devices.writer.set("record-2", 1, .text("second"), at: fleet.now)
        meet(devices)
        try devices.writer.delete("record-2", at: fleet.now)
        meet(devices)
        #expect(try devices.reader.exists("record-2") == false)
        let record = try #require(RecordID("record-2"))
        try devices.reader.commit(
            [Write(RecordKey(collection: Device.medication, record: record), [.restore])],
            at: fleet.now)
        #expect(try devices.reader.value("record-2", 1) == .text("second"))
        #expect(try devices.reader.value("record-2", 2) == .text("kept 2"))
        meet(devices)
        try expectConverged([devices.writer, devices.reader])
    }

    @Test func `whoever looks twice sees the same, and the row stays unread`() throws {
        let devices = try pair()
        try devices.writer.set("record-1", 1, .text("second"), at: fleet.now)
        meet(devices)
        let key = RecordKey(collection: Device.medication, record: try #require(id))
        for _ in 0..<2 {
            #expect(try devices.reader.replica?.reader.existing(key)?.contents.count == 2)
        }
        #expect(try isUnread(devices.reader) == true)
    }
}
