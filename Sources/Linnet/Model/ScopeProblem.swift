/// A fault of a scope that a call names.
public enum ScopeProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// No collection has a scope of this name.
    case unknown(String)
    /// Every device holds it.
    case held(String)
    /// No connected device is known to hold all that is held here.
    case heldOnlyHere(String)
    /// It is not held here.
    case notHeld(String)
    /// It is not known to be held here whole.
    case incomplete(String)
    /// This device is bound to other scopes.
    case notGranted(String)
    /// It is divided by parts that only its records name, so that no device can be bound to it.
    case ofParts(String)
    /// A device of this role, admin or relay, is bound to no scopes.
    case ofRole(DeviceRole)
    /// More scopes were named than one device can be bound to.
    case tooMany
    /// These devices run a version that cannot read what is sealed by scope, or have not been
    /// heard from since they do.
    case notUnderstood([Device])

    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .unknown(let name): "no collection has a scope \"\(name)\""
        case .held(let name): "every device holds the scope \"\(name)\""
        case .heldOnlyHere(let name):
            "no connected device is known to hold all of the scope \"\(name)\""
        case .notHeld(let name): "the scope \"\(name)\" is not held here"
        case .incomplete(let name): "this device may lack some of the scope \"\(name)\""
        case .notGranted(let name): "this device is bound to other scopes than \"\(name)\""
        case .ofParts(let name):
            "the scope \"\(name)\" is divided by parts of identifiers, to which no device is bound"
        case .ofRole(let role): "a device with the role \(role.rawValue) is bound to no scopes"
        case .tooMany: "a device is bound to at most 61 scopes beside 'devices'"
        case .notUnderstood(let devices):
            "not known to read what is sealed by scope: "
                + devices.map(\.label).joined(separator: ", ")
        }
    }

    /// A sentence that says what to do.
    var remedy: String {
        switch self {
        case .unknown: "Name a scope that the schema declares, with its part if it is divided."
        case .held: "Only scopes that the schema declares as optional or divided can be left out."
        case .heldOnlyHere: "Synchronise first, or force it and lose what only this device holds."
        case .notHeld:
            "Write it on a device that holds it, or let this one hold it with subscribe(to:)."
        case .incomplete: "Synchronise first, or use a device that holds all of it."
        case .notGranted:
            "Write it on another device, or let an admin give this one more scopes."
        case .ofParts: "Name scopes that are undivided, or divided by time."
        case .ofRole: "Bind a member or a reader."
        case .tooMany: "Name fewer."
        case .notUnderstood:
            "Upgrade Linnet on them and let each connect to this device once, or remove them."
        }
    }
}
