import Foundation
import LinnetSimulator
import Testing

struct DiskTests {
    /// What a run of some lives leaves: every byte of every file and every count.
    private static func run(_ seed: UInt64) -> DiskHome.Outcome {
        Disk.beginSeed(seed)
        defer { Disk.endSeed() }
        return DiskHome("same", seed: seed).live(4, endingIn: .powerFailure)
    }

    @Test func `a seed gives the same bytes and calls each time`() async {
        await #expect(processExitsWith: .success) {
            for seed in 0..<10 as Range<UInt64> {
                let (first, second) = (DiskTests.run(seed), DiskTests.run(seed))
                #expect(first.image == second.image)
                #expect(first.counters == second.counters)
                #expect(first.image != DiskTests.run(seed + 100).image)
            }
        }
    }

    @Test func `a seed gives the same bytes and calls in each process`() async throws {
        var prints: [[UInt8]] = []
        for _ in 0..<2 {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) {
                var digest: UInt64 = 0
                for seed in 0..<10 as Range<UInt64> {
                    let outcome = DiskTests.run(seed)
                    for file in outcome.image.files {
                        for byte in file.bytes { digest = digest &* 0x100_0000_01b3 ^ UInt64(byte) }
                    }
                    digest = digest &* 31 &+ UInt64(outcome.counters.calls)
                }
                FileHandle.standardOutput.write(Data("digest \(digest)\n".utf8))
            }
            let output = try #require(result).standardOutputContent
            let lines = output.split(separator: 10)
            prints.append(
                Array(try #require(lines.first { $0.starts(with: Array("digest".utf8)) })))
        }
        #expect(prints[0] == prints[1])
    }

    @Test func `a disk counts what it is asked and its path is its own`() throws {
        let home = DiskHome("count", seed: 1)
        #expect(home.disk.path("store") == "/\(home.disk.name)/store")
        let store = try home.open()
        let before = home.disk.counters
        try home.transact(store)
        #expect(home.disk.counters.syncs == before.syncs + 1)
        #expect(home.disk.counters.writes > before.writes)
        #expect(home.disk.counters.calls > before.calls)
    }

    @Test func `a name is free again when its disk is gone`() {
        for _ in 0..<3 {
            let disk = Disk(name: "brief", random: SeededRandom(seed: 1))
            #expect(disk.image().files.isEmpty)
        }
    }
}
