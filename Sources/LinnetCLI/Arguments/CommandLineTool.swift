import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The program: it finds the command in its words, runs it and reports how it went.
package enum CommandLineTool {
    /// Runs the program with the words after its name, and returns the exit code.
    package static func run(_ words: [String]) async -> Int32 {
        do throws(ControlFailure) {
            try await perform(words)
            return 0
        } catch {
            // The words may be wrong, so `--json` counts wherever it would be an option.
            let options = words.prefix { $0 != "--" }
            Output.failure(error, isJSON: options.contains("--json"))
            return Int32(error.kind.rawValue)
        }
    }

    private static func perform(_ words: [String]) async throws(ControlFailure) {
        guard let place = commandPlace(in: words) else {
            return try performWithoutCommand(words)
        }
        let name = words[place]
        let command = try CommandTable.command(named: name)
        var rest = words
        rest.remove(at: place)
        do throws(ControlFailure) {
            let arguments = try Arguments(
                rest, options: command.options + command.unlisted + Option.common)
            if arguments.has("help") { return Output.write(command.help + "\n", to: 1) }
            try await command.run(try invocation(arguments))
        } catch {
            guard error.kind == .usage else { throw error }
            throw .usage(error.message + "\nSee 'linnet \(command.name) --help'.")
        }
    }

    /// Returns the place of the first word that is neither an option nor the value of one.
    private static func commandPlace(in words: [String]) -> Int? {
        var isValue = false
        for (index, word) in words.enumerated() {
            if isValue {
                isValue = false
            } else if word.hasPrefix("-") {
                isValue = Option.common.contains { $0.value != nil && word == "--\($0.name)" }
            } else {
                return index
            }
        }
        return nil
    }

    private static func performWithoutCommand(_ words: [String]) throws(ControlFailure) {
        let version = Option("version", nil, "show the version")
        let arguments = try Arguments(words, options: Option.common + [version])
        if arguments.has("version") {
            return Output.write("linnet \(LinnetVersion.text)\n", to: 1)
        }
        if arguments.has("help") { return Output.write(CommandTable.help + "\n", to: 1) }
        throw .usage("a command is missing; see 'linnet --help'")
    }

    private static func invocation(
        _ arguments: Arguments
    ) throws(ControlFailure) -> Invocation {
        var level = Output.Level.info
        if let text = arguments.value("log-level") {
            guard let chosen = Output.Level(rawValue: text) else {
                throw .usage("--log-level must be one of error, warning, info, debug")
            }
            level = chosen
        }
        let home: String
        if let given = arguments.value("home") { home = given } else { home = try defaultHome() }
        if home.isEmpty { throw .usage("--home must not be empty") }
        if let path = arguments.value(Option.passphraseFile.name) {
            try PassphraseInput.require(file: path)
        }
        return Invocation(
            home: home,
            output: Output(
                isJSON: arguments.has("json"), level: level,
                tellsProgress: arguments.has("progress")),
            arguments: arguments)
    }

    private static func defaultHome() throws(ControlFailure) -> String {
        if let home = Environment.value("LINNET_HOME") { return home }
        if let data = Environment.value("XDG_DATA_HOME") { return "\(data)/linnet" }
        if let user = Environment.value("HOME") { return "\(user)/.local/share/linnet" }
        throw .usage("name the device's directory with --home DIR")
    }
}
