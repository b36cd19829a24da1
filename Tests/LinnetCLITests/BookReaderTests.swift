import Linnet
import LinnetCRDT
import LinnetMedication
import Testing

@testable import LinnetCLI

@Suite(.timeLimit(.minutes(15)))
struct BookReaderTests {
    @Test func `a book that is read in pages has the records of one that is read at once`()
        async throws
    {
        let device = TestDevice()
        let node = try await Node.create(
            at: device.home, name: "Laptop", kind: .laptop, schema: .demonstration)
        var transaction = Transaction()
        for number in 0..<1_100 {
            transaction.set("medication", "m\(number)", ["name": .text("Medicine \(number)")])
        }
        // Its medication is not there: a record that no query shows unasked.
        transaction.set("schedule", "s", ["medication": "gone", "isActive": true])
        try await node.commit(transaction)
        let gateway = Gateway(of: node)
        let whole = try await BookReader.book(gateway)
        let pages = try await BookReader.book(gateway, inPages: true)
        #expect(whole.medications.count == 1_100)
        #expect(pages.medications == whole.medications)
        let gone = try #require(RecordID("gone"))
        #expect(whole.schedules(of: gone).count == 1)
        #expect(pages.schedules(of: gone) == whole.schedules(of: gone))
        await node.stop()
    }
}
