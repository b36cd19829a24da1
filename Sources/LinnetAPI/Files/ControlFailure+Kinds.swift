package import LinnetControl

extension ControlFailure {
    /// Returns the failure of a call that is wrong.
    package static func usage(_ message: String) -> ControlFailure {
        ControlFailure(.usage, message)
    }

    /// Returns the failure of a command that was not carried out.
    package static func failed(_ message: String) -> ControlFailure {
        ControlFailure(.failed, message)
    }

    /// Returns the failure of a command that reached nobody, or got no answer in time.
    package static func unreachable(_ message: String) -> ControlFailure {
        ControlFailure(.unreachable, message)
    }
}
