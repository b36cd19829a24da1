import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetSimulator

/// The scenarios that are about one fault, and the checkers that judge them.
struct LossesTests {
    private static func count(_ state: ProtocolState, in outcome: Outcome) -> Int {
        ProtocolState.allCases.firstIndex(of: state).map { outcome.coverage.states[$0] } ?? 0
    }

    private static func count(_ fault: FaultKind, in outcome: Outcome) -> Int {
        FaultKind.allCases.firstIndex(of: fault).map { outcome.coverage.faults[$0] } ?? 0
    }

    private static func run(_ scenario: String, _ seeds: ClosedRange<UInt64>) throws -> [Outcome] {
        let scenario = try #require(Scenario.named(scenario))
        return seeds.map { seed in
            let outcome = scenario.run(seed: seed)
            #expect(outcome.result == .ok, "\(outcome.shortComplaint ?? "") in seed \(seed)")
            return outcome
        }
    }

    @Test func `devices say again what their disks lost`() throws {
        let outcomes = try Self.run("losses", 1...4)
        #expect(outcomes.allSatisfy { Self.count(.lostBatches, in: $0) > 0 })
        #expect(outcomes.contains { Self.count(.ownBatchLost, in: $0) > 0 })
        #expect(outcomes.contains { Self.count(.batchesRestated, in: $0) > 0 })
    }

    @Test func `clocks leap by years and come back`() throws {
        for outcome in try Self.run("leaps", 1...2) {
            #expect(Self.count(.clockLeap, in: outcome) > 0)
            #expect(Self.count(.emptyBattery, in: outcome) > 0)
        }
    }

    @Test func `homes are opened while reads fail`() throws {
        for outcome in try Self.run("openings", 1...2) {
            #expect(Self.count(.failedOpening, in: outcome) > 0)
            #expect(Self.count(.readError, in: outcome) > 0)
        }
    }

    @Test func `batches wait for others where a divided scope is taken up again`() throws {
        let outcomes = try Self.run("branches", 4...4)
        #expect(outcomes.allSatisfy { Self.count(.batchWaited, in: $0) > 0 })
    }

    @Test func `devices hear of a chain through one that they stay with`() throws {
        #expect(try Self.run("relays", 1...2).allSatisfy { $0.rounds > 0 })
    }

    @Test func `several reads in a row fail, over openings too`() throws {
        let home = DiskHome("reads", seed: 1)
        try home.transact(home.open())
        home.disk.killProcess()
        home.disk.powerOn()
        home.disk.failRead(1, reads: 3)
        var failures = 0
        var store: (any Store)?
        while store == nil, failures < 4 {
            do throws(StorageError) {
                store = try home.open()
            } catch {
                failures += 1
            }
        }
        #expect(store != nil && (1...3).contains(failures))
        #expect(home.disk.counters.failedReads == 3)
    }

    @Test func `a clock does not heal to a time before the one that a peer agreed with`() throws {
        let clamp = Limits.clockClampMilliseconds
        func complaint(agreedAt agreed: Int64, wall: Int64) throws -> Invariant? {
            let known = Knowledge([])
            let checker = ClocksNeverRefuse(known)
            known.wallMilliseconds = agreed
            try checker.observe(.greeted(device: 0, ahead: 1_000))
            let late = Timestamp(wallMilliseconds: agreed + 2 * clamp)
            try checker.observe(.answered(.init(device: 0, events: [], clock: late)))
            known.wallMilliseconds = wall
            let healed = Timestamp(wallMilliseconds: wall)
            do throws(Violation) {
                try checker.observe(.answered(.init(device: 0, events: [], clock: healed)))
                return nil
            } catch {
                return error.invariant
            }
        }
        let agreed: Int64 = 1_800_000_000_000
        #expect(try complaint(agreedAt: agreed, wall: agreed + 1_000) == nil)
        #expect(try complaint(agreedAt: agreed, wall: agreed - 10 * clamp) == .clocksNeverRefuse)
    }
}
