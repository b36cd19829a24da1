import LinnetCRDT
import LinnetWire
import Testing

/// An op with its stamp and place.
private struct Placed {
    let operation: LinnetCRDT.Operation
    let stamp: Timestamp
    let position: Position
}

@Suite struct RecordStateTests {
    @Test(arguments: 0..<200)
    func `every order and every repetition ends in the obvious state`(seed: Int) throws {
        var seeded = Seeded(seed)
        let ops = try seeded.history(count: 1 + seeded.below(30))
        let expected = try reference(ops)
        for _ in 0..<6 {
            let repeated = seeded.shuffled(ops + ops.prefix(seeded.below(ops.count + 1)))
            #expect(try fold(repeated) == expected)
        }
    }

    @Test(arguments: 0..<100) func `outcomes say what changed`(seed: Int) throws {
        var seeded = Seeded(2_000 + seed)
        var state = try RecordState.empty()
        for op in try seeded.history(count: 30) {
            let before = state
            switch state.apply(op.operation, stamp: op.stamp, at: op.position) {
            case .won: #expect(state != before)
            case .quarantined, .unknownKind: #expect(state == before)
            case .lost: #expect(state.generation >= before.generation)
            }
        }
    }

    @Test func `a delete hides, and a restore brings back late edits too`() throws {
        var state = try RecordState.empty()
        #expect(!state.isLive && state.writeGeneration == 1 && state.deleteGeneration == nil)
        try state.write(1, generation: 1, stamp: 10)
        #expect(state.isLive && state.deleteGeneration == 2 && state.writeGeneration == 1)
        try state.move(.recordDelete, to: 2)
        #expect(!state.isLive && state.visibleContents.isEmpty && state.deleteGeneration == nil)
        try state.write(2, generation: 1, stamp: 99)
        #expect(state.visible(field: 2) == nil && state.deletedContents.map(\.field) == [1, 2])
        #expect(state.writeGeneration == 3 && state.restoreGeneration == 3)
        try state.move(.recordRestore, to: 3)
        #expect(state.isLive && state.visibleContents.map(\.field) == [1, 2])
        try state.write(3, generation: 1, stamp: 5)
        #expect(state.visible(field: 3)?.stamp == Timestamp(wallMilliseconds: 5))
    }

    @Test func `a record created anew begins empty until a restore says otherwise`() throws {
        var state = try RecordState.empty()
        try state.write(1, generation: 1, stamp: 10)
        try state.move(.recordDelete, to: 2)
        try state.write(2, generation: 3, stamp: 11)
        #expect(state.visibleContents.map(\.field) == [2])
        try state.move(.recordRestore, to: 3)
        #expect(state.visibleContents.map(\.field) == [1, 2])
    }

    @Test func `a write of a later generation brings the record back by itself`() throws {
        var state = try RecordState.empty()
        try state.write(1, generation: 3, stamp: 1)
        #expect(try state.move(.recordDelete, to: 2) == .lost)
        #expect(state.isLive && state.generation == 3)
    }

