import Linnet
import LinnetCRDT
import LinnetReplication

/// The steps of an import, and what they cost beside reading a line, as measured.
enum ImportStep {
    static let (reading, comparing, planning, preparing, writing) = (0, 1, 2, 3, 4)
    private static let (compared, planned, prepared, written) = (1.5, 0.25, 0.35, 2.95)

    /// How much there is to read of the collection, and to write, is not known yet.
    static let all = [
        WorkStep("lines read"), WorkStep("records read to compare with", cost: nil),
        WorkStep("lines compared", cost: planned), WorkStep("changes prepared", cost: nil),
        WorkStep("changes written", inPartsOf: 100, cost: nil),
    ]

    /// Every line is new: nothing is there to compare with, and all is written.
    static func expectAll(in work: inout Work) {
        work.weigh(comparing, 0)
        expect(1, of: 1, in: &work)
    }

    /// So many of the lines change something.
    static func expect(_ writes: Int, of lines: Int, in work: inout Work) {
        let part = Double(writes) / Double(max(1, lines))
        work.weigh(preparing, prepared * part)
        work.weigh(writing, written * part)
    }

    /// So many of the records that are there are read.
    static func tell(_ report: ReadingReport, beside lines: Int, _ progress: CountProgress) {
        guard report.taken == nil else { return }
        progress.update(comparing) { work, now in
            work.weigh(comparing, compared * Double(report.total) / Double(max(1, lines)))
            work.tell(report.read, of: report.total, in: comparing, at: now)
        }
    }
}

extension Gateway {
    /// Whether no record of a collection is there.
    func isEmpty(_ collection: Collection) async throws(ControlFailure) -> Bool {
        var query = Query(collection.name)
        query.limit = 1
        query.showsDetached = true
        return try await page(matching: query).records.isEmpty
    }
}
