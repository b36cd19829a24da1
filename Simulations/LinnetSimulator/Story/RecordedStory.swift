import LinnetWire

/// Everything that a page shows of one run.
package struct RecordedStory: Sendable {
    /// The sizes of a plan before and after it was shrunk.
    struct Shrinking: Sendable {
        let actionsBefore: Int
        let actionsLeft: Int
        let runs: Int
    }

    let items: [StoryItem]
    let chains: [StoryChain]
    let chainsLeftOut: Int
    let leftOut: [StoryItem.Kind: Int]
    /// The outcome of the run.
    package let outcome: Outcome
    let scenario: Scenario
    let shrinking: Shrinking?
    /// Every record that some device showed, as far as the items name them.
    private let records: Set<String>

    init(
        _ recorder: StoryRecorder, outcome: Outcome, scenario: Scenario, shrinking: Shrinking? = nil
    ) {
        var shelf = recorder.shelf
        if let broken = Self.broken(outcome, at: recorder.now) { shelf.add(broken) }
        items = shelf.finish()
        chains = recorder.chains.entries
        chainsLeftOut = recorder.chains.leftOut.count
        leftOut = shelf.leftOut
        records = Set(items.flatMap(\.records).map { String($0.prefix { $0 != ":" }) })
        self.outcome = outcome
        self.scenario = scenario
        self.shrinking = shrinking
    }

    private static func broken(_ outcome: Outcome, at time: Int64) -> StoryItem? {
        switch outcome.result {
        case .ok: nil
        case .invariant(let violation):
            StoryItem(
                .broken, time, violation.devices.first, to: violation.devices.dropFirst().first,
                "\(violation.invariant.rawValue) is broken: \(violation.message)",
                why: violation.invariant.sentence)
        case .liveness(let message, let devices):
            StoryItem(
                .broken, time, devices.first, to: devices.dropFirst().first,
                "The healed fleet did not converge: \(message)",
                why: Invariant.convergence.sentence)
        }
    }

    /// The story as JSON that may stand in a script element, one item a line.
    ///
    /// - Parameter program: the versions that the run depends on.
    package func json(program: String) -> String {
        let head: [(String, JSONLine.Value)] = [
            ("format", .number(1)), ("program", .text(program)),
            ("scenario", .text(scenario.name)), ("sentence", .text(scenario.sentence)),
            ("seed", .text(String(outcome.seed))),
            ("crypto", .text(outcome.usesRealCrypto ? "libsodium" : "stand-in")),
            ("traceHash", .text(String(outcome.traceHash, radix: 16))),
            ("events", .number(Int64(outcome.events))),
            ("milliseconds", .number(outcome.milliseconds)),
            ("verdict", verdict), ("shrunk", shrunk), ("leftOut", leftOutCounts),
            ("chains", list(chains.map { Self.encoded($0) })),
        ]
        let lines = items.map { Self.encoded($0) }.joined(separator: ",\n")
        return Self.inert(String(JSONLine.object(head).dropLast()) + ",\"items\":[\n\(lines)\n]}")
    }

    /// JSON in which nothing can end the element around it or a line of a script.
    static func inert(_ json: String) -> String {
        var text = ""
        text.reserveCapacity(json.utf8.count)
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<": text += "\\u003c"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    // MARK: Parts

    private var verdict: JSONLine.Value {
        let (kind, code, message, sentence, devices): (String, String, String, String, [Int])
        switch outcome.result {
        case .ok: return .encoded(JSONLine.object([("kind", .text("ok"))]))
        case .invariant(let broken):
            (kind, code, message) = ("invariant", broken.invariant.rawValue, broken.message)
            (sentence, devices) = (broken.invariant.sentence, broken.devices)
        case .liveness(let text, let involved):
            (kind, code, message) = ("liveness", Invariant.convergence.rawValue, text)
            (sentence, devices) = (Invariant.convergence.sentence, involved)
        }
        return .encoded(
            JSONLine.object([
                ("kind", .text(kind)), ("code", .text(code)),
                ("message", .text(message)), ("sentence", .text(sentence)),
                ("devices", list(devices.map(String.init))),
                ("records", list(named(in: message).map { JSONLine.encoded(.text($0)) })),
                ("authors", list(authors(in: message).map(String.init))),
                ("states", list(outcome.states.map { JSONLine.encoded(.text($0)) })),
            ]))
    }

    /// The records whose names stand in a text.
    private func named(in text: String) -> [String] {
        let words = Set(text.split { !($0.isLetter || $0.isNumber || "-_.~".contains($0)) })
        return records.filter { record in
            record.split(separator: "/", maxSplits: 1).last.map(words.contains) ?? false
        }.sorted().prefix(StoryItem.most).map(\.self)
    }

    /// The chains whose authors stand in a text.
    private func authors(in text: String) -> [Int] {
        chains.indices.filter { text.contains(chains[$0].name) }
    }

    private var shrunk: JSONLine.Value {
        guard let shrinking else { return .null }
        return .encoded(
            JSONLine.object([
                ("before", .number(Int64(shrinking.actionsBefore))),
                ("left", .number(Int64(shrinking.actionsLeft))),
                ("runs", .number(Int64(shrinking.runs))),
            ]))
    }

    private var leftOutCounts: JSONLine.Value {
        var texts = StoryItem.Kind.allCases.compactMap { kind in
            leftOut[kind].map { StoryWords.counted($0, kind) }
        }
        if chainsLeftOut > 0 { texts.append(StoryWords.counted(chainsLeftOut, "chain")) }
        return list(texts.map { JSONLine.encoded(.text($0)) })
    }

    private func list(_ values: [String]) -> JSONLine.Value {
        .encoded("[" + values.joined(separator: ",") + "]")
    }
}

/// The members of items, which a page reads by these names.
extension RecordedStory {
    fileprivate static func encoded(_ item: StoryItem) -> String {
        let texts = { (texts: [String]) in
            JSONLine.Value.encoded(
                "[" + texts.map { JSONLine.encoded(.text($0)) }.joined(separator: ",") + "]")
        }
        var members: [(String, JSONLine.Value)] = [
            ("kind", .text(item.kind.rawValue)), ("time", .number(item.time)),
            ("text", .text(item.text)),
        ]
        if item.since != item.time { members.append(("since", .number(item.since))) }
        if let device = item.device { members.append(("device", .number(Int64(device)))) }
        if let other = item.other { members.append(("other", .number(Int64(other)))) }
        if let why = item.why, !why.isEmpty { members.append(("why", .text(why))) }
        if item.isIdle {
            members.append(("also", texts(["Nothing was seen to come of it."])))
            members.append(("idle", .number(1)))
        }
        if !item.also.isEmpty { members.append(("also", texts(item.also))) }
        if !item.records.isEmpty { members.append(("records", texts(item.records))) }
        let numbers = [
            ("moreRecords", item.recordsLeftOut), ("batches", item.batches),
            ("bytes", item.bytes), ("count", item.count > 1 ? item.count : 0),
        ]
        for (name, number) in numbers where number > 0 {
            members.append((name, .number(Int64(number))))
        }
        if !item.changes.isEmpty {
            let changes = item.changes.map { encoded($0) }.joined(separator: ",")
            members.append(("changes", .encoded("[" + changes + "]")))
        }
        return JSONLine.object(members)
    }

    private static func encoded(_ change: StoryChange) -> String {
        switch change {
        case .appears(let device, let name):
            "[\"name\",\(device),\(JSONLine.encoded(.text(name)))]"
        case .process(let device, let state):
            "[\"process\",\(device),\(JSONLine.encoded(.text(state)))]"
        case .standing(let device, let standing):
            "[\"standing\",\(device),\(JSONLine.encoded(.text(standing)))]"
        case .clock(let device, let milliseconds): "[\"clock\",\(device),\(milliseconds)]"
        case .version(let device, let version): "[\"version\",\(device),\(version)]"
        case .holds(let device, let chain, let holding):
            "[\"holds\",\(device),\(chain),\(holding.first),\(holding.stored),\(holding.shown)]"
        case .linked(let left, let right, let isUp): "[\"link\",\(left),\(right),\(isUp ? 1 : 0)]"
        }
    }

    fileprivate static func encoded(_ chain: StoryChain) -> String {
        JSONLine.object([
            ("writer", chain.writer.map { .number(Int64($0)) } ?? .null),
            ("scope", .text(chain.scope)), ("name", .text(chain.name)),
            ("life", .number(Int64(chain.life))), ("branch", .number(chain.isBranch ? 1 : 0)),
        ])
    }
}

extension Scenario {
    /// Runs one seed and keeps what a page shows of it; the run is the same as without.
    ///
    /// - Parameter line: gets one JSON object for each event.
    package func record(seed: UInt64, line: ((String) -> Void)? = nil) -> RecordedStory {
        record(seed: seed, line: line, bounds: StoryShelf.Bounds())
    }

    func record(
        seed: UInt64, line: ((String) -> Void)? = nil, bounds: StoryShelf.Bounds
    ) -> RecordedStory {
        let plan = PlanMaker.plan(self, seed: seed)
        let recorder = StoryRecorder(plan, bounds: bounds)
        let outcome = Simulation.run(plan, Simulation.Listener(line: line, recorder: recorder))
        return RecordedStory(recorder, outcome: outcome, scenario: self)
    }
}
