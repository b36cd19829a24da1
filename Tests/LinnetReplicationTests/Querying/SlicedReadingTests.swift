import LinnetCRDT
import Testing

@testable import LinnetReplication

/// Readings that take several calls, beside what one call read when they began.
@Suite struct SlicedReadingTests {
    private final class Tally {
        var finished = 0
        var broken = 0
    }

    private let tally = Tally()

    /// Reads a few records at a time while life goes on; nil when the moment was lost before all
    /// was read.
    private func answer<Reading: SlicedReading>(
        of begun: Reading, _ device: Device, _ life: IndexedLife
    ) throws -> Reading.Answer? {
        var reading = begun
        let moment = try device.moment(for: begun.rest)
        func slice() -> ReadingSlice { ReadingSlice(records: 1 + life.below(5), bytes: .max) }
        while let isDone = try device.goOn(&reading, at: moment, slice()) {
            if isDone {
                tally.finished += 1
                return try reading.answer()
            }
            if life.below(2) == 0 { try life.step() }
        }
        tally.broken += 1
        return nil
    }

    private func query(_ life: IndexedLife) -> Query {
        var query = Query("item")
        query.condition = life.pick([
            nil, .test("plain", .greaterOrEqual, .int(2)), .test("name", .contains, .text("a")),
            .test("tags", .matches, .text("ab")), .not(.isNull("plain")),
        ])
        if life.below(2) == 0 { query.sort = [SortKey("plain", descending: life.below(2) == 0)] }
        query.limit = life.pick([nil, 0, 2, 9])
        query.offset = life.pick([0, 0, 2])
        return query
    }

    @Test(arguments: UInt64(50)...53)
    func `an answer is of the moment at which its reading began`(seed: UInt64) throws {
        let life = try IndexedLife(seed: seed)
        for _ in 0..<80 { try life.step() }
        let aggregates: [Aggregate] = [.count, .sum("plain"), .max("name")]
        for round in 0..<90 {
            try life.step()
            let device = life.pick(life.devices)
            let query = query(life)
            switch round % 3 {
            case 0:
                let (page, begun) = try device.reading { (reader) throws(ReplicaError) in
                    (try reader.page(matching: query), try PageReading(query, isPage: true, reader))
                }
                guard let found = try answer(of: begun, device, life) else { continue }
                #expect(found.records == page.records && found.next == page.next, "\(query)")
            case 1:
                let (count, begun) = try device.reading { (reader) throws(ReplicaError) in
                    (try reader.count(matching: query), try CountReading(query, reader))
                }
                guard let found = try answer(of: begun, device, life) else { continue }
                #expect(found == count, "\(query)")
            default:
                let (groups, begun) = try device.reading { (reader) throws(ReplicaError) in
                    (
                        try reader.figures(aggregates, of: query, by: ["shelf"]),
                        try FiguresReading(aggregates, of: query, by: ["shelf"], reader)
                    )
                }
                guard let found = try answer(of: begun, device, life) else { continue }
                #expect(found == groups, "\(query)")
            }
        }
        #expect(tally.finished > 10 && tally.broken > 0)
    }

