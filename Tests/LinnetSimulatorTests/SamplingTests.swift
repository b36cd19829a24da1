import LinnetCRDT
import LinnetReplication
import Testing

@testable import LinnetSimulator

struct SamplingTests {
    private static func looks(in events: Int) -> [Int] {
        var looks = Looks()
        return (1...events).filter { looks.isDue(after: $0) }
    }

    @Test func `a run of a swarm is looked at every thousand events`() {
        #expect(Self.looks(in: 16_500) == (1...16).map { 1_000 * $0 })
    }

    @Test func `a year is looked at ever more rarely, and to its end`() {
        let looks = Self.looks(in: 140_000)
        let distances = zip(looks.dropFirst(), looks).map { $0 - $1 }
        #expect(distances == distances.sorted())
        #expect(looks.count < 70)
        #expect(distances.allSatisfy { $0 <= 5_000 })
        #expect(looks.last.map { $0 > 135_000 } == true)
    }

    @Test func `a record is folded at each of its first operations, and later at some`() throws {
        let key = RecordKey(collection: 7, record: try #require(RecordID("r")))
        var turns = FoldTurns()
        let early = (1..<64).count { turns.isDue(key, operations: $0) }
        let later = (64..<640).count { turns.isDue(key, operations: $0) }
        let late = (0..<20).count { _ in turns.isDue(key, operations: 1_000) }
        let other = RecordKey(collection: 8, record: key.record)
        let isOtherDue = turns.isDue(other, operations: 1)
        #expect(early == 63)
        #expect((58...192).contains(later))
        // No record is left out for good.
        #expect(late > 0)
        #expect(isOtherDue)
    }
}
