import Linnet
import LinnetCRDT
import LinnetControl
import LinnetReplication

/// The steps of an import, with their costs beside that of reading a line, as measured.
enum ImportStep {
    static let (reading, comparing, planning, preparing, writing) = (0, 1, 2, 3, 4)
    private static let (compared, planned, prepared, written) = (1.5, 1.2, 0.35, 5.2)

    /// The steps; nobody knows yet how much there is to compare with and to write.
    static let all = [
        WorkStep("lines read"), WorkStep("records read to compare with", cost: nil),
        WorkStep("lines compared", cost: planned), WorkStep("changes prepared", cost: nil),
        WorkStep("changes written", inPartsOf: 100, cost: nil),
    ]

    /// Expects every line to be new: there is nothing to compare with, and all of it is written.
    static func expectAll(in work: inout Work) {
        work.weigh(comparing, 0)
        expect(1, of: 1, in: &work)
    }

    /// Expects `writes` of the lines to change something.
    static func expect(_ writes: Int, of lines: Int, in work: inout Work) {
        let part = Double(writes) / Double(max(1, lines))
        work.weigh(preparing, prepared * part)
        work.weigh(writing, written * part)
    }

    /// Notes how many of the records to compare with are read.
    static func tell(_ report: ReadingReport, beside lines: Int, _ progress: CountProgress) {
        guard report.taken == nil else { return }
        progress.update(comparing) { work, now in
            work.weigh(comparing, compared * Double(report.total) / Double(max(1, lines)))
            work.tell(report.read, of: report.total, in: comparing, at: now)
        }
    }
}

extension Gateway {
    /// Returns true when a collection has no record.
    func isEmpty(_ collection: Collection) async throws(ControlFailure) -> Bool {
        var query = Query(collection.name)
        query.limit = 1
        query.showsDetached = true
        return try await page(matching: query).records.isEmpty
    }
}
