import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices whose own changes wait for lost ones since they are bound to scopes no more.
@Suite struct BlockedLifeTests {
    private static let (meds, notes): (UInt32, UInt32) = (2_000, 2_001)
    private let fleet = Fleet()

    private func write(_ id: String, _ collection: UInt32 = meds, on device: Device) throws {
        let key = RecordKey(collection: collection, record: try #require(RecordID(id)))
        try device.commit([Write(key, [.set(FieldWrite(1, .text(id)))])], at: fleet.now)
        fleet.advance(10)
    }

    private func ids(_ device: Device) throws -> [String] {
        try device.replica?.reader.records(Self.meds).map(\.id.description).sorted() ?? []
    }

    /// Dials with the key of the pair, since one side may lack the newest epoch.
    private func meet(_ left: Device, _ right: Device) throws {
        for _ in 0..<2 {
            fleet.connect(left, right, .dialledMember(try deviceID(of: right)))
            fleet.disconnectAll()
            fleet.advance(10)
        }
    }

    private func bind(_ device: Device, to scopes: ScopeChoice, by author: Device) throws {
        let effects = try author.replica?.setRole(
            .member, scopes: scopes, of: try deviceID(of: device), at: fleet.now)
        author.perform(effects ?? [])
    }

    /// A laptop and a watch that hold what builds on a note which a phone alone has; the watch
    /// wrote more on top of it while it was bound to other scopes.
    private func lost() throws -> (phone: Device, laptop: Device, watch: Device) {
        fleet.schema = try Self.schema(version: 1)
        let devices = try fleet.group(["phone", "laptop", "watch"])
        let (phone, laptop, watch) = (devices[0], devices[1], devices[2])
        fleet.disconnectAll()
        try meet(phone, laptop)
        try meet(phone, watch)
        try bind(watch, to: .only(["meds"]), by: phone)
        try meet(phone, laptop)
        try write("lost", Self.notes, on: phone)
        try write("aspirin", on: phone)
        try meet(phone, watch)
        try write("ibuprofen", on: watch)
        #expect(try ids(watch) == ["aspirin", "ibuprofen"])
        try bind(watch, to: .all, by: laptop)
        try meet(laptop, watch)
        // Another form of records has the watch make all anew.
        fleet.schema = try Self.schema(version: 2)
        try fleet.reopen(watch)
        return (phone, laptop, watch)
    }

    private static func schema(version: UInt32) throws -> Schema {
        let fields = (1...version).map { Field(id: $0, name: "text\($0)", type: .text) }
        return try Schema(
            version: version,
            collections: [
                Collection(id: meds, name: "med", scope: .optional("meds"), fields: fields),
                Collection(id: notes, name: "note", scope: .optional("notes"), fields: fields),
            ])
    }

    @Test func `a device whose own change waits writes on where others see it`() throws {
        let (phone, laptop, watch) = try lost()
        for device in [laptop, watch] { #expect(try ids(device).isEmpty) }
        let life = watch.replica?.incarnation
        try write("paracetamol", on: watch)
        #expect(watch.replica?.incarnation != life)
        #expect(
            watch.events.contains {
                if case .warning(.incarnationRotated) = $0 { true } else { false }
            })
        try meet(laptop, watch)
        for device in [laptop, watch] { #expect(try ids(device) == ["paracetamol"]) }
        let next = watch.replica?.incarnation
        try write("zinc", on: watch)
        #expect(watch.replica?.incarnation == next)
        // The lost one comes after all.
        try meet(phone, watch)
        try meet(laptop, watch)
        try meet(phone, laptop)
        for device in [phone, laptop] { try fleet.reopen(device) }
        let all = ["aspirin", "ibuprofen", "paracetamol", "zinc"]
        for device in [phone, laptop, watch] { #expect(try ids(device) == all) }
        try expectConverged([phone, laptop, watch])
    }

    @Test func `a transaction that is taken back leaves the life as the disk has it`() throws {
        let (_, laptop, watch) = try lost()
        let life = watch.replica?.incarnation
        try watch.replica?.beginCommit(.full, at: fleet.now)
        try watch.replica?.abandonCommit()
        #expect(watch.replica?.incarnation == life)
        try write("paracetamol", on: watch)
        let next = watch.replica?.incarnation
        #expect(next != life)
        try fleet.reopen(watch)
        #expect(watch.replica?.incarnation == next)
        try meet(laptop, watch)
        for device in [laptop, watch] { #expect(try ids(device) == ["paracetamol"]) }
    }

    @Test func `a device whose own changes show goes on with its life`() throws {
        let (phone, _, watch) = try lost()
        try meet(phone, watch)
        let life = watch.replica?.incarnation
        try write("paracetamol", on: watch)
        #expect(watch.replica?.incarnation == life)
    }
}
