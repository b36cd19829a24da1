import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@Suite struct InspectionTests {
    private let fleet = Fleet()

    private func key(_ record: String) throws -> RecordKey {
        RecordKey(collection: Device.medication, record: try #require(RecordID(record)))
    }

    @Test func `a deleted record still shows its generation and what lost`() throws {
        let device = try fleet.group(["a"])[0]
        #expect(try device.recordState(key("dose")) == nil)
        try device.set("dose", 1, .text("one"), at: fleet.now)
        let live = try #require(try device.recordState(key("dose")))
        #expect(live.isLive)
        try device.delete("dose", at: fleet.now)
        let deleted = try #require(try device.recordState(key("dose")))
        #expect(!deleted.isLive)
        #expect(deleted.writeGeneration > live.writeGeneration)
        #expect(try device.exists("dose") == false)
    }

    @Test func `the rows of the chains are those of the store`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[1].set("dose", 1, .text("one"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        let rows = devices[0].chainRows
        let stored = try devices[0].storedChains()
        #expect(rows.sorted { $0.index < $1.index } == stored)
        #expect(Set(rows.map(\.device)).count == 2)
    }

    @Test func `a stored batch opens to what was written`() throws {
        let device = try fleet.group(["a"])[0]
        try device.set("dose", 1, .text("one"), at: fleet.now)
        let receipt = try device.set("dose", 1, .text("two"), at: fleet.now)
        var found: [(id: BatchID, body: BatchBody)] = []
        for row in device.chainRows {
            var previous = BatchID.zero
            for seq in row.first...row.stored {
                let content = try #require(try device.content(chain: row, seq: seq))
                #expect(content.prev == previous)
                previous = content.id
                found.append((content.id, try #require(content.body)))
            }
            #expect(previous == row.head)
            #expect(try device.content(chain: row, seq: row.stored + 1) == nil)
        }
        let written = try #require(
            found.first { $0.body.attributes.name(of: $0.id) == receipt.commit })
        #expect(written.body.operations.map(\.record) == [try key("dose").record])
    }

    @Test func `the sealed bytes are the same on every device and hide what they say`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].set("dose", 1, .text("a telling name"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        for row in devices[0].chainRows {
            let other = try #require(
                devices[1].chainRows.first {
                    $0.scope == row.scope && $0.chain == row.chain
                })
            for seq in row.first...row.stored {
                let left = try #require(try devices[0].sealedBytes(chain: row, seq: seq))
                let right = try #require(
                    try devices[1].sealedBytes(chain: other, seq: seq))
                #expect(left.header == right.header)
                #expect(left.ciphertext == right.ciphertext)
                #expect(left.signature == right.signature)
                let header = try BatchHeader.decode(left.header)
                #expect(header.device == row.device && header.seq == seq)
                let name = Array("a telling name".utf8)
                let windows = left.ciphertext.indices.dropLast(name.count - 1)
                #expect(!windows.contains { left.ciphertext[$0...].starts(with: name) })
            }
            #expect(try devices[0].sealedBytes(chain: row, seq: row.stored + 1) == nil)
        }
    }

    @Test func `the clock's last timestamp grows with every write and survives a crash`() throws {
        let device = try fleet.group(["a"])[0]
        let before = device.clockLast
        try device.set("dose", 1, .text("one"), at: fleet.now)
        let after = device.clockLast
        #expect(after > before)
        device.crash()
        try device.open(at: fleet.now, witness: .intact(try #require(device.mark)))
        #expect(device.clockLast == after)
    }
}

extension Device {
    fileprivate var chainRows: [ChainRow] { replica?.log.chainRows() ?? [] }
    fileprivate var clockLast: Timestamp { replica?.clockLast ?? .zero }

    fileprivate func storedChains() throws -> [ChainRow] {
        try replica?.storeForReading.chains() ?? []
    }

    fileprivate func recordState(_ key: RecordKey) throws -> RecordState? {
        try replica?.reader.existing(key)
    }

    fileprivate func content(
        chain: ChainRow, seq: UInt64
    ) throws -> (id: BatchID, prev: BatchID, body: BatchBody?)? {
        try replica?.log.content(chain: chain, seq: seq)
    }

    fileprivate func sealedBytes(
        chain: ChainRow, seq: UInt64
    ) throws -> (header: [UInt8], ciphertext: [UInt8], signature: [UInt8])? {
        try replica?.log.sealedBytes(chain: chain, seq: seq)
    }
}
