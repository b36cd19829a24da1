import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct RecordReaderTests {
    private let bench: Workbench
    private var overlay = Overlay(seed: 1)

    init() throws {
        bench = try Workbench()
        try bench.turn.writingDerived()
    }

    private var reader: RecordReader { RecordReader(overlay: overlay, rows: bench.rows()) }

    private mutating func hold(
        _ name: String, _ text: String, at stamp: Int64, unread: Bool = false
    ) throws {
        let key = try bench.key(name)
        let place = overlay.place(of: key)
        let claim = overlay.reserve(place, key.record, row: nil, unread: unread)
        _ = overlay.put(try bench.state(name, text, at: stamp), at: claim, isChanged: true)
    }

    private func put(_ name: String, _ text: String, at stamp: Int64) throws {
        try bench.turn.store.putRecord(try bench.state(name, text, at: stamp))
    }

    private func text(_ state: RecordState?) throws -> String? {
        guard let state, let view = bench.schema.view(of: state),
            case .text(let text)? = view.fields.first?.values.first
        else { return nil }
        return text
    }

    private func walked(_ read: ((RecordState) throws(StorageError) -> Void) throws -> Void) throws
        -> [String]
    {
        var names: [String] = []
        try read { (state) throws(StorageError) in names.append(state.record.description) }
        return names
    }

    @Test func `a record at hand stands in front of its row`() throws {
        var test = self
        try test.put("a", "row", at: 1)
        #expect(try test.text(test.reader.existing(test.bench.key("a"))) == "row")
        try test.hold("a", "at hand", at: 2)
        #expect(try test.text(test.reader.existing(test.bench.key("a"))) == "at hand")
        #expect(try test.reader.existing(test.bench.key("b")) == nil)
        #expect(try test.reader.state(of: test.bench.key("b")).generation == 0)
    }

    @Test func `what was merged without its row is joined with it`() throws {
        var test = self
        try test.put("newer", "row", at: 9)
        try test.put("older", "row", at: 1)
        for name in ["newer", "older"] { try test.hold(name, "at hand", at: 5, unread: true) }
        #expect(try test.text(test.reader.existing(test.bench.key("newer"))) == "row")
        #expect(try test.text(test.reader.existing(test.bench.key("older"))) == "at hand")
    }

    @Test func `records at hand and rows come in one order, each once`() throws {
        var test = self
        for name in ["b", "d", "f"] { try test.put(name, "row", at: 1) }
        for name in ["a", "d", "e", "g"] { try test.hold(name, "at hand", at: 2) }
        let reader = test.reader
        let all = try walked { try reader.forEachRecord(collection: Device.medication, $0) }
        #expect(all == ["a", "b", "d", "e", "f", "g"])
        var some: [String] = []
        try reader.forEachRecord(in: Device.medication, after: RecordID("b")) { state in
            some.append(state.record.description)
            return some.count < 3
        }
        #expect(some == ["d", "e", "f"])
        let none = try walked { try reader.forEachRecord(collection: 7, $0) }
        #expect(none == [])
    }

    @Test func `records are walked over as they show, at hand and in rows`() throws {
        var test = self
        for name in ["b", "d", "f", "h"] { try test.put(name, "row", at: 5) }
        for name in ["a", "d", "g"] { try test.hold(name, "at hand", at: 9) }
        // Older than its row, and merged without it.
        try test.hold("f", "older", at: 2, unread: true)
        let reader = test.reader
        let collection = try #require(test.bench.schema.collection(id: Device.medication))
        for after in [nil, "a", "c", "d", "h"] {
            let last = after.flatMap { RecordID($0) }
            var (views, states): ([RecordView], [RecordView]) = ([], [])
            try reader.forEachView(in: collection, after: last) { id, view in
                #expect(view?.id == id)
                if let view { views.append(view) }
                return id.description != "g"
            }
            try reader.forEachRecord(in: Device.medication, after: last) { state in
                if let view = test.bench.schema.view(of: state) { states.append(view) }
                return state.record.description != "g"
            }
            #expect(views == states && views.count < 7)
        }
    }

    @Test func `a reading expects what has no row yet, too`() throws {
        var test = self
        for number in 0..<1_500 { try test.hold("record-\(number)", "at hand", at: 1) }
        let words = ReadWords()
        var progress = try test.reader.progress(over: Device.medication, words.telling)
        for _ in 0..<1_000 { progress.count() }
        progress.end()
        #expect(words.all.map(\.total) == [1_500, 1_000])
    }
}
