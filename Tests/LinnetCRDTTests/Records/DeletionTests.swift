import LinnetCRDT
import LinnetWire
import Testing

@Suite struct DeletionTests {
    private func place(_ chain: UInt8, _ seq: UInt64) -> Position {
        Position(chain: Bytes16(repeating: chain), seq: seq, index: 0)
    }

    private func context(_ positions: Position...) -> CausalContext {
        var context = CausalContext()
        positions.forEach { context.insert($0) }
        return context
    }

    @Test func `the latest delete is named, and all together saw what each saw`() throws {
        let deletes = [
            (Timestamp(wallMilliseconds: 5), place(2, 1), context(place(7, 3))),
            (Timestamp(wallMilliseconds: 5), place(1, 9), context(place(7, 1), place(8, 2))),
            (Timestamp(wallMilliseconds: 4), place(3, 1), context(place(9, 1))),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            var state = RecordState(collection: 2_000, record: try #require(RecordID("r")))
            for index in order {
                let delete = Operation.record(
                    .recordDelete, collection: 2_000, record: state.record, generation: 2,
                    stampDelta: 0, payload: deletes[index].2.payload)
                #expect(
                    state.apply(delete, stamp: deletes[index].0, at: deletes[index].1) == .won)
            }
            let deletion = try #require(state.deletion)
            #expect(deletion.stamp == deletes[0].0 && deletion.position == deletes[0].1)
            #expect(deletion.context == context(place(7, 3), place(8, 2), place(9, 1)))
            #expect(
                deletion
                    == Deletion(
                        stamp: deletes[0].0, position: deletes[0].1, context: deletion.context))
        }
    }

    @Test func `what an earlier delete had seen is saved when it is lost`() throws {
        let (early, late) = (place(2, 1), place(3, 1))
        let seen = [context(place(7, 3)), context(place(7, 1))]
        let collection = Collection(
            id: 2_000, name: "note", scope: "notes", deletePolicy: .updateWins,
            fields: [Field(id: 1, name: "text", type: .text)])
        var shown = RecordState(collection: 2_000, record: try #require(RecordID("r")))
        var left = shown
        func delete(_ state: inout RecordState, _ seen: CausalContext, at place: Position) {
            let delete = Operation.record(
                .recordDelete, collection: 2_000, record: state.record, generation: 2,
                stampDelta: 0, payload: seen.payload)
            let stamp = Timestamp(wallMilliseconds: place == late ? 9 : 4)
            #expect(state.apply(delete, stamp: stamp, at: place, policy: .updateWins) == .won)
        }
        delete(&shown, seen[0], at: early)
        delete(&shown, seen[1], at: late)
        delete(&left, seen[1], at: late)
        var lost = LostBatches(among: [early.chain, late.chain])
        lost.insert(1, of: early.chain)
        let found = try shown.salvage(lost, beyond: left, in: collection)
        #expect(found.map(\.operation.payload) == [seen[0].payload])
        #expect(found.allSatisfy { $0.position == nil && $0.stamp == nil })
        // Nothing is said of what the other one had seen as well.
        #expect(try shown.salvage(lost, beyond: shown, in: collection).isEmpty)
        lost.insert(1, of: late.chain)
        #expect(try shown.salvage(lost, beyond: left, in: collection).map(\.position) == [late])
    }

    @Test func `a context covers another when it has seen every chain as far`() {
        let seen = context(place(1, 5), place(2, 5))
        #expect(seen.covers(context()) && seen.covers(context(place(1, 5))))
        #expect(seen.covers(context(place(1, 1), place(2, 5))))
        #expect(!seen.covers(context(place(1, 6))) && !seen.covers(context(place(3, 1))))
        #expect(!context().covers(seen) && context().covers(context()))
    }
}

/// A delete has seen also what was written in lives that had ended.
@Suite struct LateRestoreTests {
    @Test func `a restore that comes late does not undo a delete that had seen every write`()
        throws
    {
        let collection = Collection(
            id: 2_000, name: "note", scope: "notes", deletePolicy: .updateWins,
            fields: [Field(id: 1, name: "text", type: .text)])
        let record = try #require(RecordID("r"))
        let editor = RecordEditor(collection: collection, base: .zero)
        var state = RecordState(collection: 2_000, record: record)
        var seq: UInt64 = 0
        func carryOut(_ change: Change, by author: UInt8) throws {
            for operation in try editor.operations(for: change, of: state) {
                seq += 1
                let position = Position(chain: Bytes16(repeating: author), seq: seq, index: 0)
                _ = state.apply(operation, stamp: .zero, at: position, policy: .updateWins)
            }
        }
        try carryOut(.set(FieldWrite(1, .text("first life"))), by: 1)
        try carryOut(.delete, by: 1)
        let restore = try editor.operations(for: .restore, of: state)
        try carryOut(.set(FieldWrite(1, .text("second life"))), by: 2)
        try carryOut(.delete, by: 2)
        #expect(!state.isLive)
        for operation in restore {
            let position = Position(chain: Bytes16(repeating: 3), seq: 1, index: 0)
            _ = state.apply(operation, stamp: .zero, at: position, policy: .updateWins)
        }
        #expect(!state.isLive && state.restored == [3])
    }
}
