import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct OverlayTests {
    private func key(_ name: String, _ collection: UInt32 = 1) throws -> RecordKey {
        RecordKey(collection: collection, record: try #require(RecordID(name)))
    }

    private func state(_ name: String, _ collection: UInt32 = 1) throws -> RecordState {
        let key = try key(name, collection)
        var state = RecordState(collection: collection, record: key.record)
        let operation = Operation(
            collection: collection, record: key.record, generation: 1, field: 1,
            kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: [0x01])
        _ = state.apply(
            operation, stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
        return state
    }

    private func names(_ overlay: inout Overlay) -> [String] {
        overlay.beginFold()
        var names: [String] = []
        while let name = overlay.writeNext() { names.append(name) }
        return names
    }

    @Test func `a fold writes what changed, in key order, each record once`() throws {
        var overlay = Overlay(seed: 7)
        let long = String(repeating: "a", count: 16)
        for name in ["b", long + "2", "a", long + "1", "c", long] {
            overlay.add(try state(name), isChanged: true)
        }
        overlay.add(try state("0"), isChanged: false)
        overlay.add(try state("a"), isChanged: true)
        #expect(overlay.dirtyCount == 6)
        #expect(names(&overlay) == ["a", long, long + "1", long + "2", "b", "c"])
        #expect(overlay.dirtyCount == 0 && overlay.count == 7)
        #expect(names(&overlay) == [])
    }

    @Test func `a record that changes again after it was written is written again`() throws {
        var overlay = Overlay(seed: 7)
        for name in ["a", "b", "c"] { overlay.add(try state(name), isChanged: true) }
        overlay.beginFold()
        #expect(overlay.writeNext() == "a")
        for name in ["a", "c"] {
            let claim = try #require(overlay.claim(of: try key(name)))
            let taken = overlay.take(claim)
            #expect(overlay.held(try key(name)) == nil)
            let isNews = overlay.put(taken, at: claim, isChanged: true)
            #expect(isNews == false)
        }
        #expect(try overlay.changed(in: 1).map(\.state) == [state("a"), state("b"), state("c")])
        #expect(overlay.writeNext() == "b")
        #expect(overlay.writeNext() == "c")
        #expect(overlay.isFoldDone)
        #expect(names(&overlay) == ["a"])
    }

    @Test func `what equals its row goes when there is too much of it, and nothing else`() throws {
        var overlay = Overlay(seed: 7)
        for number in 0..<1_000 {
            overlay.add(try state("record-\(number)"), isChanged: number.isMultiple(of: 10))
        }
        let before = overlay.cleanWeight
        overlay.trim(to: before / 4)
        #expect(overlay.cleanWeight <= before / 4 && overlay.count < 400)
        #expect(overlay.dirtyCount == 100)
        for number in stride(from: 0, to: 1_000, by: 10) {
            #expect(overlay.held(try key("record-\(number)")) != nil)
        }
        let held = try (0..<1_000).filter { overlay.held(try key("record-\($0)")) != nil }
        #expect(held.count == overlay.count)
        overlay.trim(to: 0)
        #expect(overlay.cleanWeight == 0 && overlay.count == 100)
        #expect(names(&overlay).count == 100)
        for number in 0..<1_000 { overlay.add(try state("record-\(number)"), isChanged: false) }
        #expect(overlay.count == 1_000)
        for number in 0..<1_000 {
            #expect(overlay.held(try key("record-\(number)"))?.state.isLive == true)
        }
    }

    @Test func `a record has a row only if it was named or written`() throws {
        var overlay = Overlay(seed: 7)
        func mayHaveRow(_ name: String) throws -> Bool {
            overlay.mayHaveRow(overlay.place(of: try key(name)))
        }
        #expect(try mayHaveRow("unknown"))
        overlay.know(rowsOf: try (0..<1_000).map { try key("named-\($0)") })
        for number in 0..<20_000 {
            overlay.add(try state("written-\(number)"), isChanged: true)
        }
        let before = try (0..<20_000).filter { try mayHaveRow("written-\($0)") }
        #expect(before.count < 100)
        overlay.beginFold()
        while overlay.writeNext() != nil {}
        #expect(try (0..<20_000).allSatisfy { try mayHaveRow("written-\($0)") })
        #expect(try (0..<1_000).allSatisfy { try mayHaveRow("named-\($0)") })
        let others = try (0..<20_000).filter { try mayHaveRow("other-\($0)") }
        #expect(others.count < 100)
        overlay.removeAll()
        #expect(try mayHaveRow("other-1"))
        #expect(RowFilter().mayHold(7) == false)
    }

    @Test func `records of two collections are two records`() throws {
        var overlay = Overlay(seed: 1)
        overlay.add(try state("a", 2), isChanged: true)
        overlay.add(try state("a", 1), isChanged: true)
        #expect(overlay.held(try key("a", 3)) == nil)
        #expect(overlay.changed(in: nil).map(\.state.collection) == [1, 2])
        #expect(overlay.changed(in: 2).map(\.state.collection) == [2])
        overlay.removeAll()
        let forgotten = overlay.held(try key("a", 1))
        #expect(overlay.count == 0 && forgotten == nil)
    }

    @Test func `what changed unread is whole once its row was read or written`() throws {
        var overlay = Overlay(seed: 1)
        for name in ["a", "b"] {
            let name = try key(name)
            let claim = overlay.reserve(
                overlay.place(of: name), name.record, row: nil, unread: true)
            #expect(!overlay.isWhole(claim))
            _ = overlay.put(try state(name.record.description), at: claim, isChanged: true)
        }
        #expect(overlay.changed(in: nil).map(\.isWhole) == [false, false])
        var row = try state("a")
        _ = row.apply(
            Operation(
                collection: 1, record: row.record, generation: 1, field: 2,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: [0x02]),
            stamp: .zero, at: Position(chain: .zero, seq: 2, index: 0))
        let claim = try #require(overlay.claim(of: try key("a")))
        var taken = overlay.take(claim)
        overlay.complete(&taken, at: claim, with: KeptRecord(row: 5, state: row))
        #expect(taken == row && overlay.isWhole(claim))
        _ = overlay.put(taken, at: claim, isChanged: true)
        overlay.beginFold()
        let first = overlay.nextDue()
        #expect(first?.held == Overlay.Held(state: row, isWhole: true) && first?.row == 5)
        overlay.wrote(first?.slot ?? -1, row, row: 5)
        let next = overlay.nextDue()
        let second = try #require(next)
        #expect(!second.held.isWhole && second.row == nil)
        overlay.wrote(second.slot, try state("b"), row: 6)
        #expect(overlay.held(try key("b"))?.isWhole == true && overlay.dirtyWeight == 0)
    }

    @Test func `a row's number stays with its record, and a record never written goes`() throws {
        var overlay = Overlay(seed: 1)
        let name = try key("a")
        let claim = overlay.reserve(overlay.place(of: name), name.record, row: 7)
        let first = overlay.put(try state("a"), at: claim, isChanged: true)
        let again = overlay.put(try state("a"), at: claim, isChanged: true)
        overlay.beginCall()
        let later = overlay.put(try state("a"), at: claim, isChanged: true)
        #expect(first && !again && later)
        overlay.add(try state("b"), isChanged: true)
        overlay.beginFold()
        let due = overlay.nextDue()
        #expect(due?.row == 7)
        let next = overlay.nextDue()
        let second = try #require(next)
        #expect(second.row == nil)
        overlay.wrote(second.slot, second.held.state, row: 8)
        overlay.add(try state("b"), isChanged: true)
        overlay.beginFold()
        let later8 = overlay.nextDue()
        #expect(later8?.row == 8)
        let empty = try key("c")
        overlay.add(RecordState(collection: 1, record: empty.record), isChanged: false)
        #expect(overlay.count == 2)
    }
}

extension Overlay {
    /// Writes the next record that is due, and returns its name.
    fileprivate mutating func writeNext() -> String? {
        guard let next = nextDue() else { return nil }
        wrote(next.slot, next.held.state, row: next.row ?? 1)
        return next.held.state.record.description
    }

    fileprivate func claim(of key: RecordKey) -> Claim? { claim(place(of: key), key.record) }

    fileprivate mutating func add(_ state: RecordState, isChanged: Bool) {
        let key = RecordKey(collection: state.collection, record: state.record)
        let claim = claim(of: key) ?? reserve(place(of: key), key.record, row: nil)
        _ = put(state, at: claim, isChanged: isChanged)
    }
}
