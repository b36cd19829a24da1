import LinnetSimulator
import LinnetStorage
import Testing

@Suite(.serialized)
struct DiskStoreTests {
    private static func lives(
        _ name: String, _ seeds: Range<UInt64>, _ end: DiskHome.End = .powerFailure,
        prepare: (Disk) -> Void = { _ in }
    ) -> [DiskHome.Outcome] {
        seeds.map { seed in
            Disk.beginSeed(seed)
            defer { Disk.endSeed() }
            let home = DiskHome(name, seed: seed)
            prepare(home.disk)
            return home.live(3, endingIn: end)
        }
    }

    @Test func `what was committed in full survives the power at any call of 300 seeds`() {
        let outcomes = Self.lives("power", 0..<300)
        for (seed, outcome) in outcomes.enumerated() {
            #expect(outcome.findings == [], "seed \(seed)")
            #expect(outcome.brokenPromises == 0, "seed \(seed)")
        }
        // Each of these must have happened, or the runs above show nothing.
        #expect(outcomes.contains { $0.lostRelaxed > 0 })
        #expect(outcomes.contains { $0.counters.tornWrites > 0 })
        #expect(outcomes.contains { $0.counters.lostWrites > 0 })
        #expect(outcomes.contains { $0.counters.lostFiles > 0 })
        #expect(outcomes.contains { $0.counters.truncates > 0 })
    }

    @Test func `what survived one failure of the power survives the next one, too`() throws {
        var torn = 0
        for seed in UInt64(4_000)..<4_300 {
            Disk.beginSeed(seed)
            defer { Disk.endSeed() }
            let home = DiskHome("twice", seed: seed)
            var store = try home.open()
            for _ in 0...home.random.below(5) { try home.transact(store, bytes: 50) }
            for _ in 0..<2 {
                // The power fails while the next transaction is appended to the log.
                home.disk.crash(atCall: 1 + home.random.below(3))
                try? home.transact(store, bytes: 50)
                home.disk.powerOff()
                home.disk.powerOn()
                store = try home.open()
                let last = try home.lastIntact(store)
                #expect(last >= home.promised, "seed \(seed)")
                home.resume(at: last)
            }
            torn += home.disk.counters.tornWrites
        }
        #expect(torn > 100)
    }

    @Test func `the same on a disk that spares the neighbours of what it tears`() {
        let outcomes = Self.lives("spares", 1_000..<1_150) { $0.sparesNeighbours = true }
        for (seed, outcome) in outcomes.enumerated() {
            #expect(outcome.findings == [], "seed \(seed + 1_000)")
            #expect(outcome.brokenPromises == 0, "seed \(seed + 1_000)")
        }
        #expect(outcomes.contains { $0.lostRelaxed > 0 })
    }

    @Test func `the death of the process alone loses nothing that committed`() {
        for outcome in Self.lives("death", 2_000..<2_100, .processDeath) {
            #expect(outcome.findings == [])
            #expect(outcome.brokenPromises == 0)
            #expect(outcome.lostRelaxed == 0)
            #expect(outcome.counters.kills == 4)
        }
    }

    @Test func `a disk that lies about its syncs is found out`() {
        let outcomes = Self.lives("lies", 3_000..<3_040) { $0.lies = true }
        #expect(outcomes.contains { $0.brokenPromises > 0 || !$0.findings.isEmpty })
        #expect(outcomes.contains { $0.brokenPromises > 0 })
        #expect(outcomes.contains { $0.counters.lies > 0 })
    }
}
