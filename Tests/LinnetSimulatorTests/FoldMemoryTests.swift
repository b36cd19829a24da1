import LinnetCRDT
import LinnetReplication
import Testing

@testable import LinnetSimulator

struct FoldMemoryTests {
    private static func operations(_ count: Int) throws -> (RecordKey, [FactOperation]) {
        let record = try #require(RecordID("r"))
        let all = try (0..<count).map { number in
            FactOperation(
                fact: number, index: 0,
                operation: Operation(
                    collection: 7, record: record, generation: 1, field: 1,
                    kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                    payload: try Value.int(Int64(number)).encoded()),
                stamp: Timestamp(wallMilliseconds: Int64(number)))
        }
        return (RecordKey(collection: 7, record: record), all)
    }

    private static func folded(_ life: UInt32) -> ReferenceFold.Folded {
        var folded = ReferenceFold.Folded()
        folded.generation = life
        return folded
    }

    @Test func `a fold is made once for all replicas that show the same of a record`() throws {
        let (key, operations) = try Self.operations(3)
        let memory = FoldMemory()
        for _ in 0..<4 {
            let fold = memory.fold(of: key, operations, version: 1) { Self.folded(5) }
            #expect(fold.generation == 5)
        }
        #expect(memory.made == 1)
    }

    @Test func `who shows something else, or runs another version, is given a fold of that`() throws
    {
        let (key, operations) = try Self.operations(3)
        let memory = FoldMemory()
        let others = [Array(operations.dropLast()), [operations[0], operations[2]], []]
        _ = memory.fold(of: key, operations, version: 1) { Self.folded(1) }
        for (number, other) in others.enumerated() {
            let life = UInt32(3 + 2 * number)
            let fold = memory.fold(of: key, other, version: 1) { Self.folded(life) }
            #expect(fold.generation == life)
        }
        let newer = memory.fold(of: key, [], version: 2) { Self.folded(9) }
        #expect(newer.generation == 9)
        #expect(memory.made == 5)
    }
}
