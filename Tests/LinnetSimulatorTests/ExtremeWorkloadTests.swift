import LinnetCRDT
import LinnetReplication
import Testing

@testable import LinnetSimulator

/// The scenario of values of which the largest or the smallest wins, and the reference it has.
struct ExtremeWorkloadTests {
    @Test(arguments: UInt64(1)...3)
    func `devices of all versions end with the largest and the smallest`(seed: UInt64) throws {
        let outcome = try #require(Scenario.named("extremes")).run(seed: seed)
        #expect(outcome.result == .ok, "\(outcome.shortComplaint ?? "")")
    }

    @Test func `every version of the schema holds, and the last one has both kinds`() {
        let versions = ExtremeWorkload().schemas
        #expect(versions.count == 3)
        let kinds = versions.last?.collections.flatMap(\.fields).map(\.kind) ?? []
        #expect(kinds.contains(.max) && kinds.contains(.min))
    }

    @Test func `every change that the workload makes is one that the editor takes`() throws {
        let workload = ExtremeWorkload()
        let schema = try #require(workload.schemas.last)
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            for write in workload.write(&random, size: .few).writes {
                let collection = try #require(schema.collection(id: write.key.collection))
                let editor = RecordEditor(
                    collection: collection, base: Timestamp(wallMilliseconds: 1))
                let state = RecordState(collection: collection.id, record: write.key.record)
                for change in write.changes {
                    _ = try editor.operations(for: change, of: state)
                }
            }
        }
    }
}
