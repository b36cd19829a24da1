import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The digest as a tree of pages, held against what docs/protocol.md says of all records.
@Suite struct PageWalkTests {
    private let bench: Workbench
    private var overlay = Overlay(seed: 1)
    private static let log: UInt32 = 1_003

    init() throws {
        bench = try Workbench()
        try bench.turn.writingDerived()
    }

    private var reader: RecordReader { RecordReader(overlay: overlay, rows: bench.rows()) }

    // MARK: Records

    private func state(
        _ name: String, _ collection: UInt32, _ text: String, isLive: Bool = true
    ) throws -> RecordState {
        let record = try #require(RecordID(name))
        var state = RecordState(collection: collection, record: record)
        let place = { Position(chain: .zero, seq: $0, index: 0) }
        _ = state.apply(
            Operation(
                collection: collection, record: record, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text(text).encoded()),
            stamp: Timestamp(rawValue: 1) ?? .zero, at: place(1))
        guard !isLive else { return state }
        _ = state.apply(
            Operation.record(
                .recordDelete, collection: collection, record: record, generation: 2,
                stampDelta: 0),
            stamp: Timestamp(rawValue: 2) ?? .zero, at: place(2))
        return state
    }

    private func put(_ state: RecordState) throws { try bench.turn.store.putRecord(state) }

    private mutating func hold(_ state: RecordState) throws {
        let key = RecordKey(state)
        let place = overlay.place(of: key)
        if let claim = overlay.claim(place, key.record) {
            _ = overlay.take(claim)
            _ = overlay.put(state, at: claim, isChanged: true)
        } else {
            let row = try bench.rows().record(key)?.row
            let claim = overlay.reserve(place, key.record, row: row)
            _ = overlay.put(state, at: claim, isChanged: true)
        }
    }

    /// Writes all that is held into rows, as a fold does.
    private mutating func fold() throws {
        overlay.beginFold()
        while let next = overlay.nextDue() {
            try put(next.held.state)
            overlay.wrote(next.slot, next.held.state, row: 0)
        }
        overlay.removeAll()
    }

    // MARK: The page of the protocol, word for word

    private func zeros(_ id: String) -> Int {
        Hash.blake2b(nil, Array("linnet/page-end/1".utf8), Array(id.utf8)).prefix { $0 == 0 }.count
    }

    private func hash(_ level: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        Hash.blake2b(nil, Array("linnet/page/1".utf8) + [level] + parts.flatMap(\.self))
    }

    /// Cuts a list after each element for which `ends` is true, and at its end.
    private func cut<Element>(_ list: [Element], _ ends: (Element) -> Bool) -> [[Element]] {
        var pieces: [[Element]] = [[]]
        for element in list {
            pieces[pieces.count - 1].append(element)
            if ends(element) { pieces.append([]) }
        }
        return pieces.filter { !$0.isEmpty }
    }

    private func root(_ records: [(id: String, bytes: [UInt8])]) -> [UInt8] {
        var nodes = cut(records) { zeros($0.id) > 0 }.map { page in
            (last: page[page.count - 1].id, hash: hash(0, page.map(\.bytes)))
        }
        var level: UInt8 = 0
        while nodes.count > 1 {
            level += 1
            nodes = cut(nodes) { zeros($0.last) > Int(level) }.map { node in
                (last: node[node.count - 1].last, hash: hash(level, node.map(\.hash)))
            }
        }
        return nodes[0].hash
    }

    private func expected() throws -> [UInt8] {
        struct Part: Comparable {
            let scope: String
            let collection: UInt32
            static func < (left: Part, right: Part) -> Bool {
                (left.scope, left.collection) < (right.scope, right.collection)
            }
        }
        var parts: OrderedTable<Part, [(id: String, bytes: [UInt8])]> = OrderedTable()
        for collection in bench.schema.collections where collection.id >= 1_000 {
            try reader.forEachRecord(collection: collection.id) { state in
                guard state.isLive, let scope = collection.scope.scope(of: state.record)
                else { return }
                parts[Part(scope: scope, collection: collection.id), default: []]
                    .append((state.record.description, state.canonicalBytes))
            }
        }
        var whole = Array("linnet/digest/2".utf8)
        for (part, records) in parts {
            var head = CBORWriter()
            head.array(2)
            head.text(part.scope)
            head.unsigned(UInt64(part.collection))
            whole += head.bytes + root(records)
        }
        return Hash.blake2b(nil, whole)
    }

    private func check(_ comment: Comment) throws {
        let right = try expected()
        #expect(try reader.root().array == right, comment)
        // What was kept on the way is as good.
        #expect(try reader.root().array == right, comment)
        #expect(try reader.root(anew: true).array == right, comment)
    }

    // MARK: Tests

    private static let names = (0..<3_000).map { "record-\($0)" }

    @Test func `the digest of nothing, of one record and of many pages is that of the protocol`()
        throws
    {
        try check("nothing")
        try put(try state("one", Device.medication, "x"))
        try check("one record")
        for name in Self.names { try put(try state(name, Device.medication, name)) }
        try check("many pages")
        let pages = try bench.turn.store.pages(collection: Device.medication)
        #expect(pages.count > 4 && pages.last?.last == SQLiteStore.endOfPages)
        #expect(pages.dropLast().allSatisfy { $0.hash?.rank ?? 0 > 0 })
    }

