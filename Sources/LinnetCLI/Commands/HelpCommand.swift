import Linnet
import LinnetAPI
import LinnetControl

/// `linnet help`: explains the program and its commands.
enum HelpCommand {
    static let command = Command(
        "help", words: "[COMMAND]", summary: "List the commands, or explain one.",
        details: "With --manual the page for 'man', with --completions what a shell completes.",
        options: [
            Option("manual", nil, "print the manual page"),
            Option("completions", "SHELL", "print completions for bash, zsh or fish"),
        ],
        unlisted: [Option("complete", nil, "what may stand where the last word does")],
        example: "help set", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        if invocation.arguments.has("complete") {
            CompletionLimit.start(
                milliseconds: CompletionLimit.milliseconds(
                    Environment.value(CompletionLimit.variable)))
            let answer = await Completer(words, home: invocation.home).answer()
            return Output.write(answer.lines, to: 1)
        }
        if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
        if invocation.arguments.has("manual") {
            return Output.write(ManualPage.text(of: CommandTable.all), to: 1)
        }
        if let name = invocation.arguments.value("completions") {
            guard let shell = Completions(rawValue: name) else {
                throw .usage("--completions must be one of bash, zsh, fish")
            }
            return Output.write(shell.script(for: CommandTable.all), to: 1)
        }
        guard let word = words.first else { return Output.write(CommandTable.help + "\n", to: 1) }
        Output.write(try CommandTable.command(named: word).help + "\n", to: 1)
    }
}
