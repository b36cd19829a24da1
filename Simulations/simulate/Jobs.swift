import LinnetSimulator

/// One seed of a scenario that a swarm runs.
struct Job: Equatable {
    var scenario: String
    var seed: UInt64
}

/// The jobs of a swarm, in order.
struct Jobs {
    let count: Int
    private let list: [Job]
    private let scenarios: [String]
    private let from: UInt64

    /// Seeds one after the other; several scenarios take turns.
    init(scenarios: [String], from: UInt64, count: Int) {
        self.count = count
        self.scenarios = scenarios
        self.from = from
        list = []
    }

    init(_ list: [Job]) {
        self.list = list
        count = list.count
        scenarios = []
        from = 0
    }

    subscript(index: Int) -> Job {
        guard list.isEmpty else { return list[index] }
        return Job(
            scenario: scenarios[index % scenarios.count], seed: from &+ UInt64(index))
    }

    /// The scenarios that must pass, "mixed" before each of the others.
    static var turns: [String] {
        Scenario.all.map(\.name)
            .filter { !["mixed", "household", "canary"].contains($0) }
            .flatMap { ["mixed", $0] }
    }

    /// Reads the lines of a file of regressions.
    static func reading(_ text: String) throws(Options.WrongUsage) -> [Job] {
        var jobs: [Job] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let content = line.split(separator: "#", omittingEmptySubsequences: false)[0]
            let words = content.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            guard words.count == 2, let seed = UInt64(words[1]),
                Scenario.named(String(words[0])) != nil
            else {
                throw .init(message: "line \(number + 1) is not 'scenario seed # what it found'")
            }
            jobs.append(Job(scenario: String(words[0]), seed: seed))
        }
        return jobs
    }
}
