import Linnet
import LinnetAPI
import LinnetControl

/// The account with a store over HTTP, as the options of a command name it.
enum MailboxAccount {
    static let options = [
        Option("user", "NAME", "the account with that store or relay, or the name of an S3 key"),
        Option("password-file", "FILE", "its password on one line; else it is asked for"),
        Option("region", "REGION", "the region of S3; us-east-1 when left out"),
        Option("ca", "FILE", "trust the authority of this certificate (PEM), and no other"),
    ]

    /// Returns the account; nil where no option names a part of one.
    static func read(
        _ arguments: Arguments, for address: String
    ) throws(ControlFailure) -> MailboxCredentials? {
        guard options.contains(where: { arguments.has($0.name) }) else { return nil }
        let authority: [UInt8]? = try arguments.value("ca").map { (path) throws(ControlFailure) in
            try FileText.read(path)
        }
        guard let user = arguments.value("user") else {
            if arguments.has("password-file") || arguments.has("region") {
                throw .usage("--password-file and --region belong to --user")
            }
            return authority.map { MailboxCredentials(authority: $0) }
        }
        guard !user.isEmpty else { throw .usage("--user must not be empty") }
        return MailboxCredentials(
            user: user, password: try password(arguments, for: address),
            region: arguments.value("region") ?? "us-east-1", authority: authority)
    }

    /// Throws where an option of an account stands beside a word that takes none.
    static func refuse(
        _ arguments: Arguments, for others: String = "add and test"
    ) throws(ControlFailure) {
        for option in options where arguments.has(option.name) {
            throw .usage("--\(option.name) belongs to \(others)")
        }
    }

    private static func password(
        _ arguments: Arguments, for address: String
    ) throws(ControlFailure) -> Passphrase {
        if let path = arguments.value("password-file") {
            return try PassphraseInput.read(file: path)
        }
        return try PassphraseInput.ask(
            "Password for \(TerminalText.neutral(address)): ", option: "password-file")
    }
}
