import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetMedication
import Testing

@testable import LinnetCLI

@Suite(.timeLimit(.minutes(15)))
struct BookReaderTests {
    @Test func `a book that is read in several pages has every record, also one without parents`()
        async throws
    {
        let device = TestDevice()
        let node = try await home(device)
        let book = try await BookReader.book(Gateway(of: node))
        #expect(book.medications.count == 2_100)
        let gone = try #require(RecordID("gone"))
        #expect(book.schedules(of: gone).count == 1)
        await node.stop()
    }

    @Test func `the book for totals has only medications with a schedule or a dose`() async throws {
        let device = TestDevice()
        let node = try await home(device)
        let whole = try await BookReader.book(Gateway(of: node))
        let book = try await BookReader.bookOfDoses(Gateway(of: node))
        #expect(book.medications.keys.map(\.description) == ["m1", "m2"])
        #expect(book.stocks.isEmpty && book.schedules.keys == whole.schedules.keys)
        #expect(book.isInStep == whole.isInStep && book.coverage == whole.coverage)
        await node.stop()
    }

    /// Medications of which one has a schedule and one a dose, and a schedule of one that is not
    /// there: a record that no query shows unasked.
    private func home(_ device: TestDevice) async throws -> Node {
        let node = try await Node.create(
            at: device.home, name: "Laptop", kind: .laptop, schema: .demonstration)
        var transaction = Transaction()
        for number in 0..<2_100 {
            transaction.set("medication", "m\(number)", ["name": .text("Medicine \(number)")])
        }
        transaction.set("schedule", "s", ["medication": "gone", "isActive": true])
        transaction.set("schedule", "t", ["medication": "m1", "isActive": true])
        transaction.insert(
            "doseEvent", "1970-01-d",
            ["medication": "m2", "scheduled": .instant(0), "event": "taken", "at": .instant(0)])
        try await node.commit(transaction)
        return node
    }
}