    @Test func `equal stamps are decided by chain, number and index`() throws {
        let stamp = Timestamp.ceiling
        let positions = [
            Position(chain: Bytes16(repeating: 1), seq: 9, index: 9),
            Position(chain: Bytes16(repeating: 2), seq: 1, index: 5),
            Position(chain: Bytes16(repeating: 2), seq: 2, index: 0),
            Position(chain: Bytes16(repeating: 2), seq: 2, index: 1),
        ]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            var state = try RecordState.empty()
            for index in order {
                var operation = try Seeded.blank(kind: 1)
                operation.payload = try Value.int(Int64(index)).encoded()
                _ = state.apply(operation, stamp: stamp, at: positions[index])
            }
            #expect(state.visible(field: 1)?.payload == [3])
        }
    }

    @Test func `the last generation can be written and not deleted`() throws {
        var state = try RecordState.empty()
        try state.write(1, generation: .max, stamp: 1)
        #expect(state.isLive && state.deleteGeneration == nil && state.writeGeneration == .max)
    }

    @Test(arguments: 0..<100) func `a state is read again as it was written`(seed: Int) throws {
        var seeded = Seeded(seed)
        let state = try fold(try seeded.history(count: seeded.below(40)))
        let bytes = state.encoded
        let again = try RecordState.decode(bytes, collection: 2_000, record: state.record)
        #expect(again == state)
        for _ in 0..<20 {
            let damaged = seeded.mutation(of: bytes)
            if let other = try? RecordState.decode(
                damaged, collection: 2_000, record: state.record)
            {
                #expect(other.encoded == damaged)
            }
        }
    }

    @Test func `the bytes of a state never change`() throws {
        var state = try RecordState.empty()
        #expect(Hex.encode(state.encoded) == "86010080f68080")
        try state.write(5, generation: 1, stamp: 1)
        let chain = String(repeating: "07", count: 16)
        #expect(
            Hex.encode(state.encoded)
                == "86010180f6" + "8150" + chain + "818405010184011a00010000" + "83000100" + "f6")
        var other = state.encoded
        other[1] = 2
        #expect(throws: CRDTError.unknownFormat) {
            try RecordState.decode(other, collection: 2_000, record: state.record)
        }
    }

    @Test func `an op of another record is our own bug`() async {
        await #expect(processExitsWith: .failure) {
            var state = try RecordState.empty()
            var operation = try Seeded.blank(kind: 1)
            operation.collection = 2_001
            let position = Position(chain: .zero, seq: 1, index: 0)
            _ = state.apply(operation, stamp: .zero, at: position)
        }
    }

    private func fold(_ ops: [Placed]) throws -> RecordState {
        var state = try RecordState.empty()
        for op in ops {
            _ = state.apply(op.operation, stamp: op.stamp, at: op.position)
        }
        return state
    }

    /// The merge as the protocol says it: sort the legal ops, the last one of each field wins.
    private func reference(_ ops: [Placed]) throws -> RecordState {
        let legal = ops.filter { op in
            let isOdd = op.operation.generation % 2 == 1
            switch op.operation.kind {
            case 1, 2:
                return isOdd && op.operation.field > 0 && op.operation.payload == [0x80, 0xf6]
                    || isOdd && op.operation.field > 0 && op.operation.kind == 1
                        && op.operation.payload == [0xf6]
                    || isOdd && op.operation.field > 0 && op.operation.kind == 2
                        && op.operation.payload == [0x81, 0xf6]
            case 13:
                return !isOdd && op.operation.generation > 0 && op.operation.field == 0
                    && op.operation.payload == [0x80]
            case 14:
                return isOdd && op.operation.generation > 1 && op.operation.field == 0
                    && op.operation.payload == [0x80]
            default: return false
            }
        }
        let sorted = legal.sorted { left, right in
            (left.operation.generation, left.stamp, left.position)
                < (right.operation.generation, right.stamp, right.position)
        }
        var state = try RecordState.empty()
        for op in legal where op.operation.kind == 14 {
            _ = state.apply(op.operation, stamp: op.stamp, at: op.position)
        }
        let writes = sorted.filter { $0.operation.field > 0 }
        for slot in Set(writes.map { state.slot(of: $0.operation) }) {
            let last = try #require(writes.last { state.slot(of: $0.operation) == slot })
            _ = state.apply(last.operation, stamp: last.stamp, at: last.position)
        }
        for op in legal where op.operation.kind == 13 {
            _ = state.apply(op.operation, stamp: op.stamp, at: op.position)
        }
        return state
    }
}

extension RecordState {
    fileprivate func slot(of operation: LinnetCRDT.Operation) -> FieldSlot {
        FieldSlot(field: operation.field, beginning: beginning(of: operation.generation))
    }

    fileprivate static func empty() throws -> RecordState {
        RecordState(collection: 2_000, record: try #require(RecordID("r")))
    }

    fileprivate mutating func write(_ field: UInt32, generation: UInt32, stamp: Int64) throws {
        var operation = try Seeded.blank(kind: 1)
        (operation.field, operation.generation) = (field, generation)
        let position = Position(chain: Bytes16(repeating: 7), seq: 1, index: 0)
        _ = apply(operation, stamp: Timestamp(wallMilliseconds: stamp), at: position)
    }

    @discardableResult
    fileprivate mutating func move(
        _ kind: OperationKind, to generation: UInt32
    ) throws -> ApplyOutcome {
        let operation = Operation.record(
            kind, collection: 2_000, record: record, generation: generation, stampDelta: 0)
        let position = Position(chain: Bytes16(repeating: 7), seq: 1, index: 0)
        return apply(operation, stamp: .zero, at: position)
    }
}

extension Seeded {
    /// Ops of one record from few authors with many equal stamps, some of them meaningless.
    fileprivate mutating func history(count: Int) throws -> [Placed] {
        let payloads: [[UInt8]] = [[0xf6], [0x81, 0xf6], [0x80], [0xa0]]
        let kinds: [UInt8] = [1, 1, 1, 2, 13, 14, 3, 200]
        var ops: [Placed] = []
        for index in 0..<count {
            var operation = try Seeded.blank(kind: kinds[below(kinds.count)])
            operation.generation = UInt32(below(6))
            operation.field = operation.kind >= 13 && below(8) > 0 ? 0 : UInt32(below(4))
            switch operation.kind {
            case 1: operation.payload = payloads[below(4) == 0 ? below(4) : 0]
            case 2: operation.payload = payloads[below(4) == 0 ? below(4) : 1]
            default: operation.payload = payloads[below(4) == 0 ? below(4) : 2]
            }
            let position = Position(
                chain: Bytes16(repeating: UInt8(below(3))), seq: UInt64(1 + index / 3),
                index: UInt32(index))
            let stamp = Timestamp(wallMilliseconds: Int64(below(4)))
            ops.append(Placed(operation: operation, stamp: stamp, position: position))
        }
        return ops
    }

    fileprivate mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var shuffled = elements
        for last in stride(from: shuffled.count - 1, to: 0, by: -1) {
            shuffled.swapAt(last, below(last + 1))
        }
        return shuffled
    }
}
