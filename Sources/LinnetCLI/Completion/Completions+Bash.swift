extension Completions {
    static func bash(_ commands: [Command]) -> String {
        let cases = commands.map { command in
            let words = options(of: command).map { "--\($0.name)" }.joined(separator: " ")
            return "        \(command.name)) words='\(words)' ;;\n"
        }
        return #"""
            _linnet() {
                local current= command= words= word= index typed begun
                local -a line=() found=()
                # The shell splits words at "=" and ":", the program does not.
                for ((index = 1; index <= COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    if ((${#line[@]})) && [[ $word == [=:]* || ${line[-1]} == *[=:] ]]; then
                        line[-1]+=$word
                    else
                        line+=("$word")
                    fi
                done
                typed=${line[-1]-}
                for index in "${!line[@]}"; do
                    word=${line[index]}
                    case $word in [\"\']*) word=${word//[\"\']/} ;; esac
                    line[index]=${word//\\/}
                done
                current=${line[-1]-}
                for word in "${line[@]:0:${#line[@]}-1}"; do
                    case $word in -*) ;; *) command=$word; break ;; esac
                done
                case $command in
            \#(cases.joined())        *) words='\#(commands.map(\.name).joined(separator: " "))' ;;
                esac
                if [[ -z $command || $current == -* ]] && [[ $current != *=* ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                    ((${#COMPREPLY[@]})) && return
                fi
                _linnet_values
            }
            \#(bashValues)complete -F _linnet linnet

            """#
    }

    /// The part that asks the program; it knows the variables of its caller.
    private static let bashValues = #"""
        _linnet_values() {
            COMPREPLY=()
            word=${COMP_WORDS[0]/#\~/$HOME}
            mapfile -t found < <("$word" help --complete -- "${line[@]}" 2>/dev/null)
            case ${found[0]-} in
                files | directories)
                    compopt -o filenames 2>/dev/null
                    word=-f
                    [[ ${found[0]} == files ]] || word=-d
                    mapfile -t COMPREPLY < <(compgen "$word" -- "${current##*=}")
                    return
                    ;;
            esac
            # What stands before the last "=" or ":" stays where it is.
            begun=${current%"${current##*[=:]}"}
            for word in "${found[@]:1}"; do
                case $word in *[/=]) compopt -o nospace 2>/dev/null ;; esac
                word=${word#"$begun"}
                case $typed in
                    [\"\']*) case $word in *[\"\'\$\`\!\\]*) continue ;; esac ;;
                    *) printf -v word %q "$word" ;;
                esac
                COMPREPLY+=("$word")
            done
        }

        """#
}
