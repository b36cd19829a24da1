/// The reason why a store could not be used; another try may succeed.
package enum MailboxError: Error, Equatable, Sendable {
    /// The address is of no kind that is known.
    case badAddress(String)
    /// The address holds a name, a password or a query; it is not repeated.
    case secretInAddress
    /// The address is one without TLS, and not on this machine.
    case plainAddress
    /// The name, password, region or authority cannot be used; the text says why.
    case badAccount(String)
    /// The folder is not there.
    case absent(path: String)
    /// The collection or bucket is not there.
    case absentStore(String)
    /// The system refused a call on the folder or a file in it.
    case refused(String)
    /// The store refuses the account (401 or 403), in its own word where that is a plain one.
    case unauthorised(status: Int, code: String)
    /// The store takes no object of this size (413).
    case tooLarge
    /// The store asks to wait (429 or 503), for so many seconds if it says so.
    case busy(seconds: Int64?)
    /// The store is full (507).
    case full
    /// The store sends elsewhere, which is not followed.
    case redirected(status: Int)
    /// The store does not know a verb (405 or 501).
    case unsupported(verb: String, status: Int)
    /// The store answered with another status than any that has a meaning here.
    case unexpected(verb: String, status: Int)
    /// The store was silent for too long.
    case timedOut
    /// The store did not prove who it is, or TLS failed otherwise.
    case insecure(String)
    /// No connection came about, or it broke.
    case unreachable(String)
    /// A listing cannot be read; the text says why.
    case badListing(String)
}

extension MailboxError: CustomStringConvertible {
    /// A sentence that says what is wrong, and what to do where that is known.
    package var description: String {
        switch self {
        case .badAddress(let address):
            "\"\(address)\" is not the address of a mailbox; write folder:/PATH,"
                + " dav+https://HOST/PATH, s3+https://HOST/BUCKET or relay+https://HOST:PORT"
        case .secretInAddress:
            "an address holds no name, password, query or fragment: give the name with --user,"
                + " and the password when it is asked for"
        case .plainAddress:
            "http without TLS is for this machine alone (localhost, 127.0.0.1, [::1]): write https"
        case .badAccount(let problem): problem
        case .absent(let path): "the folder \(path) is not there"
        case .absentStore(let address):
            "\(address) is not there: make the collection or bucket first, since an absent one is"
                + " no empty mailbox"
        case .refused(let reason): reason
        case .unauthorised(let status, let code):
            "the store refuses this account (\(status)\(code.isEmpty ? "" : ", \(code)")): add the"
                + " mailbox again with the right --user and password, or ask who runs the store"
        default: answer
        }
    }

    /// A sentence about what a store answered, or that it did not.
    private var answer: String {
        switch self {
        case .tooLarge:
            "the store takes no object of this size (413): it has to take 4 MiB"
        case .busy(let seconds):
            "the store asks to wait"
                + (seconds.map { " for \($0) s" } ?? ", and does not say how long")
        case .full: "the store is full (507): give it more room"
        case .redirected(let status):
            "the store sends elsewhere (\(status)), which is not followed: give the address that"
                + " answers itself"
        case .unsupported(let verb, let status):
            "the store does not know how to \(verb) (\(status)): it is not of the kind that the"
                + " address names"
        case .unexpected(let verb, let status):
            "the store answered \(status) when it was asked to \(verb)"
        case .timedOut: "the store did not answer in time"
        case .insecure(let reason):
            "the store did not prove who it is: \(reason); where its authority is your own, name"
                + " the certificate with --ca FILE"
        case .unreachable(let reason): "the store was not reached: \(reason)"
        case .badListing(let reason): "the store's listing cannot be read: \(reason)"
        default: "the store cannot be used"
        }
    }
}
