/// The shells for which completions are made from the commands.
enum Completions: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// Returns the script that the shell reads. The words of commands and options stand in it; for
    /// all else it asks the program, as `Completer` answers.
    func script(for commands: [Command]) -> String {
        switch self {
        case .bash: Self.bash(commands)
        case .zsh: Self.zsh(commands)
        case .fish: Self.fish(commands)
        }
    }

    static func options(of command: Command) -> [Option] {
        command.options + Option.common
    }
}
