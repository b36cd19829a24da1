import Linnet

/// The manual page of the program, made from its commands (man(7)).
enum ManualPage {
    /// Returns the page in the language of troff.
    static func text(of commands: [Command]) -> String {
        var lines = [
            ".TH LINNET 1 \"\" \"linnet \(LinnetVersion.text)\" \"User Commands\"",
            ".SH NAME", "linnet \\- keeps your devices in one shared, encrypted database",
            ".SH SYNOPSIS", ".B linnet", "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
            ".SH DESCRIPTION",
            "Linnet keeps one person's devices in step with no server between them. They find each"
                + " other on the local network, pair with six digits, and end in the same state.",
            ".SH OPTIONS", "Every command understands:",
        ]
        for option in Option.common { lines += item(option) }
        lines.append(".SH COMMANDS")
        for command in commands { lines += section(command) }
        lines += [
            ".SH ENVIRONMENT", ".TP", "LINNET_HOME", "The device's directory, without \\-\\-home.",
            ".TP", "XDG_DATA_HOME", "Where the directory 'linnet' is without both.",
            ".TP", CompletionLimit.variable,
            "The milliseconds that a completion may take, 1 to 60000; \(CompletionLimit.usual)"
                + " where it is not set.",
            ".SH \"EXIT STATUS\"",
            "0 done, 1 failed, 2 wrong usage, 3 not reachable or timed out, 4 written but something"
                + " of it does not show (or it cannot be written any more), 5 nothing to do.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: Command) -> [String] {
        let usage = [command.name, command.words].filter { !$0.isEmpty }.joined(separator: " ")
        var lines = [".SS \"\(escaped(usage))\"", escaped(command.summary)]
        if !command.details.isEmpty { lines += [".PP", escaped(command.details)] }
        for option in command.options { lines += item(option) }
        let calls = (command.preparation + [command.example]).flatMap { call in
            [".br", ".B linnet \(escaped(call))"]
        }
        return lines + [".PP", "Example:"] + calls
    }

    private static func item(_ option: Option) -> [String] {
        [".TP", ".B \(escaped(option.usage))", escaped(option.help)]
    }

    /// Returns text without anything that troff would obey.
    static func escaped(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var safe = ""
            for character in line {
                switch character {
                case "\\": safe += "\\e"
                case "-": safe += "\\-"
                case "\"": safe += "\\(dq"
                case _ where character.isASCII: safe.append(character)
                default:
                    // Not every troff reads UTF-8 (groff_char(7)).
                    for scalar in character.unicodeScalars {
                        let digits = String(scalar.value, radix: 16, uppercase: true)
                        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                        safe += "\\[u\(zeros)\(digits)]"
                    }
                }
            }
            return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
        }
        return lines.joined(separator: "\n")
    }
}
