import Glibc
import LinnetSimulator

/// One seed in this process.
enum SingleRun {
    /// How many runs the story of a failure may take when nobody asked for more.
    private static let quickRuns = 60

    static func run(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        let scenario = try SimulateCommand.scenario(options)
        guard let seed = try options.seed("seed") else { return 1 }
        let isJSON = options.has("json")
        let runs = try options.count("runs")
        let minimises = options.has("minimise")
        if runs != nil, !minimises {
            throw .init(message: "--runs goes with --minimise")
        }
        if minimises, options.has("no-shrink") {
            throw .init(message: "--minimise and --no-shrink do not go together")
        }
        if isJSON { Terminal.note(Versions.line) } else { Terminal.line(Versions.line) }
        let outcome = scenario.run(seed: seed)
        Terminal.line(isJSON ? outcome.json : outcome.report(scenario))
        let tells = minimises || !isJSON && !options.has("no-shrink")
        if outcome.complaint != nil, tells {
            let shrunken = scenario.minimise(
                seed: seed, runs: runs ?? (minimises ? 400 : quickRuns))
            Terminal.line(isJSON ? shrunken.json : shrunken.report)
        } else if outcome.complaint != nil, !isJSON {
            Terminal.line(outcome.statesReport)
        }
        return outcome.exitCode
    }

    /// Runs a seed and writes down everything that happens.
    static func replay(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        let scenario = try SimulateCommand.scenario(options)
        guard let seed = try options.seed("replay") else { return 1 }
        guard let path = options.text("trace") else {
            throw .init(message: "--replay needs --trace FILE")
        }
        guard let file = TraceFile(path) else {
            throw .init(
                message: "cannot write '\(path)': \(unsafe String(cString: strerror(errno)))")
        }
        let outcome = scenario.run(seed: seed, line: file.line)
        file.flush()
        let text = options.has("json") ? outcome.json : outcome.report(scenario)
        if path == "-" { Terminal.note(text) } else { Terminal.line(text) }
        return outcome.exitCode
    }
}

/// Where a trace goes, a piece at a time.
final class TraceFile {
    private let descriptor: Int32
    private var waiting = ""

    init?(_ path: String) {
        descriptor =
            path == "-" ? 1 : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { return nil }
    }

    deinit { if descriptor > 2 { close(descriptor) } }

    func line(_ text: String) {
        waiting += text + "\n"
        if waiting.utf8.count > 65_536 { flush() }
    }

    func flush() {
        Terminal.write(waiting, to: descriptor)
        waiting = ""
    }
}