    @Test func `a fold waits for whoever reads a moment, but not for ever`() throws {
        let life = try IndexedLife(seed: 60)
        let device = life.devices[0]
        func write(_ numbers: Range<Int>) throws {
            for number in numbers {
                let key = RecordKey(
                    collection: IndexedLife.collection,
                    record: try #require(RecordID("x/\(number)")))
                let changes = [Change.set(FieldWrite(9, .int(Int64(number))))]
                try device.requests([.changes(Write(key, changes))], life.fleet)
            }
        }
        func wait() {
            life.fleet.advance(5_000)
            life.fleet.meetDeadlines([device])
        }
        func behind() -> Int? { device.replica?.recordBook.overlay.dirtyCount }
        try device.replica?.foldEverything()
        var moment: RecordMoment? = device.replica?.moment()
        // Work for a fold, which begins at 60: 25 for each.
        try write(0..<4)
        wait()
        #expect(behind() == 4)
        try write(4..<9)
        #expect(behind() ?? 9 < 9)
        try device.replica?.foldEverything()
        moment = device.replica?.moment()
        try write(9..<12)
        moment = nil
        for _ in 0..<9 { wait() }
        #expect(behind() == 0 && moment == nil)
    }

    /// Writes a number into some records, and their rows.
    private func fill(
        _ device: Device, _ numbers: Range<Int>, with value: Int64, _ fleet: Fleet
    ) throws {
        try device.commit(
            try numbers.map { number in
                let record = try #require(RecordID("thing-\(1_000 + number)"))
                return Write(
                    RecordKey(collection: 2_000, record: record),
                    [.set(FieldWrite(5, .int(value)))])
            }, at: fleet.now)
        try device.replica?.foldEverything()
    }

    @Test(arguments: [true, false])
    func `a count goes on over rows that are written meanwhile, a slice at a time`(
        isNew: Bool
    ) throws {
        let fleet = try Fleet.ofThings()
        let device = try fleet.group(["a"])[0]
        try fill(device, 0..<200, with: 5, fleet)
        let query = Query("thing", where: .test("peak", .less, .int(10)))
        var reading = try device.reading { (reader) throws(ReplicaError) in
            try CountReading(query, reader)
        }
        let moment = try device.moment(for: reading.rest)
        var (calls, isDone) = (0, false)
        var last = 1_000
        while !isDone {
            let slice = ReadingSlice(records: 10, bytes: .max)
            guard let went = try device.goOn(&reading, at: moment, slice) else {
                Issue.record("the moment was lost")
                return
            }
            isDone = went
            calls += 1
            if case .rest(_, let record?) = reading.rest {
                let number = try #require(Int(record.description.dropFirst(6)))
                #expect(number - last <= 10)
                last = number
            }
            // Rows behind the reading and before it are written anew, or come between.
            let other = (calls * 37) % 200
            try fill(device, isNew ? 200..<200 + calls : other..<other + 20, with: 99, fleet)
        }
        // Rows of new records are gone over, too.
        #expect(calls >= 20 && calls <= 30 && reading.answer() == 200)
        let after = try device.reading { (reader) throws(ReplicaError) in
            try reader.count(matching: query)
        }
        #expect(isNew ? after == 200 : after < 200)
    }

    @Test func `a moment is lost when more rows are written than it may keep`() throws {
        let fleet = try Fleet.ofThings()
        let device = try fleet.group(["a"])[0]
        try fill(device, 0..<50, with: 5, fleet)
        let query = Query("thing", where: .test("peak", .less, .int(10)))
        for (bytes, isKept) in [(2_000, false), (200_000, true)] {
            var reading = try device.reading { (reader) throws(ReplicaError) in
                try CountReading(query, reader)
            }
            let moment = try device.moment(for: reading.rest, keeping: bytes)
            let first = try device.goOn(&reading, at: moment, ReadingSlice(records: 1, bytes: 1))
            try fill(device, 10..<40, with: 6, fleet)
            let isDone = try device.goOn(&reading, at: moment, .all)
            #expect(first == false && isDone == (isKept ? true : nil))
        }
    }

    @Test func `a slice ends with its bytes as well as with its records`() throws {
        let fleet = try Fleet.ofThings()
        let device = try fleet.group(["a"])[0]
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<10 {
            let id = try #require(RecordID("r\(number)"))
            let tags = [Change.add(field: 2, .text(text))]
            try device.commit(
                [Write(RecordKey(collection: 2_000, record: id), tags)], at: fleet.now)
        }
        guard let reader = device.replica?.reader else { throw Device.Closed() }
        for (slice, calls) in [
            (ReadingSlice(records: 4, bytes: .max), 3),
            (ReadingSlice(records: 99, bytes: 2_500), 4),
            (ReadingSlice.usual, 1),
        ] {
            var reading = try PageReading(Query("thing"), isPage: false, reader)
            var done = 1
            while try !reading.goOn(reader, slice) { done += 1 }
            #expect(done == calls && reading.answer().records.count == 10)
        }
    }
}

extension Device {
    fileprivate func moment(
        for span: RecordSpan, keeping bytes: Int? = nil
    ) throws -> RecordMoment {
        guard let moment = replica?.moment(for: span, keeping: bytes) else { throw Closed() }
        return moment
    }

    fileprivate func goOn<Reading: SlicedReading>(
        _ reading: inout Reading, at moment: RecordMoment, _ slice: ReadingSlice
    ) throws -> Bool? {
        try replica?.goOn(&reading, at: moment, slice) ?? nil
    }

    /// Gives `body` a reader, which must not be kept.
    fileprivate func reading<Result>(
        _ body: (RecordReader) throws(ReplicaError) -> Result
    ) throws -> Result {
        guard let reader = replica?.reader else { throw Closed() }
        return try body(reader)
    }
}
