extension Completions {
    static func fish(_ commands: [Command]) -> String {
        var lines = [fishValues]
        for command in commands {
            lines.append(
                "complete -c linnet -n __fish_use_subcommand -f -a \(command.name)"
                    + " -d '\(fishText(command.summary))'")
            for option in options(of: command) {
                let value = option.value == nil ? "" : " -r -f -a '(__linnet_values)'"
                lines.append(
                    "complete -c linnet -n '__fish_seen_subcommand_from \(command.name)'"
                        + " -l \(option.name)\(value) -d '\(fishText(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let fishValues = """
        function __linnet_values
            set -l words (commandline -opc) (commandline -ct)
            set -l found (command $words[1] help --complete -- $words[2..-1] 2>/dev/null)
            switch "$found[1]"
                case values
                    printf '%s\\n' $found[2..-1]
                case files
                    __fish_complete_path (commandline -ct)
                case directories
                    __fish_complete_directories (commandline -ct)
            end
        end
        complete -c linnet -n 'not __fish_use_subcommand' -f -a '(__linnet_values)'
        """

    private static func fishText(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
