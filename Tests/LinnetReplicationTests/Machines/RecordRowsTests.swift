import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct RecordRowsTests {
    /// The rows over a chain of batches, in which the record `record` has the text `2`.
    private func rows(_ bench: Workbench, _ mender: RowMender) throws -> RecordRows {
        var chains = ChainBook([], device: bench.author.device, isStale: false)
        for batch in try bench.chain(3) {
            _ = try chains.place(batch, author: bench.author, under: bench.schema, &bench.turn)
        }
        for key in chains.rows.keys { chains.index.advance(key, to: 3) }
        return RecordRows(mender: mender, policy: .standard, log: bench.log(of: chains))
    }

    private func text(_ state: RecordState?, _ bench: Workbench) -> String? {
        guard let state,
            case .text(let text)? = bench.schema.view(of: state)?.fields.first?.values.first
        else { return nil }
        return text
    }

    @Test func `a row that opens says what was written`() throws {
        let bench = try Workbench()
        let rows = try rows(bench, RowMender())
        #expect(try rows.record(bench.key("record")) == nil)
        let row = try bench.turn.store.putRecord(bench.state("record", "row", at: 1), row: nil)
        let found = try rows.record(bench.key("record"))
        #expect(found?.row == row && text(found?.state, bench) == "row")
        #expect(try !rows.isDamaged(bench.key("record")) && !rows.mender.isDue)
    }

    @Test func `a damaged row is told from the log, which is read once`() throws {
        let (bench, mender) = (try Workbench(), RowMender())
        let rows = try rows(bench, mender)
        let key = try bench.key("record")
        let damaged = DamagedRow(
            collection: key.collection, id: key.record, row: 5, older: nil)
        #expect(text(try rows.mended(damaged), bench) == "2")
        #expect(mender.isDue && mender[key]?.row == 5)
        let known = RowMender.Mended(
            row: 5, state: try bench.state("record", "known", at: 1), losses: [])
        mender[key] = known
        #expect(text(try rows.mended(damaged), bench) == "known")
    }

    @Test func `a row that does not say whose it is asks for a check of all`() throws {
        let (bench, mender) = (try Workbench(), RowMender())
        let rows = try rows(bench, mender)
        let damaged = DamagedRow(collection: Device.medication, id: nil, row: 5, older: nil)
        #expect(try rows.mended(damaged) == nil)
        #expect(mender.wantsCheck && mender.isDue)
    }
}
