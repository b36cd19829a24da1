/// One option of a command.
package struct Option: Equatable, Sendable {
    /// The name, without the two dashes.
    package var name: String
    /// The name of its value in help texts; nil for a switch, which has none.
    package var value: String?
    /// The effect of the option, in a few words.
    package var help: String
    /// True when it may be given several times.
    package var repeats: Bool

    /// Describes an option; a nil `value` makes it a switch.
    package init(_ name: String, _ value: String?, repeats: Bool = false, _ help: String) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.help = help
    }

    /// The option and its value, as help texts show them.
    package var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }

    /// Names the file that holds the home's passphrase, for commands that nobody watches.
    package static let passphraseFile = Option(
        "passphrase-file", "FILE", "file with the passphrase, on one line; /dev/fd/N works")

    /// The options of every command.
    package static let common = [
        Option("home", "DIR", "the device's directory"),
        passphraseFile,
        Option(
            "json", nil, "one JSON object per line on standard output, errors on standard error"),
        Option("log-level", "LEVEL", "error, warning, info or debug"),
        Option("progress", nil, "show a long command's progress on standard error, always"),
        Option("help", nil, "show what the command does"),
    ]
}
