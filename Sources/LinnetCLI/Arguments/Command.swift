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
    /// A call that works, without `linnet`.
    var example: String
    /// Carries it out.
    var run: @Sendable (Invocation) async throws(ControlFailure) -> Void

    /// Describes a command.
    init(
        _ name: String, words: String = "", summary: String, details: String = "",
        options: [Option] = [], example: String,
        run: @escaping @Sendable (Invocation) async throws(ControlFailure) -> Void
    ) {
        self.name = name
        self.words = words
        self.summary = summary
        self.details = details
        self.options = options
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
        return text + "\nExample:\n  linnet \(example)"
    }
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
