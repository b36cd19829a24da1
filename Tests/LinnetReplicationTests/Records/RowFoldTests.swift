import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@Suite struct RowFoldTests {
    private let fleet = Fleet()

    private func write(_ device: Device, _ numbers: Range<Int>, _ text: String) throws {
        for number in numbers {
            try device.set("record-\(number)", 1, .text("\(text) \(number)"), at: fleet.now)
        }
    }

    private func reopen(_ device: Device) throws {
        try device.open(at: fleet.now, witness: .intact(try #require(device.mark)))
    }

    @Test func `what a killed process had not folded is there again`() throws {
        let device = try fleet.group(["a"])[0]
        try write(device, 0..<40, "first")
        try write(device, 0..<20, "second")
        #expect(try device.rows().isEmpty)
        let before = try device.digest()
        device.crash()
        try reopen(device)
        #expect(try device.digest() == before)
        #expect(try device.value("record-3", 1) == .text("second 3"))
        #expect(try device.count() == 40)
    }

    @Test func `a fold goes in small parts, and may end in the middle of one`() throws {
        let device = try fleet.group(["a"])[0]
        device.replica?.foldPolicy = FoldPolicy(
            work: 500, dirtyBytes: 1 << 20, cleanBytes: 0, rowsForWork: 0, rowsAtLeast: 2)
        var written = try device.rows().count
        for number in 0..<60 {
            try write(device, number..<number + 1, "text")
            let rows = try device.rows().count
            #expect(rows <= written + 2)
            written = rows
        }
        #expect(written > 20 && written < 60)
        let before = try device.digest()
        device.crash()
        try reopen(device)
        #expect(try device.digest() == before)
    }

    @Test func `closing folds everything`() throws {
        let device = try fleet.group(["a"])[0]
        try write(device, 0..<30, "text")
        let before = try device.digest()
        try device.close()
        try reopen(device)
        #expect(try device.rows().count == 31)
        #expect(try device.unfolded() == 0)
        #expect(try device.digest() == before)
    }

    @Test func `an idle replica folds bit by bit`() throws {
        let device = try fleet.group(["a"])[0]
        device.replica?.foldPolicy = FoldPolicy(
            work: 10_000, dirtyBytes: 1 << 20, cleanBytes: 1 << 20, rowsForWork: 0, rowsAtLeast: 1)
        try write(device, 0..<30, "text")
        var rounds = 0
        while let due = device.replica?.nextDeadline {
            fleet.advance(due - fleet.now.uptimeMilliseconds)
            fleet.meetDeadlines([device])
            rounds += 1
            try #require(rounds < 100)
        }
        #expect(rounds > 2)
        #expect(try device.rows().count == 31)
        #expect(try device.unfolded() == 0)
    }

    @Test func `a commit that is refused leaves what stood before`() throws {
        let device = try fleet.group(["a"])[0]
        try write(device, 0..<5, "text")
        let before = try device.digest()
        let record = try #require(RecordID("record-1"))
        #expect(throws: ReplicaError.self) {
            try device.commit(
                [
                    .set(
                        collection: Device.medication, record: record,
                        fields: [FieldWrite(1, .text("never")), FieldWrite(99, .text("?"))])
                ], at: fleet.now)
        }
        #expect(try device.value("record-1", 1) == .text("text 1"))
        #expect(try device.digest() == before)
        try write(device, 1..<2, "again")
        #expect(try device.value("record-1", 1) == .text("again 1"))
    }

    @Test func `a reader sees rows and what is not folded yet in one order`() throws {
        let device = try fleet.group(["a"])[0]
        try write(device, 0..<10, "first")
        try device.close()
        try reopen(device)
        try write(device, 5..<15, "second")
        let ids = try device.texts()
        #expect(ids.map(\.0) == ids.map(\.0).sorted())
        #expect(ids.count == 15)
        #expect(ids.first { $0.0 == "record-4" }?.1 == .text("first 4"))
        #expect(ids.first { $0.0 == "record-5" }?.1 == .text("second 5"))
    }
}

extension Device {
    fileprivate func rows() throws -> [RecordState] {
        var rows: [RecordState] = []
        try replica?.storeForReading.forEachRecord { (state) throws(StorageError) in
            rows.append(state)
        }
        return rows
    }

    fileprivate func unfolded() throws -> UInt64 {
        try replica?.storeForReading.chains().reduce(0) { $0 + $1.applied - $1.folded } ?? 0
    }

    fileprivate func texts() throws -> [(String, Value?)] {
        try replica?.reader.records(Device.medication).map {
            ($0.id.description, $0.fields.first { $0.field == 1 }?.values.first)
        } ?? []
    }
}
