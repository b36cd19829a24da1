import LinnetSimulator

/// The deeds of a swarm so far.
struct Summary {
    let name: String
    var seeds = 0
    var failures = 0
    /// Seeds whose two runs differed.
    var unstable = 0
    var events = 0
    var thousandths: Int64 = 0
    var coverage = Coverage()
    var mailTraffic: CountedTraffic?
    /// The worst exit code of a seed.
    private var worst: Int32 = 0
    private var began = 0.0
    private var lasted: Double?

    init(name: String) { self.name = name }

    var seconds: Double { lasted ?? Interrupt.seconds - began }

    var exitCode: Int32 { unstable > 0 ? 2 : worst }

    mutating func begin() { began = Interrupt.seconds }

    mutating func finish() { lasted = Interrupt.seconds - began }

    mutating func add(_ answer: Worker.Answer) {
        seeds += 1
        events += answer.events
        thousandths += answer.thousandths
        coverage.add(answer.coverage)
        if let traffic = answer.mailTraffic {
            mailTraffic = mailTraffic ?? CountedTraffic()
            mailTraffic?.add(traffic)
        }
        guard answer.code != 0 else { return }
        failures += 1
        // A broken invariant weighs more than a fleet that did not converge.
        worst = worst == 2 ? 2 : answer.code
    }

    var json: String {
        let mail = mailTraffic.map { [("mailbox", JSONLine.Value.encoded($0.json))] } ?? []
        let object = JSONLine.object(
            [
                ("scenario", .text(name)), ("seeds", .number(Int64(seeds))),
                ("failures", .number(Int64(failures))), ("unstable", .number(Int64(unstable))),
                ("events", .number(Int64(events))), ("deviceYears", .thousandths(thousandths)),
                ("seconds", .thousandths(Int64(seconds * 1_000))),
                (
                    "faults",
                    .encoded(Self.counts(FaultKind.allCases.map(\.rawValue), coverage.faults))
                ),
                (
                    "states",
                    .encoded(Self.counts(ProtocolState.allCases.map(\.rawValue), coverage.states))
                ),
            ] + mail)
        return JSONLine.object([("summary", .encoded(object))])
    }

    var text: String {
        let rate = seconds > 0 ? Int(Double(events) / seconds) : 0
        let happened = coverage.faults.count { $0 > 0 }
        let reached = coverage.states.count { $0 > 0 }
        return """
            \(name): \(seeds) seeds, \(failures) failures\
            \(unstable > 0 ? ", \(unstable) not deterministic" : "")
            \(events) events, \(Text.decimal(thousandths)) device-years, \
            \(Text.decimal(Int64(seconds * 1_000))) s, \(rate) events per second
            \(happened) of \(coverage.faults.count) faults, \
            \(reached) of \(coverage.states.count) states\
            \(mailTraffic.map { "\n\($0.requests) requests to mailboxes" } ?? "")
            """
    }

    private static func counts(_ names: [String], _ counts: [Int]) -> String {
        JSONLine.object(zip(names, counts).map { ($0, .number(Int64($1))) })
    }
}
