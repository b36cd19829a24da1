/// One option of a command.
package struct Option: Equatable, Sendable {
    /// The name, without its two dashes.
    package var name: String
    /// What its value is called in help texts; nil for a switch, which has none.
    package var value: String?
    /// What it does, in a few words.
    package var help: String
    /// Whether it may be given several times.
    package var repeats: Bool

    /// Describes an option.
    package init(_ name: String, _ value: String?, repeats: Bool = false, _ help: String) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.help = help
    }

    /// How the option is written.
    package var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }

    /// Where the passphrase of the home is, for commands that nobody watches.
    package static let passphraseFile = Option(
        "passphrase-file", "FILE", "the passphrase of the key file, as one line; /dev/fd/N too")

    /// The options that every command understands.
    package static let common = [
        Option("home", "DIR", "the device's directory"),
        passphraseFile,
        Option(
            "json", nil, "one JSON object per line on standard output, errors on standard error"),
        Option("log-level", "LEVEL", "error, warning, info or debug"),
        Option("help", nil, "say what the command does"),
    ]
}
