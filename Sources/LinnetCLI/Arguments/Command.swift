import LinnetControl

/// One thing that `linnet` does.
struct Command: Sendable {
    /// The word that names it.
    var name: String
    /// The words that follow the name, as in `C/ID FIELD=VALUE…`.
    var words: String
    /// The deed, in one line.
    var summary: String
    /// The rest that a person may want to know; empty when there is none.
    var details: String
    /// The options of this command alone.
    var options: [Option]
    /// The options that programs give, and help does not list.
    var unlisted: [Option]
    /// The calls that a new home needs before the example, without the word `linnet`.
    var preparation: [String]
    /// A call that works, without the word `linnet`.
    var example: String
    /// Carries the command out.
    var run: @Sendable (Invocation) async throws(ControlFailure) -> Void

    init(
        _ name: String, words: String = "", summary: String, details: String = "",
        options: [Option] = [], unlisted: [Option] = [],
        preparation: [String] = [], example: String,
        run: @escaping @Sendable (Invocation) async throws(ControlFailure) -> Void
    ) {
        self.name = name
        self.words = words
        self.summary = summary
        self.details = details
        self.options = options
        self.unlisted = unlisted
        self.preparation = preparation
        self.example = example
        self.run = run
    }

    /// The text that `--help` prints.
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
    /// The calls that make a home with the medicines of the sample.
    static let sample = ["init --name Laptop --kind laptop", "import docs/samples/household.csv"]
    /// The calls that make a home with the schema of the album.
    static let album = ["init --name Album --kind laptop --schema docs/samples/album.json"]
    /// The calls that make a home with the schema of the pantry.
    static let pantry = ["init --name Pantry --kind laptop --schema docs/samples/pantry.json"]
}

/// One call of a command.
package struct Invocation: Sendable {
    /// The path of the home directory.
    package var home: String
    /// Takes results and messages.
    package var output: Output
    /// The options and words of the call.
    package var arguments: Arguments
}