    @Test func `one change makes one page anew`() throws {
        for name in Self.names { try put(try state(name, Device.medication, name)) }
        _ = try reader.root()
        let store = bench.turn.store
        let before = try store.pages(collection: Device.medication)
        try put(try state("record-1000", Device.medication, "changed"))
        let stale = try store.pages(collection: Device.medication)
        #expect(stale.count { $0.hash == nil } == 1)
        _ = try reader.root()
        let after = try store.pages(collection: Device.medication)
        #expect(after.map(\.last) == before.map(\.last))
        #expect(zip(before, after).count { $0.hash != $1.hash } == 1)
    }

    @Test func `a digest in steps is the digest in one go, though records change between them`()
        throws
    {
        var test = self
        for name in Self.names { try put(try state(name, Device.medication, name)) }
        try put(try state("one", Self.log, "x"))
        var (steps, digest): (Int, Bytes32?) = (0, nil)
        while digest == nil, steps < Self.names.count {
            digest = try test.reader.root(atMost: 100)
            steps += 1
            if steps == 3 {
                try put(try state("record-7", Device.medication, "row"))
                try test.hold(try state("record-8", Device.medication, "held"))
            }
        }
        #expect(steps > 4 && steps < 40)
        #expect(digest?.array == (try test.expected()))
    }

    @Test func `the order of writing leaves no trace`() throws {
        var test = self
        for name in Self.names.shuffled() {
            try test.put(try test.state(name, Device.medication, "first"))
            if name.hasSuffix("77") { _ = try test.reader.root() }
        }
        let other = try Self()
        for name in Self.names { try other.put(try other.state(name, Device.medication, "first")) }
        #expect(try test.reader.root() == other.reader.root())
        try test.hold(try test.state("record-5", Device.medication, "second"))
        #expect(try test.reader.root() != other.reader.root())
    }

    /// Names of one collection and their ends of pages, in several months and in none.
    private static func name(_ number: Int) -> String {
        switch number % 7 {
        case 0...2: "2026-05-\(number)"
        case 3: "2026-06-\(number)"
        case 4: "2027-01-\(number)"
        case 5: "2025-\(number % 2 == 0 ? "12" : "1")-\(number)"
        default: "no month \(number)"
        }
    }

    /// Numbers that a seed repeats (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
    /// Generators", 2014).
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            return mixed ^ mixed >> 31
        }
    }

    /// `LINNET_PAGE_SEEDS=100` tries that many.
    private static let seeds: ClosedRange<UInt64> = {
        let count = ProcessInfo.processInfo.environment["LINNET_PAGE_SEEDS"].flatMap { UInt64($0) }
        return 1...max(1, count ?? 1)
    }()

    @Test(arguments: [Device.medication, PageWalkTests.log], PageWalkTests.seeds)
    func `whatever is written, deleted, held and folded, kept pages are right`(
        _ collection: UInt32, _ seed: UInt64
    ) throws {
        var test = try Self()
        var random = SplitMix(state: seed)
        let names =
            collection == Self.log
            ? (0..<2_500).map(Self.name) : Array(Self.names.prefix(2_500))
        // Deleting what ends pages joins them; writing it divides them.
        let ends = names.filter { test.zeros($0) > 0 }
        try #require(ends.count > 3)
        for round in 0..<40 {
            let count = round % 4 == 0 ? 400 : Int.random(in: 0...6, using: &random)
            for _ in 0..<count {
                let isEnd = Int.random(in: 0..<5, using: &random) == 0
                let name = try #require((isEnd ? ends : names).randomElement(using: &random))
                let state = try test.state(
                    name, collection, "\(round)",
                    isLive: Int.random(in: 0..<3, using: &random) > 0)
                if Bool.random(using: &random) {
                    try test.hold(state)
                } else if test.overlay.held(RecordKey(state)) == nil {
                    try test.put(state)
                }
            }
            try test.check("round \(round)")
            if round % 3 == 0 { try test.fold() }
            try test.check("round \(round), folded")
        }
    }

    @Test func `a page that is kept counts for nothing before its first record`() throws {
        var test = self
        let ends = Self.names.sorted().filter { zeros($0) > 0 }
        let (before, divider) = (ends[1], ends[2])
        for name in Self.names where name != divider {
            try put(try state(name, Device.medication, name))
        }
        try check("without the divider")
        // The page behind the divider can be kept; the one before begins at a record that is held.
        try put(try state(divider, Device.medication, divider))
        try test.hold(try state(before, Device.medication, "held"))
        try test.check("with the divider")
        try test.fold()
        try test.check("folded")
    }

    @Test func `months that come and go leave right pages`() throws {
        var test = self
        let put = { (name: String, isLive: Bool) in
            try self.put(try self.state(name, Self.log, name, isLive: isLive))
        }
        try put("2026-05-a", true)
        try put("2026-07-a", true)
        try check("two months")
        try put("2026-06-a", true)
        try check("one between")
        try put("2026-05-a", false)
        try check("the first is gone")
        try put("2026-08-a", false)
        try put("2028-01-z", true)
        try check("one after all")
        try test.hold(try state("2024-01-a", Self.log, "held"))
        try test.check("one before all, at hand")
        try test.fold()
        try test.check("one before all")
        try put("2028-01-z", false)
        try test.check("the last is gone")
    }
}
