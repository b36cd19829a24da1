import Linnet
import LinnetAPI
import LinnetBench
import LinnetControl
import LinnetSystem

/// `linnet bench --workload`: runs the workloads that every peer is measured with.
enum WorkloadBench {
    static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let (workloads, exchanges) = try workloads(arguments.values("workload"))
        let place = try place(arguments, isUsed: !exchanges.isEmpty)
        var rounds = 5
        if let text = arguments.value("rounds") {
            guard let given = Int(text), (1...100).contains(given) else {
                throw .usage("--rounds takes a whole number from 1 to 100")
            }
            rounds = given
        }
        let before = try arguments.value("against").map { (path) throws(ControlFailure) in
            try lines(in: try FileText.read(path), of: path)
        }
        let directory = try TemporaryDirectory(
            "linnet-bench", in: arguments.value("dir") ?? "/tmp")
        defer { directory.remove() }
        let output = invocation.output
        var run = BenchRun(
            in: directory.path, rounds: rounds, helper: BenchChild.program,
            progress: { output.note($0, .info) })
        do {
            for workload in workloads { try run.run(workload) }
        } catch {
            throw .failed("the measurement failed: \(error)")
        }
        var figures = run.report.lines
        if !exchanges.isEmpty {
            figures += try await measure(exchanges, place, in: directory.path, rounds, output)
        }
        report(figures, output)
        if let before { try compare(figures, before, output) }
    }

    private static func measure(
        _ workloads: [MailboxBench.Workload],
        _ place: (address: String, account: MailboxCredentials?)?, in directory: String,
        _ rounds: Int, _ output: Output
    ) async throws(ControlFailure) -> [BenchLine] {
        var lines: [BenchLine] = []
        for workload in workloads {
            // Groups that share a place read each other's heads in vain.
            let folder = try TemporaryDirectory("mailbox", in: directory)
            var bench = MailboxBench(
                in: directory, at: place?.address ?? "folder:\(folder.path)", place?.account,
                rounds: rounds, progress: { output.note($0, .info) })
            do {
                try await bench.run(workload)
            } catch let error as ControlFailure {
                throw error
            } catch let error as LinnetError {
                throw ControlFailure(error)
            } catch {
                throw .failed("the measurement failed: \(error)")
            }
            lines += bench.lines
        }
        return lines
    }

    /// Returns the store that the options name; nil for a folder of the bench's own.
    private static func place(
        _ arguments: Arguments, isUsed: Bool
    ) throws(ControlFailure) -> (address: String, account: MailboxCredentials?)? {
        guard let address = arguments.value("mailbox") else {
            try MailboxAccount.refuse(arguments, for: "--mailbox")
            return nil
        }
        guard isUsed else { throw .usage("--mailbox belongs to the workloads M1 to M3") }
        do throws(MailboxError) {
            try MailboxAddress.refuseSecrets(in: address)
        } catch {
            throw .failed(error.description)
        }
        return (address, try MailboxAccount.read(arguments, for: address))
    }

    /// Returns the workloads that the words name, in the order of the workloads; "all" names those
    /// without a store.
    static func workloads(
        _ names: [String]
    ) throws(ControlFailure) -> ([BenchRun.Workload], [MailboxBench.Workload]) {
        let words = names.flatMap { $0.split(separator: ",").map(String.init) }
        let (all, exchanges) = (BenchRun.Workload.allCases, MailboxBench.Workload.allCases)
        let known = ["all"] + all.map(\.rawValue) + exchanges.map(\.rawValue)
        for word in words where !known.contains(word) {
            throw .usage(
                "there is no workload '\(TerminalText.neutral(word))': W1 to W10, all, M1 to M3")
        }
        return (
            all.filter { words.contains("all") || words.contains($0.rawValue) },
            exchanges.filter { words.contains($0.rawValue) }
        )
    }

    private static func report(_ lines: [BenchLine], _ output: Output) {
        if output.isJSON {
            for line in lines { output.result(json(line), "") }
            return
        }
        let width = lines.reduce(0) { max($0, $1.peer.count) }
        for line in lines {
            let peer = line.peer + String(repeating: " ", count: width - line.peer.count)
            output.result(.null, "\(line.workload)  \(peer)  \(line.metric): \(number(line.value))")
        }
    }

    /// Writes a line in the form that every peer's driver prints.
    static func json(_ line: BenchLine) -> JSON {
        .object([
            JSON.Member("peer", .text(line.peer)), JSON.Member("workload", .text(line.workload)),
            JSON.Member("metric", .text(line.metric)),
            JSON.Member("value", .number(number(line.value))),
        ])
    }

    /// Writes a number with six digits, which are more than such a measurement knows.
    static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "0" }
        var scale = 1.0
        var digits = 0
        while value.magnitude * scale < 1e5, digits < 9, value != 0 {
            scale *= 10
            digits += 1
        }
        let whole = Int64((value * scale).rounded())
        guard digits > 0 else { return String(whole) }
        var text = String(whole.magnitude)
        text = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        var fraction = text.suffix(digits)
        while fraction.last == "0" { fraction.removeLast() }
        let sign = whole < 0 ? "-" : ""
        return sign + text.dropLast(digits) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Reads the figures of an earlier run.
    static func lines(
        in bytes: [UInt8], of path: String
    ) throws(ControlFailure) -> [BenchLine] {
        var lines: [BenchLine] = []
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let json = try? JSONReader.read(Array(text)), let peer = json["peer"]?.string,
                let workload = json["workload"]?.string, let metric = json["metric"]?.string,
                case .number(let digits)? = json["value"], let value = Double(digits)
            else { throw .failed("\(path) is no output of 'bench --workload --json'") }
            lines.append(BenchLine(peer: peer, workload: workload, metric: metric, value: value))
        }
        return lines
    }

    static func compare(
        _ now: [BenchLine], _ before: [BenchLine], _ output: Output
    ) throws(ControlFailure) {
        let changes = BenchComparison(of: now, against: before).changes
        guard !changes.isEmpty else { throw .failed("the runs have no ratio in common") }
        var worse = 0
        for change in changes {
            let line = change.line
            let words = "\(line.workload) \(line.metric): \(number(change.before)) before, "
            let verdict = change.isWorse ? ", worse" : ""
            output.note(words + number(line.value) + " now" + verdict, .info)
            if change.isWorse { worse += 1 }
        }
        if worse > 0 { throw .failed("\(worse) of \(changes.count) ratios fell by over 20 %") }
    }
}
