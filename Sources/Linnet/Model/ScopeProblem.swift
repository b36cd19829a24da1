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

    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .unknown(let name): "no collection has a scope \"\(name)\""
        case .held(let name): "every device holds the scope \"\(name)\""
        case .heldOnlyHere(let name):
            "no connected device is known to hold all of the scope \"\(name)\""
        case .notHeld(let name): "the scope \"\(name)\" is not held here"
        case .incomplete(let name): "this device may lack some of the scope \"\(name)\""
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
        }
    }
}
