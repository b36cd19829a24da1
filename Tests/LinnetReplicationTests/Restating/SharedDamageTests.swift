import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Batches that the disks of all that hold them changed.
@Suite struct SharedDamageTests {
    /// Closes a home, changes a batch of somebody's chain, and opens it again.
    private func damage(
        _ seq: UInt64, of author: DeviceID, on device: Device, _ fleet: Fleet
    ) throws {
        let rows = device.replica?.log.chainRows().filter { $0.device == author } ?? []
        let chain = try #require(rows.max { $0.stored < $1.stored }).index
        guard let mark = device.replica?.witnessMark else { throw Device.Closed() }
        try device.close()
        try device.run(
            """
            UPDATE batches SET ciphertext = CAST(x'00' || substr(ciphertext, 2) AS BLOB)
            WHERE key = \(chain << 40 | Int64(seq))
            """)
        try device.open(
            at: fleet.now, entropySeed: 9, witness: .intact(mark), schema: fleet.schema)
    }

    // The first batch of a chain, and one behind it: whose chain is listed no more, or less far.
    @Test(arguments: UInt64(1)...2)
    func `what nobody has as it was is said again, though others list it`(_ seq: UInt64) throws {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b"])
        for amount in 1...3 {
            try devices[0].change([.set(FieldWrite(5, .int(Int64(amount))))], fleet)
        }
        for _ in 0..<2 { try fleet.meet(devices[0], devices[1]) }
        let author = try deviceID(of: devices[0])
        for device in devices { try damage(seq, of: author, on: device, fleet) }
        // Its author notices when somebody needs it.
        let third = try fleet.device("c", seed: 7)
        try fleet.pair(member: devices[0], newcomer: third)
        fleet.disconnectAll()
        for _ in 0..<3 {
            for other in [devices[1], third] { try fleet.meet(devices[0], other) }
        }
        try fleet.meet(devices[1], third)
        #expect(devices[0].replica?.damagedBatches == 0)
        #expect(devices[0].events.contains { $0.isRestated })
        #expect(try third.shown(5) == .int(3))
        try expectConverged([devices[0], third])
    }
}

extension Event {
    fileprivate var isRestated: Bool {
        if case .warning(.batchesRestated) = self { true } else { false }
    }
}
