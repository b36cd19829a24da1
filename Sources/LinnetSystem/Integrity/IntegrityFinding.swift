/// The use that a device makes of what is found about its program and its surroundings.
public enum IntegrityPolicy: String, CaseIterable, Sendable {
    /// The home is not opened while something is found.
    case block
    /// Each opening tells of it, and so does the status.
    case warn
    /// The events of a running node tell of it, and nothing else does.
    case log
    /// Nobody looks, but where a person asks.
    case ignore = "none"
}

/// One thing that was looked at of a program and its surroundings.
public struct IntegrityFinding: Equatable, Sendable {
    /// The things that are looked at.
    public enum Check: String, CaseIterable, Sendable {
        /// Another program follows this one and reads its memory.
        case debugger
        /// Libraries were loaded into it that it did not ask for.
        case preload
        /// Its memory would be written to a file if it crashed.
        case cores
        /// Others can reach the home or its keys.
        case files
        /// The keys lie without a passphrase on a disk that is not encrypted.
        case disk
        /// Memory is written to a disk that is not encrypted.
        case swap
        /// The clock shows a time that cannot be.
        case clock
        /// The program is another one than the one that was known.
        case program
        /// The program may do everything on this machine.
        case user
    }

    /// The outcome of a look.
    public enum State: String, CaseIterable, Sendable {
        /// Nothing is wrong.
        case good = "ok"
        /// Something is wrong.
        case found
        /// It could not be told; this is no reason for trust.
        case unknown = "not known"
    }

    /// The thing that was looked at.
    public let check: Check
    /// The outcome.
    public let state: State
    /// The outcome in a sentence.
    public let text: String
    /// The advice; nil when nothing has to be done.
    public let remedy: String?

    /// Joins the parts.
    package init(_ check: Check, _ state: State, _ text: String, remedy: String? = nil) {
        (self.check, self.state, self.text, self.remedy) = (check, state, text, remedy)
    }
}
