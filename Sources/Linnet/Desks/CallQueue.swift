import LinnetReplication

/// The inputs and effects that wait for the call under way, and what failed in it.
struct CallQueue {
    /// Something failed that must not be passed over.
    struct Stumble {
        let error: LinnetError
        /// Whether the disk may take writes again without anybody touching the home.
        let mayPass: Bool
    }

    enum Work {
        case perform([Effect])
        case handle(Input)
    }

    private var inputs: [Input] = []
    private var effects: [Effect]
    private(set) var isPerforming = false
    private var stumble: Stumble?

    init(_ effects: [Effect]) { self.effects = effects }

    /// Whether nothing more may be said, since something failed.
    var hasStumbled: Bool { stumble != nil }

    /// Adds an input behind the others.
    mutating func add(_ input: Input) { inputs.append(input) }

    /// Adds effects behind the others.
    mutating func add(_ more: [Effect]) { effects += more }

    /// Takes out what is next: the effects before the inputs; nil when nothing is left, or when
    /// something failed.
    mutating func next() -> Work? {
        guard stumble == nil else { return nil }
        if !effects.isEmpty {
            defer { effects = [] }
            return .perform(effects)
        }
        return inputs.isEmpty ? nil : .handle(inputs.removeFirst())
    }

    /// Begins to work off what waits; false when that goes on already.
    mutating func begin() -> Bool {
        defer { isPerforming = true }
        return !isPerforming
    }

    mutating func end() { isPerforming = false }

    /// Remembers the first failure, and forgets what has not been said.
    mutating func stumble(_ error: LinnetError, mayPass: Bool) {
        guard stumble == nil else { return }
        effects = []
        stumble = Stumble(error: error, mayPass: mayPass)
    }

    mutating func takeStumble() -> Stumble? { stumble.take() }

    /// Replaces the effects that wait.
    mutating func replace(_ effects: [Effect]) { self.effects = effects }

    /// Forgets all that waits.
    mutating func clear() { (inputs, effects) = ([], []) }
}
