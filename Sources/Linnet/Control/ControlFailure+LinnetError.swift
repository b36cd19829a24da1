import LinnetControl

extension ControlFailure {
    /// Makes the failure of a command from that of a call of the library; its message says what is
    /// wrong and what to do next.
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
