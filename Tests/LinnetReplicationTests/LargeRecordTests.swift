import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Records that grow larger than a device can hold.
@Suite struct LargeRecordTests {
    private func isTold(_ device: Device, _ fleet: Fleet) throws -> Bool {
        try device.replica?.warningFacts(at: fleet.now).contains {
            $0.warning == .recordSetAside(device.key)
        } ?? false
    }

    /// Makes a device set records aside at a thousandth of the usual size.
    private func limit(_ device: Device) {
        device.replica?.foldPolicy.largestRow = 63 << 10
        device.replica?.foldPolicy.growthMeasured = 256
    }

    @Test func `one that grows too large is set aside alone, and a new life of it is whole`() throws
    {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b"])
        let (writer, reader) = (devices[0], devices[1])
        for device in devices { limit(device) }
        fleet.connect(writer, reader)
        // Each of the two alone is held.
        for number in 0..<2 {
            let elements = (0..<560).map { place in
                String(repeating: "x", count: 62) + "\(number) \(place)"
            }
            try writer.change(elements.map { .add(field: 2, .text($0)) }, fleet)
        }
        fleet.run()
        for device in devices {
            #expect(try isTold(device, fleet))
            #expect(try device.view(2_000)?.fields.isEmpty == true)
            let other = try #require(RecordID("other"))
            try device.commit(
                [
                    Write(
                        RecordKey(collection: 2_000, record: other),
                        [.count(field: 1, key: device.name, amount: .int(1))])
                ],
                at: fleet.now)
        }
        fleet.run()
        try expectConverged(devices)
        fleet.disconnectAll()
        for device in devices {
            try fleet.reopen(device)
            limit(device)
        }
        #expect(try reader.view(2_000)?.fields.isEmpty == true)
        fleet.connect(writer, reader)
        try writer.commit([.delete(collection: 2_000, record: writer.id)], at: fleet.now)
        fleet.advance(10)
        try writer.change([.add(field: 2, .text("small"))], fleet)
        fleet.run()
        try expectConverged(devices)
        #expect(try reader.view(2_000)?.fields.first?.values == [.list([.text("small")])])
        reader.perform([])
        guard try reader.replica?.acknowledgeNotices() != nil else { throw Device.Closed() }
        #expect(try !isTold(reader, fleet))
    }
}
