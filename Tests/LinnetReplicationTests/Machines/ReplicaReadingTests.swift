import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// What is read of a replica, over parts that are built for it alone.
@Suite struct ReplicaReadingTests {
    private let bench: Workbench
    private var chains: ChainBook

    /// Three batches of one record show.
    init() throws {
        bench = try Workbench()
        chains = ChainBook([], device: bench.author.device, isStale: false)
        for batch in try bench.chain(3) {
            _ = try chains.place(batch, author: bench.author, under: bench.schema, &bench.turn)
        }
        for key in chains.rows.keys { chains.index.advance(key, to: 3) }
        _ = try bench.turn.store.putRecord(try rows.mended(damaged) ?? bench.state("x", "", at: 1))
    }

    private var log: BatchLog { bench.log(of: chains) }
    private var rows: RecordRows {
        RecordRows(mender: RowMender(), policy: .standard, log: log)
    }
    private var damaged: DamagedRow {
        get throws {
            DamagedRow(
                collection: Device.medication, id: try bench.key("record").record, row: 1,
                older: nil)
        }
    }
    private var reader: RecordReader { RecordReader(overlay: Overlay(seed: 1), rows: rows) }
    private var reading: ReplicaReading {
        ReplicaReading(
            records: reader, hidden: chains.hidden, damaged: chains.damaged, sessions: Sessions(),
            device: bench.author.device)
    }

    @Test func `the history of a record begins with the newest, which shows`() throws {
        let ops = try reading.history(of: bench.key("record"), field: 1, limit: 9)
        #expect(ops.map(\.position.seq) == [3, 2, 1])
        #expect(ops.map { $0.fate == .shows } == [true, false, false])
        #expect(try reading.history(of: bench.key("record"), limit: 2).count == 2)
        #expect(try reading.history(of: bench.key("other"), limit: 9).isEmpty)
    }

    @Test func `a report names who has what shows, and refuses fields that are none`() throws {
        let report = try reading.report(of: bench.key("record"), field: 1)
        #expect(report.winners.map(\.position.seq) == [3] && report.others.count == 2)
        #expect(report.holders.first?.holds == true && report.waiting.isEmpty)
        #expect(throws: ReplicaError.schema(.unknownField("99"))) {
            try reading.report(of: bench.key("record"), field: 99)
        }
    }

    @Test func `the status has the members and the batches`() throws {
        let status = try reading.status()
        #expect(status.members.map(\.device) == [bench.keys.device])
        #expect(status.batches == 3 && status.pending == 0 && status.waiting.isEmpty)
    }

    @Test func `a log gives the batches of its chains as they were signed`() throws {
        let row = try #require(log.chainRows().first)
        let batch = try #require(try bench.turn.store.batch(chain: row.index, seq: 2))
        let content = try #require(try log.content(chain: row, seq: 2))
        #expect(content.id == batch.id && content.body?.operations.count == 1)
        #expect(try log.sealedBytes(chain: row, seq: 2)?.ciphertext == batch.ciphertext)
        #expect(try log.content(chain: row, seq: 4) == nil)
        #expect(log.vectorEntries().map(\.seq) == [3])
    }

    @Test func `records are read one by one, all and in pages`() throws {
        for name in ["a", "b"] {
            try bench.turn.store.putRecord(try bench.state(name, name, at: 1))
        }
        let all = try reader.records(Device.medication).map(\.id.description)
        #expect(all == ["a", "b", "record"])
        let id = try bench.key("b").record
        #expect(try reader.record(Device.medication, id)?.id == id)
        var query = Query("medication", limit: 2)
        let page = try reader.page(matching: query)
        #expect(page.records.map(\.id.description) == ["a", "b"])
        query.after = page.next
        #expect(query.after != nil)
        #expect(try reader.page(matching: query).records.map(\.id.description) == ["record"])
        #expect(try reader.count(matching: query) == 3 && reader.trash(Device.medication).isEmpty)
        #expect(throws: ReplicaError.unknownCollection(7)) { try reader.records(7) }
    }

    @Test func `a digest is of what shows, in a group`() throws {
        let before = try reader.digest()
        #expect(try reader.digest() == before)
        try bench.turn.store.putRecord(try bench.state("a", "a", at: 1))
        #expect(try reader.digest() != before)
        let alone = BatchLog(
            store: bench.turn.store, chains: chains.index, group: nil, schema: bench.schema)
        let nobody = RecordReader(
            overlay: Overlay(seed: 1),
            rows: RecordRows(mender: RowMender(), policy: .standard, log: alone))
        #expect(throws: ReplicaError.notAMember) { try nobody.digest() }
    }
}
