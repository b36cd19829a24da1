import Glibc
import LinnetSimulator

extension Swarm {
    /// Runs seeds of one scenario, or of all in turn.
    static func run(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        guard let count = try options.count("swarm") else { return 1 }
        let name = options.text("scenario") ?? "mixed"
        let isEverything = name == "all"
        let names = isEverything ? Jobs.turns : [try SimulateCommand.scenario(options).name]
        let jobs = Jobs(scenarios: names, from: try options.seed("from") ?? 1, count: count)
        let swarm = Swarm(
            jobs, name: name, workers: try workers(options), isJSON: options.has("json"),
            stopsAtFirstFailure: options.has("stop-at-first-failure"),
            seconds: try options.count("seconds"))
        let code = swarm.runAndTell()
        guard options.has("coverage") else { return code }
        let report = CoverageReport(names, swarm.summary.coverage)
        Terminal.line(swarm.isJSON ? report.json : report.text)
        return code == 0 && !report.missing.isEmpty ? 3 : code
    }

    /// Runs the seeds that once found something.
    static func runRegressions(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        let path = options.text("regressions") ?? ""
        guard let text = TextFile.read(path) else {
            throw .init(
                message: "cannot read '\(path)': \(unsafe String(cString: strerror(errno)))")
        }
        let swarm = Swarm(
            Jobs(try Jobs.reading(text)), name: "regressions", workers: try workers(options),
            isJSON: options.has("json"),
            stopsAtFirstFailure: options.has("stop-at-first-failure"))
        return swarm.runAndTell()
    }

    private func runAndTell() -> Int32 {
        if isJSON { Terminal.note(Versions.line) } else { Terminal.line(Versions.line) }
        let code = run()
        Terminal.line(isJSON ? summary.json : summary.text)
        return code
    }

    private static func workers(_ options: Options) throws(Options.WrongUsage) -> Int {
        try options.count("jobs", 1_024) ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
