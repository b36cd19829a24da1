extension Completions {
    static func zsh(_ commands: [Command]) -> String {
        let names = commands.map { "    '\($0.name):\(zshText($0.summary))'\n" }.joined()
        let cases = commands.map { command in
            let specs = options(of: command).map { option in
                "'\(option.repeats ? "*" : "")--\(option.name)[\(zshText(option.help))]"
                    + (option.value.map { ":\(zshText($0)):_linnet_values" } ?? "") + "'"
            }
            return
                "    \(command.name)) _arguments \(specs.joined(separator: " "))"
                + " '*:value:_linnet_values' ;;\n"
        }
        return #"""
            #compdef linnet
            _linnet_values() {
                local -a found whole begun
                found=("${(@f)$("$program" help --complete -- "${typed[@]}" 2>/dev/null)}")
                case $found[1] in
                    files) _files ;;
                    directories) _files -/ ;;
                    values)
                        # A slash or "=" at the end is followed by more of the word.
                        begun=(${(M)found[2,-1]:#*[/=]})
                        whole=(${found[2,-1]:#*[/=]})
                        (( $#begun )) && compadd -S '' -a begun
                        (( $#whole )) && compadd -a whole
                        ;;
                esac
            }
            local -a commands typed
            local program=${~words[1]} command index
            typed=("${(@Q)words[2,CURRENT]}")
            typed[-1]=${typed[-1]#[\"\']}
            commands=(
            \#(names))
            for index in {2..$((CURRENT - 1))}; do
                (( index < CURRENT )) || break
                [[ $words[index-1] == --(home|passphrase-file|log-level) ]] && continue
                if [[ $words[index] != -* ]]; then
                    command=$words[index]
                    break
                fi
            done
            if [[ -z $command ]]; then
                if [[ $words[CURRENT-1] == --(home|passphrase-file) ]]; then
                    _files
                else
                    _describe command commands
                fi
                return
            fi
            (( index -= 1 ))
            shift $index words
            (( CURRENT -= index ))
            case $command in
            \#(cases.joined())esac

            """#
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
}
