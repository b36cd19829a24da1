/// The shells for which completions are made from the commands.
enum Completions: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// Returns the script that the shell reads.
    func script(for commands: [Command]) -> String {
        switch self {
        case .bash: Self.bash(commands)
        case .zsh: Self.zsh(commands)
        case .fish: Self.fish(commands)
        }
    }

    private static func options(of command: Command) -> [Option] {
        command.options + Option.common
    }

    private static func bash(_ commands: [Command]) -> String {
        let cases = commands.map { command in
            let words = options(of: command).map { "--\($0.name)" }.joined(separator: " ")
            return "        \(command.name)) words='\(words)' ;;\n"
        }
        return """
            _linnet() {
                local current=${COMP_WORDS[COMP_CWORD]} command= words= word
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) command=$word; break ;; esac
                done
                case $command in
            \(cases.joined())        *) words='\(commands.map(\.name).joined(separator: " "))' ;;
                esac
                case $command,$current in
                    ?*,[!-]*|?*,) COMPREPLY=($(compgen -f -- "$current")) ;;
                    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
                esac
            }
            complete -o filenames -F _linnet linnet

            """
    }

    private static func zsh(_ commands: [Command]) -> String {
        let names = commands.map { "    '\($0.name):\(zshText($0.summary))'\n" }.joined()
        let cases = commands.map { command in
            let specs = options(of: command).map { option in
                "'\(option.repeats ? "*" : "")--\(option.name)[\(zshText(option.help))]"
                    + (option.value.map { ":\(zshText($0)):\(files(option))" } ?? "") + "'"
            }
            return
                "    \(command.name)) _arguments \(specs.joined(separator: " "))"
                + " '*:file:_files' ;;\n"
        }
        return """
            #compdef linnet
            local -a commands
            commands=(
            \(names))
            if (( CURRENT == 2 )); then
                _describe command commands
                return
            fi
            local command=$words[2]
            shift words
            (( CURRENT-- ))
            case $command in
            \(cases.joined())esac

            """
    }

    private static func files(_ option: Option) -> String {
        switch option.value {
        case "FILE", "FILE|home": "_files"
        case "DIR": "_files -/"
        default: " "
        }
    }

    private static func zshText(_ text: String) -> String {
        var safe = ""
        for character in text {
            switch character {
            case "'": safe += "’"
            case "[", "]", ":", "\\": safe += "\\\(character)"
            default: safe.append(character)
            }
        }
        return safe
    }

    private static func fish(_ commands: [Command]) -> String {
        var lines: [String] = []
        for command in commands {
            lines.append(
                "complete -c linnet -n __fish_use_subcommand -f -a \(command.name)"
                    + " -d '\(fishText(command.summary))'")
            for option in options(of: command) {
                lines.append(
                    "complete -c linnet -n '__fish_seen_subcommand_from \(command.name)'"
                        + " -l \(option.name)\(option.value == nil ? "" : " -r")"
                        + " -d '\(fishText(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishText(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
