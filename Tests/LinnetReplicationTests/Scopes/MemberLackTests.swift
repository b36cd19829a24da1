import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// What a device lacks, by what it said last and the scopes that it holds.
@Suite struct MemberLackTests {
    private let fleet = Fleet()
    private let phone: Device
    private let watch: Device

    init() throws {
        let text = Field(id: 1, name: "text", type: .text)
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(id: 2_000, name: "note", scope: "notes", fields: [text]),
                Collection(id: 2_001, name: "visit", scope: .optional("visits"), fields: [text]),
            ])
        let devices = try fleet.group(["phone", "watch"])
        (phone, watch) = (devices[0], devices[1])
        fleet.disconnectAll()
        fleet.connect(phone, watch)
        fleet.run()
    }

    private func write(_ collection: UInt32, _ id: String) throws {
        try phone.commit(
            [
                .set(
                    collection: collection, record: try #require(RecordID(id)),
                    fields: [FieldWrite(1, .text(id))])
            ], at: fleet.now)
    }

    private func lack() throws -> MemberLack? {
        try phone.replica?.reading.lacks().first
    }

    @Test func `what was written while it is away is lacked, record by record`() throws {
        #expect(try lack()?.batches == 0)
        fleet.disconnectAll()
        for id in ["a", "b", "a"] { try write(2_000, id) }
        try write(2_001, "v")
        let lack = try #require(try lack())
        #expect(lack.device == watch.replica?.device)
        #expect(lack.batches == 4 && lack.opened == 4)
        #expect(
            lack.parts == [
                MemberLack.Part(collection: 2_000, records: 2),
                MemberLack.Part(collection: 2_001, records: 1),
            ])
        #expect(try phone.replica?.reading.status().members.compactMap(\.lacks) == [4])
        fleet.connect(phone, watch)
        fleet.run()
        #expect(try self.lack()?.batches == 0)
    }

    @Test func `nothing is lacked of a scope that it leaves out`() throws {
        watch.perform(try watch.replica?.unsubscribe(from: ["visits"], at: fleet.now) ?? [])
        fleet.run()
        // A device says what it holds when it greets.
        fleet.disconnectAll()
        fleet.connect(phone, watch)
        fleet.run()
        try write(2_001, "v")
        fleet.run()
        #expect(try lack()?.batches == 0)
        fleet.disconnectAll()
        try write(2_001, "w")
        #expect(try lack()?.batches == 0)
        try write(2_000, "n")
        #expect(try lack()?.parts == [MemberLack.Part(collection: 2_000, records: 1)])
    }

    @Test func `what it wrote itself is never lacked`() throws {
        fleet.disconnectAll()
        try watch.commit(
            [
                .set(
                    collection: 2_000, record: try #require(RecordID("own")),
                    fields: [FieldWrite(1, .text("own"))])
            ], at: fleet.now)
        fleet.connect(phone, watch)
        fleet.run()
        fleet.disconnectAll()
        #expect(try lack()?.batches == 0)
    }
}
