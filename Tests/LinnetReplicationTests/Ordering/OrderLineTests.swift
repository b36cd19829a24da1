import LinnetCRDT
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct OrderLineTests {
    private typealias Line = [(record: RecordID, place: FractionalKey?)]

    private static func record(_ number: Int) throws -> RecordID {
        try #require(RecordID("r\(number)"))
    }

    /// The room at a place, found by walking the whole line.
    private func expected(_ line: Line, _ place: OrderPlace, _ mover: RecordID) -> OrderLine.Gap? {
        let line = line.sorted { left, right in
            switch (left.place, right.place) {
            case (let one?, let other?): (one, left.record) < (other, right.record)
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil): left.record < right.record
            }
        }.filter { $0.record != mover }
        let anchor = line.firstIndex { $0.record.description == place.anchor }
        var index = 0
        switch place {
        case .first: index = 0
        case .last: index = line.count
        case .before, .after:
            guard let anchor else { return nil }
            if case .after = place { index = anchor + 1 } else { index = anchor }
        }
        let lower = line[..<index].compactMap(\.place).last
        let unplaced = line[..<index].filter { $0.place == nil }.map(\.record)
        let upper = line[index...].compactMap(\.place).first { place in
            lower.map { place > $0 } ?? true
        }
        return OrderLine.Gap(
            lower: lower, unplaced: unplaced, upper: unplaced.isEmpty ? upper : nil)
    }

    @Test func `a line finds the room that a walk over it finds, while it changes`() throws {
        var random = Device.entropy(5)
        func below(_ bound: Int) -> Int { Int(random.bytes(1)[0]) % bound }
        let keys = try ["1", "2", "2z", "A", "V", "V1", "z"].map {
            try #require(FractionalKey($0))
        }
        for _ in 0..<20 {
            var line: Line = []
            var ordered = OrderLine([])
            for _ in 0..<40 {
                let record = try Self.record(below(12))
                line.removeAll { $0.record == record }
                if below(3) == 0 {
                    ordered.remove(record)
                } else {
                    let place = below(3) == 0 ? nil : keys[below(keys.count)]
                    line.append((record, place))
                    ordered.put(record, at: place)
                }
                #expect(ordered.count == line.count)
                let mover = try Self.record(below(13))
                let other = try Self.record(below(13)).description
                for place in [OrderPlace.first, .last, .before(other), .after(other)] {
                    #expect(ordered.gap(at: place, for: mover) == expected(line, place, mover))
                }
            }
        }
    }

    @Test func `orders are kept up to the limit, and not beside more changes than records`() throws
    {
        #expect(Limits.orderedRecords == 32_768)
        let name = OrderLines.Name(collection: 1, field: 2)
        let long: Line = try (0..<4).map { (try Self.record($0), nil) }
        var lines = OrderLines(most: 4)
        lines.keep(OrderLine(long), as: name)
        #expect(lines.count == 1)
        lines.keep(OrderLine(Array(long[..<2])), as: OrderLines.Name(collection: 1, field: 3))
        #expect(lines.count == 1 && lines.take(name)?.line.count == nil)
        lines.keep(OrderLine(long + [(try Self.record(9), nil)]), as: name)
        #expect(lines.take(name)?.line.count == nil)
        for number in 0..<6 {
            lines.note(RecordKey(collection: 1, record: try Self.record(number)))
            lines.note(RecordKey(collection: 2, record: try Self.record(number)))
            #expect(lines.count == (number < 3 ? 1 : 0))
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `the order that is kept is the one that the records have, whatever happens`(seed: UInt64)
        throws
    {
        let life = try IndexedLife(seed: seed)
        let anyone = try Self.record(0)
        let name = OrderLines.Name(collection: IndexedLife.collection, field: 7)
        for _ in 0..<120 {
            try life.step()
            for device in life.devices {
                guard let reader = device.replica?.reader else { continue }
                let read = try reader.orderedRecords(of: IndexedLife.collection, by: 7)
                let kept = try #require(
                    try device.replica?.recordBook.lines.line(of: name, in: reader))
                let places =
                    [OrderPlace.first, .last]
                    + read.flatMap {
                        [.before($0.record.description), .after($0.record.description)]
                    }
                #expect(kept.count == read.count)
                for place in places {
                    #expect(kept.gap(at: place, for: anyone) == expected(read, place, anyone))
                }
            }
        }
    }
}
