import LinnetSystem
import LinnetWire
import Synchronization

/// The facts of a node that may be read on any thread and while it is busy.
final class NodeBoard: Sendable {
    private struct State {
        var schema: SchemaFile
        var isSchemaAwaited: Bool
        var unwritable: HomeError?
        var dashboard: DashboardOpening?
    }

    let device: DeviceID
    let fingerprint: [String]
    /// The progress of an exchange.
    let exchange = ExchangeBoard()
    private let state: Mutex<State>

    init(_ device: DeviceID, fingerprint: [String], _ schema: HomeSchema, unwritable: HomeError?) {
        self.device = device
        self.fingerprint = fingerprint
        state = Mutex(
            State(
                schema: schema.file, isSchemaAwaited: schema.isAwaited, unwritable: unwritable))
    }

    /// The collections as the home keeps them.
    var schema: SchemaFile { state.withLock { $0.schema } }
    /// True while this device waits for its group's schema.
    var isSchemaAwaited: Bool { state.withLock { $0.isSchemaAwaited } }
    /// The reason why nothing can be written in the home; nil where it takes writes.
    var unwritable: HomeError? { state.withLock { $0.unwritable } }

    /// The way to a link to the dashboard; nil where none is served.
    var dashboard: DashboardOpening? { state.withLock { $0.dashboard } }

    /// Shows the way to a link to the dashboard.
    func show(dashboard: @escaping DashboardOpening) {
        state.withLock { $0.dashboard = dashboard }
    }

    /// Shows the schema that is in use from now on.
    func show(_ schema: HomeSchema) {
        state.withLock {
            $0.schema = schema.file
            $0.isSchemaAwaited = schema.isAwaited
        }
    }

    /// Shows the reason why nothing can be written; nil shows that the home takes writes.
    func show(unwritable: HomeError?) { state.withLock { $0.unwritable = unwritable } }
}
