import Foundation
import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@Suite struct BatchCheckTests {
    private let fleet = Fleet()

    private func check(_ device: Device) throws -> BatchCheck {
        guard var replica = device.replica.take() else { throw CancellationError() }
        var check = BatchCheck(replica)
        while !check.isDone { _ = try replica.go(on: &check, bytes: 1, at: fleet.now) }
        device.replica = .some(replica)
        return check
    }

    @Test func `every batch of a whole home is as its author made it`() throws {
        let devices = try fleet.group(["a", "b"])
        for name in ["x", "y", "z"] { try devices[0].set(name, 1, .text(name), at: fleet.now) }
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        for device in devices {
            let found = try check(device)
            #expect(found.total > 3 && found.checked == found.total)
            #expect(found.faultCount == 0 && found.unopened == 0)
        }
    }

    @Test func `a batch that changed is named, with whose it is, and its warning stands`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].set("x", 1, .text("x"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        for (place, device) in devices.enumerated() {
            guard let author = devices[0].replica?.device else { throw CancellationError() }
            try rot(device, author: author)
            let found = try check(device)
            #expect(found.faults.map(\.problem) == [.changed])
            #expect(found.faults.map(\.isOwn) == [place == 0])
            let warnings = try device.replica?.warningFacts(at: fleet.now) ?? []
            let isNamed = warnings.contains { fact in
                switch fact.warning {
                case .damagedOwnBatch: place == 0
                case .damagedBatch: place == 1
                default: false
                }
            }
            #expect(isNamed)
        }
    }

    /// Changes the newest batch of an author, as a failing disk would.
    private func rot(_ device: Device, author: DeviceID) throws {
        let rows = device.replica?.log.chainRows() ?? []
        let row = rows.filter { $0.device == author }.max { $0.stored < $1.stored }
        guard let row, let store = device.replica?.storeForReading,
            var batch = try store.batch(chain: row.index, seq: row.stored)
        else { throw CancellationError() }
        batch.ciphertext[0] ^= 1
        try store.begin()
        try store.replaceBatch(batch)
        try store.commit()
    }
}
