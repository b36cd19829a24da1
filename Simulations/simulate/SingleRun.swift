import Glibc
import LinnetSimulator

/// One seed in this process.
enum SingleRun {
    /// The runs that the story of a failure may take when nobody asked for more.
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
        let file = try storyFile(options)
        if isJSON { Terminal.note(Versions.line) } else { Terminal.line(Versions.line) }
        let recorded = file.map { _ in scenario.record(seed: seed) }
        let outcome = recorded?.outcome ?? scenario.run(seed: seed)
        Terminal.line(isJSON ? outcome.json : outcome.report(scenario))
        var story = recorded
        let tells = minimises || !isJSON && !options.has("no-shrink")
        if outcome.complaint != nil, tells {
            let shrunken = scenario.minimise(
                seed: seed, runs: runs ?? (minimises ? 400 : quickRuns))
            Terminal.line(isJSON ? shrunken.json : shrunken.report)
            if minimises { story = shrunken.recorded }
        } else if outcome.complaint != nil, !isJSON {
            Terminal.line(outcome.statesReport)
        }
        return code(outcome, file, story)
    }

    private static func storyFile(_ options: Options) throws(Options.WrongUsage) -> StoryFile? {
        guard let path = options.text("html") else { return nil }
        return try StoryFile(path)
    }

    /// Writes the story, if there is to be one; the code of the run, or 1 when only that failed.
    private static func code(
        _ outcome: Outcome, _ file: StoryFile?, _ story: RecordedStory?
    ) -> Int32 {
        guard let file, let story else { return outcome.exitCode }
        let isWritten = file.write(story)
        return outcome.exitCode == 0 && !isWritten ? 1 : outcome.exitCode
    }

    /// Runs a seed and writes down everything that happens.
    static func replay(_ options: Options) throws(Options.WrongUsage) -> Int32 {
        let scenario = try SimulateCommand.scenario(options)
        guard let seed = try options.seed("replay") else { return 1 }
        let path = options.text("trace")
        guard path != nil || options.has("html") else {
            throw .init(message: "--replay needs --trace FILE or --html FILE")
        }
        let page = try storyFile(options)
        let file = try path.map { path throws(Options.WrongUsage) in try traceFile(path) }
        let recorded = page.map { _ in scenario.record(seed: seed, line: file?.line) }
        let outcome = recorded?.outcome ?? scenario.run(seed: seed, line: file?.line)
        file?.flush()
        let text = options.has("json") ? outcome.json : outcome.report(scenario)
        if path == "-" { Terminal.note(text) } else { Terminal.line(text) }
        return code(outcome, page, recorded)
    }

    private static func traceFile(_ path: String) throws(Options.WrongUsage) -> TraceFile {
        if let file = TraceFile(path) { return file }
        throw .init(message: "cannot write '\(path)': \(unsafe String(cString: strerror(errno)))")
    }
}

/// The file of a trace, written a piece at a time.
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
