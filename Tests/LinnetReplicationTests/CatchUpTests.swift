import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct CatchUpTests {
    /// A writer with many batches, and a reader to which only a part of them comes.
    private func catchingUp(_ batches: Int) throws -> (Fleet, writer: Device, reader: Device) {
        let fleet = Fleet()
        let devices = try fleet.group(["writer", "reader"])
        fleet.connect(devices[1], devices[0])
        try devices[0].set("record", 1, .text("value"), at: fleet.now)
        fleet.run()
        fleet.disconnectAll()
        for number in 0..<batches {
            try devices[0].set("record-\(number)", 1, .text("value \(number)"), at: fleet.now)
        }
        fleet.tamper = { device, bytes in
            guard device === devices[0], bytes.count > 3_000 else { return bytes }
            return Array(bytes.prefix(bytes.count / 2))
        }
        return (fleet, devices[0], devices[1])
    }

    private func isInStep(_ device: Device) -> Bool {
        device.replica?.devicesInStep.isEmpty == false
    }

    @Test func `batches are merged at once and acknowledged when they are durable`() throws {
        let (fleet, writer, reader) = try catchingUp(40)
        fleet.connect(reader, writer)
        #expect(try reader.value("record-3", 1) == .text("value 3"))
        #expect(try reader.value("record-39", 1) == nil)
        #expect(reader.replica?.hasRelaxedWrites == true)
        // The writer knows of nothing that a power cut could take.
        #expect(writer.replica?.batchesToExchange ?? 0 >= 40)
        fleet.tamper = nil
        fleet.advance(CatchUp.milliseconds)
        #expect(reader.replica?.nextDeadline ?? .max <= fleet.now.uptimeMilliseconds)
        fleet.meetDeadlines([reader])
        #expect(reader.replica?.hasRelaxedWrites == false)
        let left = writer.replica?.batchesToExchange ?? 0
        #expect(left > 0 && left < 40)
    }

    @Test func `what a link brought is durable when the link ends`() throws {
        let (fleet, writer, reader) = try catchingUp(40)
        let links = fleet.connect(reader, writer)
        #expect(reader.replica?.hasRelaxedWrites == true)
        fleet.disconnect(links.0)
        #expect(reader.replica?.hasRelaxedWrites == false)
        fleet.tamper = nil
        fleet.connect(reader, writer)
        #expect(isInStep(reader) && isInStep(writer))
        #expect(try reader.value("record-39", 1) == .text("value 39"))
    }

    @Test func `a write of one's own makes durable what it builds on`() throws {
        let (fleet, writer, reader) = try catchingUp(40)
        fleet.connect(reader, writer)
        #expect(reader.replica?.hasRelaxedWrites == true)
        try reader.set("record-3", 1, .text("mine"), at: fleet.now)
        #expect(reader.replica?.hasRelaxedWrites == false)
    }

    @Test func `a peer that comes gets what was written without waiting for the disk`() throws {
        let fleet = Fleet()
        let devices = try fleet.group(["writer", "reader"])
        fleet.disconnectAll()
        try devices[0].set("record", 1, .text("value"), at: fleet.now, durability: .relaxed)
        #expect(devices[0].replica?.hasRelaxedWrites == true)
        fleet.connect(devices[1], devices[0])
        #expect(devices[0].replica?.hasRelaxedWrites == false)
        #expect(try devices[1].value("record", 1) == .text("value"))
    }

    @Test func `a batch that is the last one is durable before the call ends`() throws {
        let fleet = Fleet()
        let devices = try fleet.group(["writer", "reader"])
        fleet.connect(devices[1], devices[0])
        for number in 0..<3 {
            try devices[0].set("record", 1, .text("value \(number)"), at: fleet.now)
            fleet.run()
            #expect(devices[1].replica?.hasRelaxedWrites == false)
            #expect(devices.allSatisfy(isInStep))
        }
    }

    @Test func `a long stream is made durable now and then`() throws {
        let (fleet, writer, reader) = try catchingUp(3 * CatchUp.most)
        fleet.tamper = nil
        var (most, syncs, wasRelaxed) = (0, 0, false)
        fleet.pieceBytes = 100
        fleet.arrived = {
            let isRelaxed = reader.replica?.hasRelaxedWrites ?? false
            most = max(most, reader.replica?.chains.unsynced.catchUp?.batches ?? 0)
            if wasRelaxed, !isRelaxed { syncs += 1 }
            wasRelaxed = isRelaxed
        }
        fleet.connect(reader, writer)
        #expect(most == CatchUp.most - 1)
        #expect(syncs == 3)
        #expect(isInStep(reader) && isInStep(writer))
        #expect(reader.replica?.hasRelaxedWrites == false)
    }
}
