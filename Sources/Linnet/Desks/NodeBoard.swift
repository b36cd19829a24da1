import LinnetWire
import Synchronization

/// What everybody may read of a node, on any thread and while it is busy.
final class NodeBoard: Sendable {
    private struct State {
        var schema: SchemaFile
        var isSchemaAwaited: Bool
        var unwritable: HomeError?
    }

    let device: DeviceID
    let fingerprint: [String]
    /// How far an exchange is.
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
    /// Whether this device waits for its group's schema.
    var isSchemaAwaited: Bool { state.withLock { $0.isSchemaAwaited } }
    /// Why nothing can be written in the home; nil where it takes writes.
    var unwritable: HomeError? { state.withLock { $0.unwritable } }

    /// Shows what is in use from now on.
    func show(_ schema: HomeSchema) {
        state.withLock {
            $0.schema = schema.file
            $0.isSchemaAwaited = schema.isAwaited
        }
    }

    /// Shows why nothing can be written, or that the home takes writes.
    func show(unwritable: HomeError?) { state.withLock { $0.unwritable = unwritable } }
}
