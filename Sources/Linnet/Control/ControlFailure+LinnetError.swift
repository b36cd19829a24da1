extension ControlFailure {
    /// The failure of a command whose call of the library failed: what is wrong, what to do next.
    package init(_ error: LinnetError) {
        let message: String
        if case .home = error {
            message = error.commandText
        } else {
            let description = error.description
            message =
                description + (description.hasSuffix(".") ? " " : ". ") + error.commandRemedy
        }
        self.init(Self.kind(of: error), message, cause: error)
    }

    private static func kind(of error: LinnetError) -> Kind {
        switch error {
        case .notReachable, .timedOut, .pairing(.expired): .unreachable
        case .schema, .badRecordID, .badIntent, .badAddress, .reachedItself, .pairing(.badCode),
            .pairing(.badURI), .pairing(.newerURI):
            .usage
        default: .failed
        }
    }
}
