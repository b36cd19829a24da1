/// The scopes to which a device is bound: it gets the keys of these alone.
public enum DeviceScopes: Equatable, Sendable {
    /// It is bound to none, and reads everything.
    case all
    /// It reads the scopes of these names, and the names and settings of devices; of divided scopes
    /// all that begin with the name.
    case only([String])

    /// The names, or "all", as text.
    package var text: String {
        switch self {
        case .all: "all"
        case .only(let names): names.joined(separator: ",")
        }
    }

    /// Reads names between commas, or "all"; nil where a name is empty.
    package init?(text: String) {
        if text == "all" {
            self = .all
            return
        }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { return nil }
        self = .only(names)
    }
}
