import Glibc
import LinnetSimulator

/// Speed of simulations, and whether memory stays flat.
enum Bench {
    /// Device-years per CPU second, with the real store and with the model of it.
    private static let bars: [(StoreKind, Int64)] = [(.sqlite, 500), (.model, 3_000)]
    /// A year of the household is shortened when it would take longer than this.
    private static let longestSeconds = 8.0
    private static let runs: UInt64 = 5

    private struct Speed {
        let store: StoreKind
        let days: Int
        let yearsPerSecond: Double
        let eventsPerSecond: Double
        let bar: Int64
        var isBelow: Bool { yearsPerSecond * 1_000 < Double(bar) }
    }

    static func run(json: Bool) -> Int32 {
        if json { Terminal.note(Versions.line) } else { Terminal.line(Versions.line) }
        for (store, bar) in bars {
            let speed = measure(store, bar)
            Terminal.line(json ? self.json(speed) : text(speed))
        }
        let (early, late) = memory()
        let ratio = Double(late) / Double(max(early, 1))
        let isFlat = ratio <= 1.1
        let line = JSONLine.object([
            ("bench", .text("memory")), ("kilobytesAtSeed100", .number(Int64(early))),
            ("kilobytesAtSeed1000", .number(Int64(late))),
            ("ratio", .thousandths(Int64(ratio * 1_000))), ("bar", .thousandths(1_100)),
            ("met", .encoded("\(isFlat)")),
        ])
        Terminal.line(
            json
                ? line
                : "memory   \(early) kB at seed 100, \(late) kB at seed 1,000: "
                    + "\(Text.decimal(ratio)) times; bar 1.10: "
                    + (isFlat ? "met" : "above the bar"))
        return 0
    }

    private static func text(_ speed: Speed) -> String {
        let name = speed.store.rawValue
        return name + String(repeating: " ", count: 9 - name.utf8.count)
            + "\(Text.decimal(speed.yearsPerSecond)) device-years and "
            + "\(Int(speed.eventsPerSecond)) events per CPU second, median of \(runs) runs of "
            + "\(speed.days) days; bar \(Text.decimal(speed.bar)): "
            + (speed.isBelow ? "below the bar" : "met")
    }

    private static func json(_ speed: Speed) -> String {
        JSONLine.object([
            ("bench", .text(speed.store.rawValue)), ("days", .number(Int64(speed.days))),
            ("runs", .number(Int64(runs))),
            (
                "deviceYearsPerCPUSecond", .thousandths(Int64(speed.yearsPerSecond * 1_000))
            ),
            ("eventsPerCPUSecond", .number(Int64(speed.eventsPerSecond))),
            ("bar", .thousandths(speed.bar)), ("met", .encoded("\(!speed.isBelow)")),
        ])
    }

    private static func measure(_ store: StoreKind, _ bar: Int64) -> Speed {
        var scenario = Scenario.household
        scenario.store = store
        scenario.usesRealCrypto = false
        scenario.days = 20...20
        let probe = time(scenario, seed: runs + 1)
        let year = probe.seconds * 365 / 20
        let days = year > longestSeconds ? max(20, Int(365 * longestSeconds / year)) : 365
        scenario.days = days...days
        let all = (1...runs).map { time(scenario, seed: $0) }
        func median(_ amount: (Outcome) -> Double) -> Double {
            all.map { amount($0.outcome) / max($0.seconds, 1e-6) }.sorted()[all.count / 2]
        }
        return Speed(
            store: store, days: days,
            yearsPerSecond: median { Double($0.milliseconds) / (365 * 86_400_000) },
            eventsPerSecond: median { Double($0.events) }, bar: bar)
    }

    private static func time(
        _ scenario: Scenario, seed: UInt64
    ) -> (outcome: Outcome, seconds: Double) {
        let before = cpuSeconds()
        let outcome = scenario.run(seed: seed)
        if let complaint = outcome.complaint { Terminal.note("seed \(seed) failed: \(complaint)") }
        return (outcome, cpuSeconds() - before)
    }

    /// Resident kilobytes after a hundred short seeds, and after a thousand.
    private static func memory() -> (Int, Int) {
        var scenario = Scenario.household
        scenario.devices = 2...3
        scenario.days = 1...1
        scenario.faults = FaultKind.ofFleets.filter { $0 != .importInParts }
        var early = 0
        for seed in UInt64(1)...1_000 {
            _ = scenario.run(seed: seed)
            if seed == 100 { early = residentKilobytes() }
        }
        return (early, residentKilobytes())
    }

    /// User and system time of this process.
    private static func cpuSeconds() -> Double {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func residentKilobytes() -> Int {
        let words = TextFile.read("/proc/self/statm")?.split(separator: " ") ?? []
        let pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_024
    }
}
