/// The rules of the operations of one kind of field, or of those that write a log's records.
package protocol OperationRules {
    /// True when of two operations on a field only the later one counts.
    static var isLatestAlone: Bool { get }
    /// True when an operation whose payload is a plain value of the field's type is admitted
    /// without a closer look.
    static var admitsAtSight: Bool { get }
    /// True when operations take effect on a field that only a newer schema knows.
    static var mergesUnknownFields: Bool { get }

    /// Returns true when a payload has the form that its operation asks for.
    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool
    /// Returns the ops that a payload names as replaced, and their key; nil when it names none.
    static func named(
        in payload: [UInt8], of kind: OperationKind
    ) -> (key: ByteString, positions: [Position])?
    /// Merges a write into the record that it is on.
    static func merge(
        _ write: PlacedWrite, into record: inout RecordState, policy: DeletePolicy
    ) -> ApplyOutcome
    /// Says what became of an operation that was merged into the content of its field.
    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate
    /// Returns the reason why an operation that was merged a moment ago does not show; nil when it
    /// does.
    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason?
    /// Returns the content that an operation wrote, as a person reads it; the field is nil when it
    /// is unknown.
    static func written(by operation: Operation, to field: Field?) -> WrittenContent
}

extension OperationRules {
    static var isLatestAlone: Bool { false }
    static var admitsAtSight: Bool { false }
    static var mergesUnknownFields: Bool { false }

    static func named(
        in payload: [UInt8], of kind: OperationKind
    ) -> (key: ByteString, positions: [Position])? { nil }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        nil
    }
}

/// The rules of operations that grow a state of their own in the content of the field.
protocol StateRules: OperationRules {
    /// The state that the operations grow.
    associatedtype State: GrowingState

    /// Merges a write into the state; false if it changed nothing.
    static func apply(_ write: PlacedWrite, to state: inout State) throws(CRDTError) -> Bool
}

extension StateRules {
    static func merge(
        _ write: PlacedWrite, into record: inout RecordState, policy: DeletePolicy
    ) -> ApplyOutcome {
        record.apply(write, policy: policy) { content in
            guard content != nil else {
                var state = State()
                let outcome = outcome(of: write, on: &state)
                if case .quarantined = outcome { return outcome }
                content = state.content
                return outcome
            }
            guard var state = take(&content) else { return .quarantined(.wrongKind) }
            defer { content = state.content }
            return outcome(of: write, on: &state)
        }
    }

    /// Takes the state out of a content, so that nobody else holds it and a large one is changed in
    /// place; nil where the content is of another kind, and stays.
    private static func take(_ content: inout FieldContent?) -> State? {
        guard let state = content.flatMap(State.init) else { return nil }
        content = nil
        return state
    }

    private static func outcome(of write: PlacedWrite, on state: inout State) -> ApplyOutcome {
        do throws(CRDTError) {
            return try apply(write, to: &state) ? .won : .lost
        } catch {
            return .quarantined(.badPayload)
        }
    }
}
