/// The words after the command's name, sorted.
struct Options {
    struct Option {
        let name: String
        let value: String?
        let help: String

        init(_ name: String, _ value: String?, _ help: String) {
            self.name = name
            self.value = value
            self.help = help
        }
    }

    /// The command was called wrongly.
    struct WrongUsage: Error {
        let message: String
    }

    static let all = [
        Option("scenario", "NAME", "what to simulate (mixed); with --swarm, \"all\" takes turns"),
        Option("seed", "N", "run one seed"),
        Option("days", "D", "with --seed: how many days, in place of what the scenario says"),
        Option("store", "STORE", "with --seed: sqlite or model, in place of the scenario's"),
        Option("swarm", "K", "run K seeds in processes of their own"),
        Option("from", "N", "the first seed of a swarm (1)"),
        Option("jobs", "J", "processes of a swarm (one for each core)"),
        Option("seconds", "S", "hand out no more seeds after this long"),
        Option("stop-at-first-failure", nil, "end a swarm there"),
        Option("coverage", nil, "with --swarm: list what happened; fail if something never did"),
        Option("regressions", "FILE", "run the seeds of a file: \"scenario seed # found\" lines"),
        Option("replay", "SEED", "run one seed and write what happens, one JSON line an event"),
        Option("trace", "FILE", "where --replay writes (\"-\" is standard output)"),
        Option("html", "FILE", "with --seed or --replay: write the story as one page to look at"),
        Option("minimise", nil, "with --seed: shrink the failing plan and tell its story"),
        Option("runs", "N", "how many runs --minimise may take (400)"),
        Option("no-shrink", nil, "tell no story of a failing seed"),
        Option("bench", nil, "measure speed and memory"),
        Option("list", nil, "name scenarios, faults, invariants and states"),
        Option("json", nil, "one JSON object a line on standard output"),
        Option("help", nil, "say all this"),
    ]

    private var given: [(name: String, value: String)] = []

    init(_ words: [String]) throws(WrongUsage) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                if word == "-h" {
                    given.append(("help", ""))
                    continue
                }
                throw WrongUsage(message: "unexpected argument '\(word)'")
            }
            try take(word.dropFirst(2), &rest)
        }
    }

    private mutating func take(
        _ word: Substring, _ rest: inout ArraySlice<String>
    ) throws(WrongUsage) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Self.all.first(where: { $0.name == name }) else {
            let hint = Suggestion.hint(for: name, among: Self.all.map(\.name), prefix: "--")
            throw WrongUsage(message: "unknown option '--\(name)'\(hint)")
        }
        if has(name) { throw WrongUsage(message: "option '--\(name)' is given twice") }
        guard let value = option.value else {
            if parts.count > 1 {
                throw WrongUsage(message: "option '--\(name)' takes no value")
            }
            given.append((name, ""))
            return
        }
        if parts.count > 1 {
            given.append((name, String(parts[1])))
        } else if let next = rest.first, !next.hasPrefix("--") {
            given.append((name, next))
            rest.removeFirst()
        } else {
            throw WrongUsage(message: "option '--\(name)' needs a value: --\(name) \(value)")
        }
    }

    func has(_ name: String) -> Bool { given.contains { $0.name == name } }

    func text(_ name: String) -> String? { given.first { $0.name == name }?.value }

    /// A seed: any unsigned number of 64 bits.
    func seed(_ name: String) throws(WrongUsage) -> UInt64? {
        guard let text = text(name) else { return nil }
        guard let number = UInt64(text) else {
            throw WrongUsage(message: "--\(name) must be a number from 0 to \(UInt64.max)")
        }
        return number
    }

    /// A positive number.
    func count(_ name: String, _ maximum: Int = 1_000_000_000) throws(WrongUsage) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), (1...maximum).contains(number) else {
            throw WrongUsage(message: "--\(name) must be a number from 1 to \(maximum)")
        }
        return number
    }
}
