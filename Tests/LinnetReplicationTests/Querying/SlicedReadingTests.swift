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

    /// Reads a few records at a time while life goes on; nil when a row was written before all was
    /// read.
    private func answer<Reading: SlicedReading>(
        of begun: Reading, _ device: Device, _ life: IndexedLife
    ) throws -> Reading.Answer? {
        var reading = begun
        guard let moment = device.replica?.moment else { throw Device.Closed() }
        /// Nobody keeps a reader, since it keeps the database open.
        func goOn() throws -> Bool? {
            guard let reader = device.replica?.reader(at: moment) else { return nil }
            return try reading.goOn(reader, ReadingSlice(records: 1 + life.below(5), bytes: .max))
        }
        while let isDone = try goOn() {
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
        var moment: RecordMoment? = device.replica?.moment
        // Work for a fold, which begins at 60: 25 for each.
        try write(0..<4)
        wait()
        #expect(behind() == 4)
        func found() throws -> Int? {
            guard let moment else { return nil }
            return try device.replica?.reader(at: moment)?.count(matching: Query("item"))
        }
        #expect(try found() == 0)
        try write(4..<9)
        #expect(try found() == nil)
        try device.replica?.foldEverything()
        moment = device.replica?.moment
        try write(9..<12)
        moment = nil
        for _ in 0..<9 { wait() }
        #expect(behind() == 0 && moment == nil)
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
    /// Gives `body` a reader, which must not be kept.
    fileprivate func reading<Result>(
        _ body: (RecordReader) throws(ReplicaError) -> Result
    ) throws -> Result {
        guard let reader = replica?.reader else { throw Closed() }
        return try body(reader)
    }
}
