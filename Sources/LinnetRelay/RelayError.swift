package import LinnetStorage

/// The reason why a relay does not do what it is told.
package enum RelayError: Error, Equatable, Sendable {
    /// There is no relay in the directory.
    case absent(path: String)
    /// The directory or a file in it cannot be used, as the system says.
    case system(path: String, reason: String)
    /// A name of an account or a place is none.
    case badName(String)
    /// There is an account of that name.
    case known(String)
    /// There is no account of that name.
    case unknown(String)
    /// Another process serves the directory.
    case served(path: String)
    /// The address to listen at is none, or is not numeric.
    case badAddress(String)
    /// Without a certificate a relay listens on this machine alone.
    case notLoopback(String)
    /// The certificate and its key cannot be used.
    case badCertificate
    /// The system does not let it listen there.
    case cannotListen(address: String, reason: String)
    /// The system has no thread, descriptor or memory left.
    case noResources
    /// A newer release made the file.
    case fromTheFuture
    /// The file cannot be read or written.
    case storage(StorageError)
}

extension RelayError: CustomStringConvertible {
    /// A sentence that says what is wrong, and what to do.
    package var description: String {
        switch self {
        case .absent(let path):
            "there is no relay in \(path): 'linnet relay add' makes one with its first account"
        case .system(let path, let reason): "\(path) cannot be used: \(reason)"
        case .badName(let name):
            "\"\(name)\" is no name for an account or a place: take 1 to"
                + " \(RelayLimits.nameBytes) letters a to z, digits, dots, dashes and underscores"
        case .known(let name):
            "there is an account \"\(name)\" already: take another name, or remove it first"
        case .unknown(let name):
            "there is no account \"\(name)\": 'linnet relay list' shows those that there are"
        case .served(let path):
            "another relay runs on \(path): stop it first, or give this one a directory of its own"
        case .badAddress(let text):
            "\"\(text)\" is no address to listen at: write a numeric one and a port, as"
                + " 127.0.0.1:8443 or [::]:8443"
        case .notLoopback(let text):
            "without a certificate a relay listens on this machine alone, since passwords would"
                + " be read on the way to \(text): give --certificate and --key, or listen at"
                + " 127.0.0.1 behind a server that speaks TLS"
        case .badCertificate:
            "the files of --certificate and --key are no certificate in PEM and its own key: name"
                + " the whole chain and the key without a passphrase"
        case .cannotListen(let address, let reason): "cannot listen at \(address): \(reason)"
        case .noResources: "the system has no thread, descriptor or memory left for a relay"
        case .fromTheFuture: "a newer release of Linnet made this relay: upgrade linnet here"
        case .storage(let error): Self.sentence(error)
        }
    }

    private static func sentence(_ error: StorageError) -> String {
        switch error {
        case .diskFull: "the disk of the relay is full: make room"
        case .busy: "another process is writing to the relay's file: try again"
        case .readOnly, .cannotOpen:
            "the relay's file cannot be opened or written: see that it belongs to this user"
        case .notOurs, .corrupt:
            "the relay's file is damaged or none of Linnet's: move it away, add the accounts anew,"
                + " and the devices leave there again what they hold"
        default: "the relay's file cannot be used (\(error))"
        }
    }
}
