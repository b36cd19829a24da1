import Linnet

/// One thing that `linnet` does.
struct Command: Sendable {
    /// The word that names it.
    var name: String
    /// What follows the name, as in `C/ID FIELD=VALUE…`.
    var words: String
    /// What it does, in one line.
    var summary: String
    /// What else there is to know; empty when nothing.
    var details: String
    /// Its own options, beside the common ones.
    var options: [Option]
    /// The calls that a new home needs before the example, without `linnet`.
    var preparation: [String]
    /// A call that works, without `linnet`.
    var example: String
    /// Carries it out.
    var run: @Sendable (Invocation) async throws(ControlFailure) -> Void

    /// Describes a command.
    init(
        _ name: String, words: String = "", summary: String, details: String = "",
        options: [Option] = [], preparation: [String] = [], example: String,
        run: @escaping @Sendable (Invocation) async throws(ControlFailure) -> Void
    ) {
        self.name = name
        self.words = words
        self.summary = summary
        self.details = details
        self.options = options
        self.preparation = preparation
        self.example = example
        self.run = run
    }

    /// What `--help` says about it.
    var help: String {
        let usage = ["linnet", name, words, "[OPTIONS]"].filter { !$0.isEmpty }
        var text = "\(summary)\n\nUsage: \(usage.joined(separator: " "))\n"
        if !details.isEmpty { text += "\n\(details)\n" }
        text += "\nOptions:\n"
        let all = options + Option.common
        let width = all.map(\.usage.count).max() ?? 0
        for option in all {
            let gap = String(repeating: " ", count: width - option.usage.count)
            text += "  \(option.usage)\(gap)  \(option.help)\n"
        }
        let heading = preparation.isEmpty ? "Example:" : "Example, in a new home:"
        let calls = (preparation + [example]).map { "\n  linnet \($0)" }
        return text + "\n\(heading)\(calls.joined())"
    }
}

extension Command {
    /// What makes a home that holds the medicines of the sample.
    static let sample = ["init --name Laptop --kind laptop", "import docs/samples/household.csv"]
    /// What makes a home with the schema of the sample.
    static let pantry = ["init --name Pantry --kind laptop --schema docs/samples/pantry.json"]
}

/// One call of a command.
package struct Invocation: Sendable {
    /// Path of the home directory.
    package var home: String
    /// Where results and messages go.
    package var output: Output
    /// Options and words.
    package var arguments: Arguments
}
