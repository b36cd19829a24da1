import LinnetCRDT
import LinnetWire

/// The rules of the schema for the operations of one batch, record by record.
struct MergeRules {
    private var collection: Collection?
    /// True when the record at hand belongs to the batch's scope.
    private var isInPlace = false
    /// True when this is the same for every record of the collection.
    private var isForAll = false
    /// The meaning of a delete for the record at hand.
    private(set) var policy = DeletePolicy.deleteWins
    /// The payloads of each shape of the batch that are admitted at sight; nil before they were
    /// looked up.
    private var plain: [PlainPayloads?]

    /// Begins with a batch of so many shapes.
    init(_ shapes: Int) {
        plain = [PlainPayloads?](repeating: nil, count: shapes)
    }

    /// Sets the rules for a record of a batch that lies in `scope`.
    mutating func enter(
        _ key: RecordKey, in scope: ScopeID, schema: Schema,
        scopeID: (String) -> ScopeID?
    ) {
        if isForAll, collection?.id == key.collection { return }
        collection = schema.collection(id: key.collection)
        policy = collection?.deletePolicy ?? .deleteWins
        guard let rule = collection?.scope else {
            isInPlace = false
            isForAll = false
            return
        }
        isInPlace = rule.scope(of: key.record).map { scopeID($0) == scope } ?? false
        if case .divided = rule { isForAll = false } else { isForAll = true }
    }

    /// Returns true when the shape of an operation on the record at hand and a look at its payload
    /// show that it takes effect; false says nothing.
    mutating func admitsAtSight(_ operations: Operations, _ entry: Operations.Entry) -> Bool {
        guard isInPlace else { return false }
        if plain[entry.shape] == nil {
            plain[entry.shape] =
                collection?.plainPayloads(for: operations.shapes[entry.shape]) ?? []
        }
        return plain[entry.shape]?.contains(operations.bytes, in: entry.payload) ?? false
    }

    /// Judges an operation. On a field that only a newer schema knows, a single value or a group
    /// merges; other kinds wait for the upgrade, when everything is folded again.
    func admission(of operation: Operation) -> Admission {
        guard let collection else { return .unknown }
        guard isInPlace else { return .quarantined(.wrongScope) }
        let judged = collection.admission(of: operation)
        if judged == .admitted, operation.kind == OperationKind.textCopy.rawValue,
            (try? TextCopy.decode(operation.payload))?.isNamedByItsText != true
        {
            return .quarantined(.badPayload)
        }
        guard judged == .unknown else { return judged }
        let rules = OperationKind(rawValue: operation.kind)?.rules
        return rules?.mergesUnknownFields == true ? .admitted : .unknown
    }
}
