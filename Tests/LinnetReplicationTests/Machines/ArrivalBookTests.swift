import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A book that is asked within expectations, which change nothing by themselves.
private final class Asked {
    var book = ArrivalBook()

    func holdsBack(_ device: DeviceID, _ kind: ArrivalBook.Kind, at now: Moment) -> Bool {
        book.holdsBack(device, kind, at: now)
    }

    func isTime(at now: Moment) -> Bool { book.isTime(at: now) }
}

@Suite struct ArrivalBookTests {
    private let device = DeviceID(repeating: 7)
    private let hour: Int64 = 3_600_000

    private func at(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 1_800_000_000_000 + milliseconds, uptimeMilliseconds: milliseconds)
    }

    private func asked() -> Asked {
        let asked = Asked()
        asked.book.allowed = Arrivals(
            records: 10, batches: 100, bytes: 1_000, decodedBytes: 10_000)
        return asked
    }

    @Test func `what is allowed may come at once, and grows back within a day`() {
        let asked = asked()
        asked.book.note(device, Arrivals(batches: 99, bytes: 500), at: at(0))
        #expect(!asked.holdsBack(device, .sent, at: at(0)) && asked.book.due == nil)
        asked.book.note(device, Arrivals(batches: 1), at: at(0))
        #expect(asked.holdsBack(device, .sent, at: at(0)))
        #expect(!asked.holdsBack(device, .decoded, at: at(0)))
        let due = asked.book.due ?? 0
        #expect(due > 0 && due < hour)
        #expect(!asked.isTime(at: at(due - 1)) && asked.isTime(at: at(due)))
        #expect(!asked.holdsBack(device, .sent, at: at(due)) && asked.book.due == nil)
        asked.book.note(device, Arrivals(batches: 40), at: at(25 * hour))
        #expect(!asked.holdsBack(device, .sent, at: at(25 * hour)))
    }

    @Test func `nobody waits for longer than a day`() {
        let asked = asked()
        asked.book.note(device, Arrivals(decodedBytes: 1_000_000), at: at(0))
        #expect(asked.holdsBack(device, .decoded, at: at(23 * hour)))
        #expect(!asked.holdsBack(device, .decoded, at: at(25 * hour)))
    }

    @Test func `what another one wrote counts by half, and the past of the group hardly`() {
        let asked = asked()
        asked.book.note(device, Arrivals(batches: 199), isForwarded: true, at: at(0))
        #expect(!asked.holdsBack(device, .sent, at: at(0)))
        asked.book.note(device, Arrivals(batches: 1), isForwarded: true, at: at(0))
        #expect(asked.holdsBack(device, .sent, at: at(0)))
        let other = DeviceID(repeating: 8)
        asked.book.note(other, Arrivals(batches: 1_599), isKnown: false, at: at(0))
        #expect(!asked.holdsBack(other, .sent, at: at(0)))
        asked.book.note(other, Arrivals(batches: 1), isKnown: false, at: at(0))
        #expect(asked.holdsBack(other, .sent, at: at(0)))
    }

    @Test func `a person is told what a device brought today when it is much`() {
        let asked = asked()
        asked.book.note(device, Arrivals(records: 4), at: at(0))
        #expect(asked.book.notable(at: at(0)).isEmpty)
        asked.book.note(device, Arrivals(records: 2), at: at(hour))
        let today = Arrivals(records: 6)
        #expect(
            asked.book.notable(at: at(hour)) == [
                .sendsMuch(device, today: today, isHeldBack: false)
            ])
        asked.book.note(device, Arrivals(records: 9), at: at(hour))
        #expect(asked.holdsBack(device, .records, at: at(hour)))
        #expect(
            asked.book.notable(at: at(hour))
                == [.sendsMuch(device, today: Arrivals(records: 15), isHeldBack: true)])
        #expect(asked.book.today(of: device, at: at(25 * hour)) == Arrivals())
    }

    @Test func `what is shown anew was shown before`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.writer)
        (row.stored, row.applied) = (5, 3)
        let asked = asked()
        #expect(!asked.book.wasShown(1, of: row.key))
        asked.book.showAgain([row])
        #expect(asked.book.wasShown(3, of: row.key) && !asked.book.wasShown(4, of: row.key))
        #expect(!asked.book.holdsSomething(of: device))
        asked.book.note(device, Arrivals(batches: 100), at: at(0))
        #expect(asked.holdsBack(device, .sent, at: at(0)))
        #expect(asked.book.holdsSomething(of: device))
    }
}
