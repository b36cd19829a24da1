import LinnetCRDT
import LinnetMembership
import Testing

@testable import LinnetReplication

/// Transactions that touch scopes of which a bound device has some.
@Suite struct BoundCommitTests {
    private static let stock: UInt32 = 1_001
    private let fleet = Fleet()

    private func meet(_ devices: [Device]) throws {
        for _ in 0..<2 {
            fleet.connect(devices[0], devices[1], .dialledMember(try deviceID(of: devices[1])))
            fleet.disconnectAll()
            fleet.advance(10)
        }
    }

    @Test func `its part of a transaction shows, whatever it still has of other scopes`() throws {
        let devices = try fleet.group(["phone", "caregiver"])
        fleet.disconnectAll()
        try meet(devices)
        let id = try #require(RecordID("aspirin"))
        let five = try #require(Decimal64(parsing: "5"))
        let stock = RecordKey(collection: Self.stock, record: id)
        let medicine = Write.set(
            collection: Device.medication, record: id, fields: [FieldWrite(1, .text("Aspirin"))])
        try devices[0].commit(
            [medicine, Write(stock, [.count(field: 1, key: "first", amount: .decimal(five))])],
            at: fleet.now)
        try meet(devices)
        #expect(try devices[1].value("aspirin", 1) == .text("Aspirin"))
        let caregiver = try deviceID(of: devices[1])
        devices[0].perform(
            try devices[0].replica?.setRole(
                .reader, scopes: .only(["meds"]), of: caregiver, at: fleet.now) ?? [])
        try meet(devices)
        // It was bound, and folds what it has anew.
        #expect(devices[1].replica?.group?.rights.ownGrant != .all)
        #expect(try devices[1].value("aspirin", 1) == .text("Aspirin"))
        try fleet.reopen(devices[1])
        #expect(try devices[1].value("aspirin", 1) == .text("Aspirin"))
    }
}
