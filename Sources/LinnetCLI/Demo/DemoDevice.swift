import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One of the demonstration's devices: a home, and the `run` that serves it.
final class DemoDevice {
    /// The state of a device and its connections, as its node tells them.
    struct View {
        var digest = ""
        var records: [RecordView] = []
        var connected: [String] = []
        var batches: UInt64 = 0
        var batchBytes: UInt64 = 0
    }

    let name: String
    let kind: String
    let home: String
    /// True when it uses the companion link alone, as a watch must: neither sockets nor mDNS.
    let isSocketless: Bool
    private(set) var view = View()
    private let stage: DemoStage
    /// The name under which its address is known, which no device of another group has.
    let place: String
    /// The port at which it listens, once it runs.
    private(set) var port: String?
    private let hasLink: Bool
    /// The directory that stands in for the system's own link between phone and watch.
    private let companionLink: String
    private(set) var process: ChildProcess?
    private var commands = 0

    /// - Parameters:
    ///   - place: begins the paths of devices in a group of their own; nil for those of the day.
    ///   - hasLink: false for a phone or a watch that meets the others over the network alone.
    init(
        _ name: String, kind: String, isSocketless: Bool = false, place: String? = nil,
        hasLink: Bool = true, stage: DemoStage
    ) {
        self.name = name
        self.kind = kind
        self.isSocketless = isSocketless
        self.stage = stage
        let prefix = place.map { $0 + "-" } ?? ""
        self.place = prefix + kind
        self.hasLink = hasLink && kind != "laptop"
        home = "\(stage.paths.directory.path)/\(prefix)\(kind)"
        companionLink = stage.companionLink + (place.map { "-" + $0 } ?? "")
    }

    var isRunning: Bool { process != nil }

    /// The options with which a command reaches the phone or the watch.
    var linkOptions: [String] {
        hasLink ? ["--companion-link", companionLink] : []
    }

    /// Starts `linnet run` and waits until it is ready.
    func start(_ tick: () async -> Void) async throws(ControlFailure) {
        let output = "\(home).run.jsonl"
        let network =
            isSocketless
            ? [] : ["--listen", stage.listen] + stage.discoveryOptions + stage.peers
        let process = try launch(
            ["run", "--json"] + network + linkOptions, output: output)
        self.process = process
        let ready = try await waitForLine(in: output, of: process, tick)
        port = ready["port"]?.line
        if let port { stage.add(port: port, of: place) }
    }

    /// Ends `linnet run` as Ctrl-C would.
    func stop(_ tick: () async -> Void) async throws(ControlFailure) {
        guard let process else { return }
        process.signal(SIGTERM)
        let code = try await wait(for: process, tick)
        self.process = nil
        view.connected = []
        if code != 0 { throw .failed("'linnet run' of \(name) ended with exit code \(code)") }
    }

    /// Runs a command to its end, and returns the JSON objects that it wrote.
    @discardableResult
    func command(
        _ words: [String], _ tick: () async -> Void
    ) async throws(ControlFailure) -> [JSON] {
        let output = nextOutput()
        let process = try launch(words + ["--json"], output: output)
        return try await finish(process, words, output, tick)
    }

    /// Runs a command to its end, and returns the lines that it wrote for people.
    func text(
        _ words: [String], _ tick: () async -> Void
    ) async throws(ControlFailure) -> [String] {
        let output = nextOutput()
        let process = try launch(words, output: output)
        try await finish(process, words, output, tick)
        let bytes = (try? FileText.read(output)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    /// Starts a command that goes on; returns it, the path of its output and the first object in
    /// that.
    func begin(
        _ words: [String], _ tick: () async -> Void
    ) async throws(ControlFailure) -> (process: ChildProcess, output: String, first: JSON) {
        let output = nextOutput()
        let process = try launch(words + ["--json"], output: output)
        return (process, output, try await waitForLine(in: output, of: process, tick))
    }

    /// Runs a command that goes on, and ends it once it wrote an event of this name.
    func waitFor(
        _ event: String, of words: [String], _ tick: () async -> Void
    ) async throws(ControlFailure) {
        let (process, output, _) = try await begin(words, tick)
        while !Self.objects(in: output).contains(where: { $0["event"]?.string == event }) {
            try await stage.pause()
            await tick()
        }
        process.signal(SIGTERM)
        _ = try await wait(for: process, tick)
    }

    /// Waits for the end of a command, and returns the objects that it wrote; throws when it
    /// failed.
    @discardableResult
    func finish(
        _ process: ChildProcess, _ words: [String], _ output: String, _ tick: () async -> Void
    ) async throws(ControlFailure) -> [JSON] {
        let code = try await wait(for: process, tick)
        guard code == 0 else {
            throw .failed(
                "'linnet \(words.joined(separator: " "))' on \(name) ended with exit code \(code): "
                    + Self.reason(in: "\(output).err"))
        }
        return Self.objects(in: output)
    }

    /// Asks the node for its state; the last answer stays while it does not run.
    func look() async {
        guard isRunning else { return }
        let patience: Int32 = 2_000
        var seen = View()
        do {
            guard let client = try ControlClient.ifListening(at: home) else { return }
            seen.digest = try client.ask(DigestRequest(), within: patience).digest.description
            let status = try client.ask(StatusRequest(), within: patience)
            seen.connected = status.members.filter(\.isConnected).map(\.name)
            seen.batches = status.batches
            seen.batchBytes = status.batchBytes
            seen.records = try client.ask(ListRequest(Schema.medication.id), within: patience)
            view = seen
        } catch {
            // A node that is busy or about to end is asked again a moment later.
            return
        }
    }

    /// Kills the process at once.
    func abandon() {
        process?.signal(SIGKILL)
    }

    private func launch(_ words: [String], output: String) throws(ControlFailure) -> ChildProcess {
        let child = try ChildProcess(
            [stage.paths.program] + words + ["--home", home], environment: stage.environment,
            output: output, error: "\(output).err")
        stage.children.append(child)
        return child
    }

    private func nextOutput() -> String {
        commands += 1
        return "\(home).\(commands).jsonl"
    }

    private func wait(
        for process: ChildProcess, _ tick: () async -> Void
    ) async throws(ControlFailure) -> Int32 {
        while true {
            if let code = process.result() { return code }
            try await stage.pause()
            await tick()
        }
    }

    private func waitForLine(
        in output: String, of process: ChildProcess, _ tick: () async -> Void
    ) async throws(ControlFailure) -> JSON {
        while true {
            if let first = Self.objects(in: output).first { return first }
            if process.result() != nil {
                throw .failed("\(name) stopped too early: " + Self.reason(in: "\(output).err"))
            }
            try await stage.pause()
            await tick()
        }
    }

    /// Returns the reason of a failed command, without the JSON around it.
    private static func reason(in path: String) -> String {
        if let message = objects(in: path).last?["message"]?.string { return message }
        let bytes = (try? FileText.read(path)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func objects(in path: String) -> [JSON] {
        let bytes = (try? FileText.read(path)) ?? []
        // The last line may not be complete yet.
        guard let end = bytes.lastIndex(of: 0x0a) else { return [] }
        return bytes[..<end].split(separator: 0x0a).compactMap { try? JSONReader.read(Array($0)) }
    }
}
