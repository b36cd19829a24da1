import LinnetFaces

/// Steps in the life of the widgets of one device.
enum WidgetStep: Sendable {
    /// Somebody puts a widget somewhere.
    case add(WidgetConfiguration)
    /// The app comes to the foreground or leaves it.
    case app(isInForeground: Bool)
    /// An audio or navigation session begins or ends.
    case session(isActive: Bool)
    /// Somebody presses a widget's button, or it comes into view; of as many as there are.
    case intent(Int)
    case view(Int)
    /// Something changes for the whole device.
    case changed(WidgetSurroundings)
    case push
    /// The device restarts and is locked for a while.
    case reboot(lockedFor: Int64)
    /// Something is wrong with the file that the app and its widgets share.
    case spoil(FaultKind)

    /// The step in words, for a person.
    var sentence: String {
        switch self {
        case .add(let configuration):
            "a widget of kind \(configuration.kind) is put on the \(configuration.place)"
        case .app(let isInForeground):
            isInForeground ? "the app is opened" : "the app is put away"
        case .session(let isActive): isActive ? "a session begins" : "a session ends"
        case .intent(let number): "the button of widget \(number) is pressed"
        case .view(let number): "widget \(number) comes into view"
        case .changed(let surroundings): "\(surroundings) changes"
        case .push: "a push arrives"
        case .reboot(let lockedFor): "the device restarts, locked for \(lockedFor) ms"
        case .spoil(let kind): "to the widgets' file: \(kind.rawValue)"
        }
    }
}
