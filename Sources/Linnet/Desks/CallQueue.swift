import LinnetReplication

/// The inputs and effects that wait for the call under way, and the failure of that call.
struct CallQueue {
    /// A failure that must not be passed over.
    struct Stumble {
        let error: LinnetError
        /// True when the disk may take writes again without anybody touching the home.
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

    /// True when nothing more may be said, since something failed.
    var hasStumbled: Bool { stumble != nil }

    /// Adds an input behind the others.
    mutating func add(_ input: Input) { inputs.append(input) }

    /// Adds effects behind the others.
    mutating func add(_ more: [Effect]) { effects += more }

    /// Takes out the next work, effects before inputs; nil when nothing is left, or when something
    /// failed.
    mutating func next() -> Work? {
        guard stumble == nil else { return nil }
        if !effects.isEmpty {
            defer { effects = [] }
            return .perform(effects)
        }
        return inputs.isEmpty ? nil : .handle(inputs.removeFirst())
    }

    /// Begins to perform what waits; returns false when that goes on already.
    mutating func begin() -> Bool {
        defer { isPerforming = true }
        return !isPerforming
    }

    mutating func end() { isPerforming = false }

    /// Keeps the first failure, and forgets the effects that have not been carried out.
    mutating func stumble(_ error: LinnetError, mayPass: Bool) {
        guard stumble == nil else { return }
        effects = []
        stumble = Stumble(error: error, mayPass: mayPass)
    }

    mutating func takeStumble() -> Stumble? { stumble.take() }

    /// Replaces the effects that wait.
    mutating func replace(_ effects: [Effect]) { self.effects = effects }

    /// Forgets everything that waits.
    mutating func clear() { (inputs, effects) = ([], []) }
}
