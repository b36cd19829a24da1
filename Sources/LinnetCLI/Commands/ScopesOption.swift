import Linnet
import LinnetAPI
import LinnetControl

/// The option that binds a device to scopes.
enum ScopesOption {
    /// Returns the scopes that a person named; nil without the option.
    static func read(_ arguments: Arguments) throws(ControlFailure) -> String? {
        guard let text = arguments.value("scopes") else { return nil }
        guard DeviceScopes(text: text) != nil else {
            throw .usage("--scopes takes names between commas, as in log,meds, or all")
        }
        return text
    }
}
