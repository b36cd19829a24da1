import Linnet
import LinnetAPI
import LinnetControl

/// All commands, in the order in which help lists them.
enum CommandTable {
    static let all: [Command] = [
        InitCommand.command, PairCommand.command, JoinCommand.command, RunCommand.command,
        SyncCommand.command, MailboxCommand.command, RelayCommand.command, SetCommand.command,
        InsertCommand.command, EditCommand.command,
        MoveCommand.command, GetCommand.command, ListCommand.command, QueryCommand.command,
        WatchCommand.command, DeleteCommand.command, TrashCommand.command, UndeleteCommand.command,
        AttachCommand.command, FetchCommand.command, OpenCommand.command,
        HistoryCommand.command, WhyCommand.command, StatusCommand.command, KeysCommand.command,
        RenameCommand.command,
        RemoveCommand.command, LeaveCommand.command, RemovalsCommand.command,
        LateCommand.command, QuestionsCommand.command, RoleCommand.command, VoteCommand.command,
        RecoveryCommand.command, CardCommand.command,
        DigestCommand.command, CertificateCommand.command, ImportCommand.command,
        ExportCommand.command, MergeCommand.command, CompactCommand.command,
        PassphraseCommand.command, LockCommand.command,
        UnlockCommand.command, BackupCommand.command, RestoreCommand.command, WipeCommand.command,
        CompanionCommand.command, MedCommand.command, FaceCommand.command, WidgetCommand.command,
        SchemaCommand.command, DashboardCommand.command, ApiCommand.command,
        DoctorCommand.command, IntegrityCommand.command, DemoCommand.command, BenchCommand.command,
        HelpCommand.command,
    ]

    /// Returns the command of a name; throws a `usage` failure that says which one was probably
    /// meant.
    static func command(named name: String) throws(ControlFailure) -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        let hint = NearMiss.best(for: name, among: all.map(\.name))
        throw .usage(
            "there is no command '\(TerminalText.neutral(name))'"
                + (hint.map { "; did you mean '\($0)'?" } ?? "; see 'linnet --help'"))
    }

    /// The text that `linnet --help` prints.
    static var help: String {
        let width = all.map(\.name.count).max() ?? 0
        let lines = all.map { command in
            let gap = String(repeating: " ", count: width - command.name.count)
            return "  \(command.name)\(gap)  \(command.summary)"
        }
        return """
            Keeps your devices in one shared, encrypted database without a server.

            Usage: linnet COMMAND [OPTIONS]

            \(lines.joined(separator: "\n"))

            'linnet COMMAND --help' says more about a command. The device's directory is --home DIR,
            else $LINNET_HOME, else $XDG_DATA_HOME/linnet. Exit codes: 0 done, 1 failed, 2 wrong
            usage, 3 not reachable or timed out, 4 written, but some of it does not show (or it
            cannot be written any more), 5 nothing to do.

            Example:
              linnet init --name Laptop --kind laptop
            """
    }
}
