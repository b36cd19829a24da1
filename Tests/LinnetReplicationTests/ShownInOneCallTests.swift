import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// A catch-up in which others wrote more than one call shows.
@Suite struct ShownInOneCallTests {
    private let fleet = Fleet()
    private let writer: Device
    private let reader: Device
    private static let commits = 6
    private static let records = 3_000

    init() throws {
        let devices = try fleet.group(["writer", "reader"])
        (writer, reader) = (devices[0], devices[1])
        fleet.disconnectAll()
        for commit in 0..<Self.commits {
            let writes = try (0..<Self.records).map { number in
                try Write.set(
                    collection: Device.medication,
                    record: #require(RecordID("record-\(commit)-\(number)")),
                    fields: [FieldWrite(1, .text("value"))])
            }
            try writer.commit(writes, at: fleet.now)
        }
    }

    @Test func `one call shows so much, and the shell is asked to call again at once`() throws {
        var shown: [Int] = []
        var deadlines: [Int64?] = []
        fleet.arrived = { [reader, fleet] in
            while reader.replica?.isShowingDue == true {
                do { shown.append(try reader.count()) } catch { Issue.record(error) }
                deadlines.append(reader.replica?.nextDeadline)
                reader.perform(reader.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
            }
        }
        fleet.connect(reader, writer)
        #expect(!shown.isEmpty && deadlines.allSatisfy { $0 == 0 })
        // The batch that was begun is shown whole.
        let most = Limits.shownInOneCall + Self.records
        #expect(zip([0] + shown, shown).allSatisfy { $1 - $0 <= most }, "\(shown)")
        #expect(try reader.count() == Self.commits * Self.records)
        #expect(reader.replica?.isShowingDue == false)
        #expect(try reader.digest() == writer.digest())
    }

    @Test func `whoever opens a home sees all of it`() throws {
        fleet.arrived = { [reader] in
            guard reader.replica?.isShowingDue == true else { return }
            reader.replica = nil
        }
        fleet.connect(reader, writer)
        fleet.arrived = nil
        try reader.open(at: fleet.now, schema: fleet.schema)
        let hidden = reader.replica?.batchesHidden
        #expect(hidden == 0 && reader.replica?.isShowingDue == false)
        #expect(try reader.count() > 9_000)
    }
}
