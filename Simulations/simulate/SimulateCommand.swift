import LinnetSimulator

/// The program: finds out what its words ask for, and does it.
enum SimulateCommand {
    /// The hidden word that makes this process a worker of a swarm.
    static let workerWord = "--worker"

    /// Returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        if words == [workerWord] { return Worker.run() }
        do throws(Options.WrongUsage) {
            return try perform(Options(words))
        } catch {
            Terminal.note("simulate: \(error.message)\nSee 'simulate --help'.")
            return 1
        }
    }

    private static func perform(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        if options.has("help") {
            Terminal.line(help)
            return 0
        }
        try check(options)
        if options.has("list") { return Listing.run(json: options.has("json")) }
        if options.has("bench") { return Bench.run(json: options.has("json")) }
        if options.has("regressions") { return try Swarm.runRegressions(options) }
        if options.has("swarm") { return try Swarm.run(options) }
        if options.has("replay") { return try SingleRun.replay(options) }
        return try SingleRun.run(options)
    }

    /// Checks that the options go together: one deed, and only the options that it understands.
    private static func check(_ options: Options) throws(Options.WrongUsage) {
        let deeds: [(String, [String])] = [
            ("list", []), ("bench", []), ("regressions", ["jobs", "stop-at-first-failure"]),
            (
                "swarm",
                ["scenario", "from", "jobs", "seconds", "stop-at-first-failure", "coverage"]
            ), ("replay", ["scenario", "trace", "html"]),
            ("seed", ["scenario", "days", "store", "minimise", "runs", "no-shrink", "html"]),
        ]
        let asked = deeds.filter { options.has($0.0) }
        guard let (deed, allowed) = asked.first else {
            throw .init(message: "say what to do: --seed N, --swarm K, --list or --help")
        }
        guard asked.count == 1 else {
            throw .init(message: "--\(asked[0].0) and --\(asked[1].0) do not go together")
        }
        for option in Options.all where options.has(option.name) && option.name != deed {
            guard allowed.contains(option.name) || option.name == "json" else {
                throw .init(message: "--\(option.name) does not go with --\(deed)")
            }
        }
    }

    /// The scenario that the options name.
    static func scenario(_ options: Options) throws(Options.WrongUsage) -> Scenario {
        let name = options.text("scenario") ?? "mixed"
        guard var scenario = Scenario.named(name) else {
            let hint = Suggestion.hint(for: name, among: Scenario.all.map(\.name))
            throw .init(message: "there is no scenario '\(name)'\(hint)")
        }
        if let days = try options.count("days", 10_000) { scenario.days = days...days }
        if let name = options.text("store") {
            guard let store = StoreKind(rawValue: name) else {
                throw .init(message: "--store must be sqlite or model, not '\(name)'")
            }
            scenario.store = store
        }
        return scenario
    }

    private static var help: String {
        let width = 32
        let lines = Options.all.map { option in
            let usage = "--\(option.name)" + (option.value.map { " " + $0 } ?? "")
            return "  \(usage)"
                + String(repeating: " ", count: max(2, width - usage.utf8.count)) + option.help
        }
        return """
            simulate: plays months of a fleet of devices from one number, and checks invariants.

            simulate --scenario S --seed N [--json] [--minimise [--runs R] | --no-shrink]
            simulate --scenario S --swarm K [--from N] [--jobs J] [--seconds S] [--coverage]
            simulate --scenario S --seed N --html FILE [--minimise [--runs R]]
            simulate --scenario S --replay SEED --trace FILE [--html FILE]
            simulate --regressions FILE | --bench | --list

            \(lines.joined(separator: "\n"))

            Exit codes: 0 fine, 1 wrong usage, 2 an invariant broke, 3 the healed fleet did not
            converge or, with --coverage, something never happened. In a swarm, a process that
            dies (a trap) counts as I19 broken, and one seed with two trace hashes is an error:
            both 2.
            """
    }
}
